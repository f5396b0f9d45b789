// Package drug defines the drug entity. It resolves a name to a substance of RxNorm with
// its brands, salts, classes, chemistry, label and trials. A brand, a salt or a
// research code does not name a substance; the answer then names the substance.
package drug

import (
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/entity/pgx"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/drug"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/services"
)

// A Drug is a substance. A value that was not found is null; one that was not requested is
// absent from the JSON.
type Drug struct {
	Name     string               `json:"name"`
	RxCUI    *string              `json:"rxcui"`
	UNII     entity.Part[*string] `json:"unii,omitzero"`
	MeSH     entity.Part[*string] `json:"mesh,omitzero"`
	CID      entity.Part[*int64]  `json:"cid,omitzero"`
	Brands   []string             `json:"brands"`
	Synonyms []string             `json:"synonyms"` // its salts in RxNorm, or its other names in MeSH
	Formula  entity.Part[*string] `json:"formula,omitzero"`
	Routes   []string             `json:"routes"` // routes of its products in RxNorm
	Status   string               `json:"status"`
	URL      string               `json:"url"`

	Classes            entity.Part[[]rxnav.Class]      `json:"classes,omitzero"`
	CombinationClasses entity.Part[[]rxnav.Class]      `json:"combination_classes,omitzero"`
	Chemistry          entity.Part[*services.Compound] `json:"chemistry,omitzero"`
	Label              entity.Part[*label]             `json:"label,omitzero"`
	Interactions       entity.Part[*interactions]      `json:"interactions,omitzero"`
	Pairs              entity.Part[[]pair]             `json:"pairs,omitzero"`         // with each drug of --with
	Reports            entity.Part[*int]               `json:"reports_total,omitzero"` // set by the adverse-events section
	Genotype           entity.Part[*pgx.Advice]        `json:"pgx_genotype,omitzero"`  // set by the pgx section
	entity.Parts

	genotypes                []pgx.Genotype  // of --genotype
	exampleGenotype          string          // genotype with a recommendation on the drug, unless --genotype is given
	isFromCPIC               bool            // has only the name and the RxCUI, from CPIC's table
	typedName                string          // the name as typed
	brand                    string          // the name as typed if it is a brand of the combination, else ""
	ingredients              []rxnav.Concept // one substance, or the parts of a combination
	classesErr, chemistryErr error           // errors of the requests
	labelLock                chan struct{}   // mutex with one slot: held while looking for the label
	found                    *foundLabel
	labelErr                 error
}

// joinedFields lists the lists of a drug that are one column of a table.
var joinedFields = []string{"classes type name", "combination_classes type name"}

// Entity returns the definition of the drug entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[Drug]{
		Name: "drug", Synonyms: []string{"medicine", "medication", "compound", "chemical", "brand", "trade-name"},
		Plural: "drugs", IDs: entity.IDs{Placeholder: "<name>...", Max: 5, Fuzzy: nearestName},
		Label: "Drugs", Sources: []string{"RxNorm (RxNav, National Library of Medicine)"},
		Identity: []string{"name", "rxcui", "unii", "mesh", "cid", "status", "url"},
		Search:   search(), Rows: entity.Rows[Drug]{Fields: joinedFields},
		Get: command.Command{
			Short: "Read about drugs: brands, classes, label",
			Help: command.Help{
				Input: "Names of substances, in quotes if they contain blanks, or of a combination: " +
					"'sacubitril / valsartan'. For a brand, a salt or a research code the answer names the drug " +
					"to ask for, with exit status 1; but the sections of a combination accept its brands too: " +
					"Entresto label.",
				Output: "A card. label and interactions quote one label of the United States, named with its " +
					"date and maker. It has the drug's active ingredients and no others.",
				Surprises: "Interactions come from the label, because the public service of interactions has " +
					"closed. Drugs that are not marketed in the United States may be in MeSH alone.",
			},
			Examples: []command.Example{
				{Line: "biomcp get drug imatinib", Explanation: "identity, brands, classes"},
				{Line: "biomcp get drug warfarin interactions", Explanation: "interactions with other drugs on its label"},
				{Line: "biomcp get drug warfarin interactions --with aspirin", Explanation: "what both labels say of the pair"},
				{Line: "biomcp get drug pembrolizumab label trials", Explanation: "indications and warnings, and trials"},
				{Line: `biomcp get drug clopidogrel pgx --genotype "CYP2C19 *2/*17"`,
					Explanation: "CPIC's recommendation for a genotype, after sync cpic"},
			},
			Flags: func(f *command.Flags) {
				f.Limit(10, 50, "how many rows a section of another source shows")
				f.Offset()
				f.Strings(with, "with interactions: another drug or its brand; repeat it for several")
				f.AddSynonyms(with, "and", "versus", "other-drug")
				pgx.GenotypeFlag(f)
			},
		},
		Fetch: fetch, Card: card, ID: nameOf, Sections: sections(),
		Next: func(d *Drug) []result.Argv {
			return []result.Argv{
				{"get", "drug", d.Name, "label"}, {"search", "trial", "-i", d.text()},
				{"search", "article", "--drug", d.text()},
			}
		},
	})
}

// nearestName returns the name in RxNorm that is closest to an unknown name.
func nearestName(ctx context.Context, in *command.Input, name string) string {
	like, _ := rxnav.New(in.App.Network()).SimilarConcepts(ctx, name, 50)
	names := result.Map(like, func(c rxnav.Concept) string { return c.Name })
	return command.Nearest(name, names)
}

// fetch resolves the names and, for whole cards, completes the drugs.
func fetch(
	ctx context.Context, in *command.Input, names []string, sectionNames entity.Sections,
) (*entity.Found[Drug], error) {
	found := &entity.Found[Drug]{}
	genotypes, err := pgx.Genotypes(ctx, in)
	if err != nil {
		return nil, err
	}
	isLocal := entity.AreLocal(ctx, in.App, sections(), sectionNames)
	for _, name := range names {
		if err := query.CheckText("the name", name, 200, "", "get", "drug", "--help"); err != nil {
			return nil, err
		}
		if isLocal {
			d, err := fromCPIC(ctx, in, name)
			if err != nil {
				return nil, err
			}
			if d != nil {
				found.Add(name, d)
				continue
			}
		}
		client := drug.New(in.App.Network())
		client.FollowBrands = len(sectionNames) > 0
		d, err := client.Find(ctx, name)
		miss, missed := errors.AsType[*resolve.Miss](err)
		if stored, err := addStored(ctx, in, name, miss, sectionNames, found); err != nil {
			return nil, err
		} else if stored {
			continue
		}
		switch {
		case missed && miss.Kind == resolve.Unavailable:
			if sectionNames.IsOnly("pgx") {
				return nil, local.SuggestSync(ctx, in.App, miss.Err, bulk.CPIC)
			}
			return nil, miss.Err
		case missed:
			found.NotFound(name, entity.AliasFailure(miss, describe(miss)))
		case err != nil:
			return nil, err
		default:
			if d.Brand != "" {
				found.Notices = append(found.Notices, command.Clip(name)+" is a brand of the combination "+d.Name)
			}
			found.Add(name, newDrug(d, name))
		}
	}
	for _, d := range found.Records {
		d.genotypes = genotypes
	}
	if !sectionNames.Whole(len(sections())) {
		return found, nil
	}
	return found, complete(ctx, in, found, sectionNames)
}

// addStored adds the drug that CPIC's local table has for a name, if a section that answers from local tables was
// requested: that section does not depend on RxNorm. miss says that RxNorm lacks the name or did not answer; addStored
// adds nothing if it is nil or names another drug.
func addStored(ctx context.Context, in *command.Input, name string, miss *resolve.Miss, requested entity.Sections,
	found *entity.Found[Drug]) (added bool, err error) {
	if miss == nil || len(miss.Candidates) > 0 || !entity.AnyLocal(ctx, in.App, sections(), requested) {
		return false, nil
	}
	d, err := fromCPIC(ctx, in, name)
	if d == nil || err != nil {
		return false, err
	}
	found.Add(name, d)
	found.Problem = miss
	found.Notices = append(found.Notices, "RxNorm: "+miss.Error()+"; the record is from CPIC's local table")
	return true, nil
}

// newDrug returns the drug that was found for a name.
func newDrug(d *drug.Drug, name string) *Drug {
	out := &Drug{
		Name: d.Name, Brands: d.Brands, Synonyms: d.Synonyms, Routes: d.Routes, Status: "not in RxNorm", URL: d.URL,
		typedName: name, brand: d.Brand, ingredients: d.Ingredients, labelLock: make(chan struct{}, 1),
	}
	if d.RxCUI != "" {
		out.RxCUI, out.Status = new(d.RxCUI), "in RxNorm"
	}
	if d.MeSH != "" {
		out.MeSH = entity.Part[*string]{Requested: true, Value: new(d.MeSH)}
	}
	return out
}

// describe says what a name is that is not the name of a drug, for the end of a sentence.
func describe(m *resolve.Miss) string {
	what := "another name"
	switch m.NameType {
	case resolve.ResearchCode:
		return "a research code, not a name"
	case resolve.Brand:
		what = "a brand"
	case resolve.Salt:
		what = "a salt"
	}
	switch {
	case slices.Contains(m.Sources, drug.MeSHLabel):
		return what + ", not that of the substance"
	case m.Combination:
		return what + " of a combination"
	case m.Kind == resolve.Alias:
		return what + ", not a substance"
	}
	return what
}

// complete adds the values that only a whole card shows. If a source does not answer, only
// its values are missing.
func complete(ctx context.Context, in *command.Input, found *entity.Found[Drug], sectionNames entity.Sections) error {
	network := in.App.Network()
	for _, d := range found.Records {
		d.UNII.Requested = true
		parts := []struct {
			name string
			load func(context.Context, *httpclient.Client) error
			err  error
		}{{name: "classes", load: d.classes}, {name: "chemistry", load: d.chemistry}, {name: "UNII", load: d.unii}}
		if d.combined() {
			parts = parts[:1]
		}
		if err := httpclient.FetchAll(ctx, 0, len(parts), func(ctx context.Context, i int) {
			parts[i].err = parts[i].load(ctx, network)
		}); err != nil {
			return err
		}
		for _, p := range parts {
			if p.err == nil {
				continue
			}
			if found.Problem = p.err; !sectionNames.Has(p.name) { // the section adds its own notice
				found.Notices = append(found.Notices, p.name+" of "+d.Name+" is missing: "+p.err.Error())
			}
		}
	}
	return nil
}

// unii adds the UNII.
func (d *Drug) unii(ctx context.Context, network *httpclient.Client) error {
	codes, err := d.codes(ctx, network)
	if err == nil && codes[0] != "" {
		d.UNII.Value = &codes[0]
	}
	return err
}

// combined reports whether the drug is a combination. Combinations have neither a structure
// nor a UNII.
func (d *Drug) combined() bool { return len(d.ingredients) > 1 }

// text returns the name as prose has it: "sacubitril and valsartan".
func (d *Drug) text() string { return strings.ReplaceAll(d.Name, " / ", " and ") }

func (d *Drug) classes(ctx context.Context, network *httpclient.Client) (err error) {
	d.Classes.Requested, d.CombinationClasses.Requested, d.MeSH.Requested = true, true, true
	d.Classes.Value, d.CombinationClasses.Value, err = rxnav.New(network).Classes(ctx, d.Name)
	if err != nil {
		d.Classes.Value, d.CombinationClasses.Value, d.classesErr = nil, nil, err
		return err
	}
	for _, c := range d.Classes.Value { // MED-RT names the MeSH heading of a substance
		if c.Type == "CHEM" && c.Relation == "has_ingredient" && d.MeSH.Value == nil {
			d.MeSH.Value = new(c.ID)
		}
	}
	return nil
}

func (d *Drug) chemistry(ctx context.Context, network *httpclient.Client) (err error) {
	d.Chemistry.Requested, d.CID.Requested, d.Formula.Requested = true, true, true
	if d.Chemistry.Value, err = services.FindCompound(ctx, network, d.Name); d.Chemistry.Value != nil {
		d.CID.Value, d.Formula.Value = new(d.Chemistry.Value.CID), new(d.Chemistry.Value.Formula)
	}
	d.chemistryErr = err
	return err
}
