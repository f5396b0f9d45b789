// Package drug defines the drug entity. It resolves a name to a substance of RxNorm with
// its brands, salts, classes, chemistry, label and trials. A brand, a salt or a
// research code does not name a substance; the answer then names the substance.
package drug

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/pattern"
	"biomcp/entrez/pubchem"
	"biomcp/entrez/resolve"
	"biomcp/entrez/rxnav"
)

// drug is a substance. A value that was not found is null; one that was not requested is
// absent from the JSON.
type drug struct {
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

	Classes            entity.Part[[]rxnav.Class]     `json:"classes,omitzero"`
	CombinationClasses entity.Part[[]rxnav.Class]     `json:"combination_classes,omitzero"`
	Chemistry          entity.Part[*pubchem.Compound] `json:"chemistry,omitzero"`
	Label              entity.Part[*label]            `json:"label,omitzero"`
	Interactions       entity.Part[*interactions]     `json:"interactions,omitzero"`
	Reports            entity.Part[*int]              `json:"reports_total,omitzero"` // set by the adverse-events section
	entity.Parts

	typedName                string          // the name as typed
	brand                    string          // the name as typed if it is a brand of the combination, else ""
	ingredients              []rxnav.Concept // one substance, or the parts of a combination
	classesErr, chemistryErr error           // errors of the requests
	labelLock                chan struct{}   // mutex with one slot: held while looking for the label
	found                    *foundLabel
	labelErr                 error
}

// Web pages of a concept in RxNorm and in MeSH.
const (
	rxNavPage = "https://mor.nlm.nih.gov/RxNav/search?searchBy=RXCUI&searchTerm="
	meshPage  = "https://meshb.nlm.nih.gov/record/ui?ui="
)

// Entity returns the definition of the drug entity.
func Entity() entity.Entity {
	return entity.Define(entity.Spec[drug]{
		Name: "drug", Synonyms: []string{"medicine", "medication", "compound", "chemical", "brand", "trade-name"},
		Plural: "drugs", IDs: entity.IDs{Placeholder: "<name>...", Max: 5, Fuzzy: nearestName},
		Label: "Drugs", Sources: []string{"RxNorm (RxNav, National Library of Medicine)"},
		Identity: []string{"name", "rxcui", "unii", "mesh", "cid", "status", "url"},
		Search:   search(),
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
				{Line: "biomcp get drug pembrolizumab label trials", Explanation: "indications and warnings, and trials"},
			},
			Flags: func(f *command.Flags) {
				f.Limit(10, 50, "how many rows a section of another source shows")
				f.Offset()
			},
		},
		Fetch: fetch, Card: card, ID: nameOf, Sections: append(sections(), externalSections()...),
		Next: func(d *drug) []result.Argv {
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
) (*entity.Found[drug], error) {
	found := &entity.Found[drug]{}
	for _, name := range names {
		if err := query.CheckText("the name", name, 200, "", "get", "drug", "--help"); err != nil {
			return nil, err
		}
		d, alias, err := lookUp(ctx, in, name, len(sectionNames) > 0)
		switch {
		case err != nil:
			return nil, err
		case d == nil:
			found.NotFound(name, alias.Failure())
		default:
			if d.brand != "" {
				found.Notices = append(found.Notices, command.Clip(name)+" is a brand of the combination "+d.Name)
			}
			d.labelLock = make(chan struct{}, 1)
			found.Add(name, d)
		}
	}
	if !sectionNames.Whole(len(sections()) + len(externalSections())) {
		return found, nil
	}
	return found, complete(ctx, in, found, sectionNames)
}

// complete adds the values that only a whole card shows. If a source does not answer, only
// its values are missing.
func complete(ctx context.Context, in *command.Input, found *entity.Found[drug], sectionNames entity.Sections) error {
	network := in.App.Network()
	for _, d := range found.Records {
		var codes map[string]string
		var errs [3]error
		asks := []func(ctx context.Context) error{
			func(ctx context.Context) error { return d.classes(ctx, network) },
			func(ctx context.Context) (err error) {
				if !d.combined() {
					err = d.chemistry(ctx, network)
				}
				return err
			},
			func(ctx context.Context) (err error) {
				if d.RxCUI != nil && !d.combined() {
					codes, err = rxnav.New(network).Codes(ctx, *d.RxCUI)
				}
				return err
			},
		}
		if err := httpclient.FetchAll(ctx, 0, len(asks), func(ctx context.Context, i int) {
			errs[i] = asks[i](ctx)
		}); err != nil {
			return err
		}
		for i, what := range []string{"classes", "chemistry", "UNII"} {
			if errs[i] == nil {
				continue
			}
			if found.Problem = errs[i]; !sectionNames.Has(what) { // the section adds its own notice
				found.Notices = append(found.Notices, what+" of "+d.Name+" is missing: "+errs[i].Error())
			}
		}
		if d.UNII.Requested = true; codes["UNII_CODE"] != "" {
			d.UNII.Value = new(codes["UNII_CODE"])
		}
	}
	return nil
}

// combined reports whether the drug is a combination. Combinations have neither a structure
// nor a UNII.
func (d *drug) combined() bool { return len(d.ingredients) > 1 }

// text returns the name as prose has it: "sacubitril and valsartan".
func (d *drug) text() string { return strings.ReplaceAll(d.Name, " / ", " and ") }

func (d *drug) classes(ctx context.Context, network *httpclient.Client) (err error) {
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

func (d *drug) chemistry(ctx context.Context, network *httpclient.Client) (err error) {
	d.Chemistry.Requested, d.CID.Requested, d.Formula.Requested = true, true, true
	if d.Chemistry.Value, err = pubchem.Find(ctx, network, d.Name); d.Chemistry.Value != nil {
		d.CID.Value, d.Formula.Value = new(d.Chemistry.Value.CID), new(d.Chemistry.Value.Formula)
	}
	d.chemistryErr = err
	return err
}

// aliasKinds maps RxNorm concepts that are not drugs here to a description and a tier.
var aliasKinds = map[string][2]string{"BN": {"a brand", "brand"}, "PIN": {"a salt", "salt"}}

// lookUp returns the drug called name, or else an alias that says what name is; both are
// nil if not found. With through, it resolves a brand of a combination to the
// combination. It takes at most three requests, and one more for a combination whose parts
// are not in RxNorm's order.
func lookUp(ctx context.Context, in *command.Input, name string, resolveBrand bool) (*drug, *entity.Alias, error) {
	client := rxnav.New(in.App.Network())
	ids, err := client.Find(ctx, name)
	if written := combination(name); err == nil && len(ids) == 0 && written != "" {
		ids, err = client.Find(ctx, written)
	}
	if err != nil {
		return nil, nil, err
	}
	if len(ids) == 0 {
		return findInMeSH(ctx, in, name)
	}
	return concept(ctx, client, ids[0], name, resolveBrand)
}

// concept does the work of lookUp for an RxNorm concept of this name.
func concept(
	ctx context.Context, client *rxnav.Client, id, name string, resolveBrand bool,
) (*drug, *entity.Alias, error) {
	related, err := client.RelatedConcepts(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	d := &drug{
		Name: strings.ToLower(name), RxCUI: new(id),
		Status: "in RxNorm", URL: rxNavPage + id, typedName: name,
	}
	alias := &entity.Alias{
		Entity: "drug", Word: name, Description: "another name", Tier: "synonym", Sources: []string{"RxNorm"},
	}
	itself := false
	var brands, combinations []rxnav.Concept
	for _, c := range related {
		if k, is := aliasKinds[c.TTY]; is && (c.RxCUI == id || resolve.Fold(c.Name) == resolve.Fold(name)) {
			alias.Description, alias.Tier = k[0], k[1]
		}
		if c.RxCUI == id && (c.TTY == "IN" || c.TTY == "MIN") {
			itself, d.Name = true, c.Name
		}
		switch c.TTY {
		case "IN":
			d.ingredients = append(d.ingredients, c)
		case "MIN":
			combinations = append(combinations, c)
		case "BN":
			brands = append(brands, c)
		case "PIN":
			d.Synonyms = append(d.Synonyms, c.Name)
		}
	}
	d.Routes = routesOf(related, max(1, len(d.ingredients)))
	if itself || len(d.ingredients) == 0 {
		d.Brands = brandsOf(brands, related, max(1, len(d.ingredients)))
		if len(d.ingredients) == 0 {
			d.ingredients = []rxnav.Concept{{RxCUI: id, Name: d.Name}}
		}
		return d, nil, nil
	}
	matches := d.ingredients
	if len(matches) > 1 && len(combinations) > 0 {
		matches = combinations
	}
	for _, c := range matches {
		alias.Matches = append(alias.Matches, result.Candidate{Symbol: c.Name, Name: c.Name, ID: c.RxCUI})
	}
	switch {
	case len(d.ingredients) > 1 && len(combinations) == 1:
		if resolveBrand && alias.Tier == "brand" {
			if d, _, err = concept(ctx, client, combinations[0].RxCUI, combinations[0].Name, false); d != nil {
				d.typedName, d.brand = name, name
			}
			return d, nil, err
		}
		alias.Description += " of a combination"
	case len(matches) == 1:
		alias.Description += ", not a substance"
	}
	return nil, alias, nil
}

// separators matches the text between the ingredients of a combination.
var separators = pattern.Lazy(`(?i)\s*[/+]\s*|\s+(?:and|with)\s+`)

// combination returns a combination's name in RxNorm's form: the ingredients in alphabetical
// order, separated by " / ". It returns "" for a single ingredient.
func combination(name string) string {
	parts := separators().Split(strings.ToLower(strings.TrimSpace(name)), -1)
	if len(parts) < 2 || slices.Contains(parts, "") {
		return ""
	}
	slices.Sort(parts)
	return strings.Join(parts, " / ")
}

// brandsOf returns the brands of products with as many ingredients as the drug. RxNorm
// names a product by its ingredients, separated by " / ", and its brand at the end:
// "metformin / sitagliptin Oral Tablet [Janumet]". A brand without a product is kept.
func brandsOf(brands, related []rxnav.Concept, ingredients int) []string {
	same, other := map[string]bool{}, map[string]bool{}
	for _, c := range related {
		contents, brand, is := strings.Cut(strings.TrimSuffix(c.Name, "]"), " [")
		switch {
		case !is || strings.HasPrefix(contents, "{"): // no product, or a pack of several
		case strings.Count(contents, " / ")+1 == ingredients:
			same[brand] = true
		default:
			other[brand] = true
		}
	}
	out := []string{}
	for _, b := range brands {
		if same[b.Name] || !other[b.Name] {
			out = append(out, b.Name)
		}
	}
	return out
}

// routesOf returns the routes of the products with the given number of ingredients, such as "Oral" of
// "fictinib Oral Product". A route that only other products have is not the drug's.
func routesOf(related []rxnav.Concept, ingredients int) []string {
	same, other, out := map[string]bool{}, map[string]bool{}, []string{}
	group := func(name string) string { // "Oral Product" of "fictinib / other Oral Product"
		for _, c := range related {
			if c.TTY == "DFG" && strings.HasSuffix(name, " "+c.Name) {
				return c.Name
			}
		}
		return ""
	}
	for _, c := range related {
		if c.TTY == "SCDG" {
			if strings.Count(c.Name, " / ")+1 == ingredients {
				same[group(c.Name)] = true
			} else {
				other[group(c.Name)] = true
			}
		}
	}
	for _, c := range related {
		route, is := strings.CutSuffix(c.Name, " Product")
		if c.TTY == "DFG" && is && (same[c.Name] || !other[c.Name]) && !slices.Contains(out, route) {
			out = append(out, route)
		}
	}
	return out
}

// isSubstance reports whether a MeSH tree number belongs to a chemical that may be a drug.
// Among enzymes (D08.811) and proteins (D12.776), which are mostly targets of drugs, only
// antibodies may.
func isSubstance(n string) bool {
	enzymeOrProtein := strings.HasPrefix(n, "D08.811") || strings.HasPrefix(n, "D12.776")
	antibody := strings.HasPrefix(n, "D12.776.124.486.485.114") || strings.HasPrefix(n, "D12.776.377.715.548.114")
	return strings.HasPrefix(n, "D") && (!enzymeOrProtein || antibody)
}

// findInMeSH looks for name among the substances of MeSH, which has research codes and drugs that
// RxNorm lacks.
func findInMeSH(ctx context.Context, in *command.Input, name string) (*drug, *entity.Alias, error) {
	terms, err := in.App.Entrez().MeshTerms(ctx, `"`+strings.ReplaceAll(name, `"`, " ")+`"`, 0, 20)
	if err != nil {
		return nil, nil, err
	}
	for _, t := range terms.Items {
		switch {
		case !strings.HasPrefix(t.UI, "C") && !slices.ContainsFunc(t.TreeNumbers, isSubstance):
		case resolve.Fold(t.Name) == resolve.Fold(name):
			return &drug{
				Name: t.Name, ingredients: []rxnav.Concept{{Name: t.Name}},
				MeSH: entity.Part[*string]{Requested: true, Value: new(t.UI)}, Synonyms: t.EntryTerms,
				Status: "not in RxNorm", URL: meshPage + t.UI,
			}, nil, nil
		case resolve.ContainsFolded(t.EntryTerms, name):
			alias := &entity.Alias{
				Entity: "drug", Word: name, Description: "another name, not that of the substance", Tier: "synonym",
				Sources: []string{"MeSH"},
			}
			if strings.ContainsAny(name, "0123456789") {
				alias.Description, alias.Tier = "a research code, not a name", "research_code"
			}
			alias.Matches = []result.Candidate{{Symbol: strings.ToLower(t.Name), Name: t.Name, ID: t.UI}}
			return nil, alias, nil
		}
	}
	return nil, nil, terms.Unread
}
