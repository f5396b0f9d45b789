package drug

import (
	"context"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/pgx"
	"biomcp/cli/result"
	"biomcp/entrez/cpic"
	"biomcp/entrez/drug"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/rxnav"
)

// pharmacogenomicsCode is the LOINC code of the label section on pharmacogenomics.
const pharmacogenomicsCode = "66106-6"

// pharmacogenetics returns the section of CPIC's pairs and, for --genotype, its recommendations with the section of
// the label. Only the label is asked for live if the local table exists.
func pharmacogenetics() entity.Section[Drug] {
	pairs := pgx.DrugSection((*Drug).concepts)
	find := pairs.Find
	pairs.Members = []string{"pgx_genotype"}
	pairs.Find = func(ctx context.Context, in *command.Input, d *Drug) (*entity.Answer[cpic.Pair], error) {
		a, err := find(ctx, in, d)
		if err != nil {
			return nil, err
		}
		if len(d.genotypes) == 0 {
			d.exampleGenotype, err = pgx.Example(ctx, in.App, d.concepts())
			return a, err
		}
		advice, notices, err := pgx.Recommend(ctx, in, d.concepts(), d.genotypes)
		if err != nil {
			return nil, err
		}
		reason := ""
		if advice.Label, reason = d.pharmacogenomics(ctx, in.App.Network()); reason != "" {
			notices = append(notices, reason)
		}
		d.Genotype.Requested, d.Genotype.Value = true, advice
		a.Notices = append(a.Notices, notices...)
		return a, nil
	}
	sec := pairs.Section()
	sec.Flag, sec.Example = pgx.Flag, func(d *Drug) string { return d.exampleGenotype }
	has, doc := sec.Has, sec.Doc
	sec.Has = func(d *Drug) bool { return has(d) || d.Genotype.Value != nil }
	sec.Doc = func(d *Drug) result.Doc {
		if d.Genotype.Value == nil {
			return doc(d)
		}
		return append(d.Genotype.Value.Doc(), doc(d)...)
	}
	return sec
}

// concepts returns the drug and, for a combination, its ingredients.
func (d *Drug) concepts() []rxnav.Concept {
	all := []rxnav.Concept{{RxCUI: entity.Deref(d.RxCUI), Name: d.Name}}
	if d.combined() {
		all = append(all, d.ingredients...)
	}
	return all
}

// pharmacogenomics returns the section of the label on pharmacogenomics, or why there is none.
func (d *Drug) pharmacogenomics(ctx context.Context, network *httpclient.Client) (l *pgx.Label, reason string) {
	var found foundLabel
	var err error
	stopped := httpclient.FetchOptional(ctx, func(ctx context.Context) {
		whole := d
		if d.isFromCPIC { // its brands lead to the best label
			var of *drug.Drug
			if of, err = drug.New(network).Find(ctx, d.Name); err != nil {
				return
			}
			whole = newDrug(of, d.Name)
		}
		found, err = whole.sharedLabel(ctx, network)
	})
	if stopped != nil {
		err = stopped
	}
	if err == nil {
		err = found.missing()
	}
	if err != nil {
		return nil, "the label of " + d.Name + " is missing: " + err.Error()
	}
	text, ok := found.textOf(pharmacogenomicsCode)
	of := found.source()
	if !ok {
		return nil, "the label of " + d.Name + of.origin() + " has no section of pharmacogenomics"
	}
	return &pgx.Label{SetID: of.SetID, Maker: of.Maker, Effective: of.Effective, Text: text, URL: of.URL}, ""
}

// fromCPIC returns the drug of a name in the local table of CPIC, without a request. It returns nil if the table
// has no RxCUI of such a drug.
func fromCPIC(ctx context.Context, in *command.Input, name string) (*Drug, error) {
	d, err := pgx.Drug(ctx, in.App, name)
	if err != nil || d == nil || d.RxCUI == "" || strings.Contains(d.Name, "/") { // a combination has several
		return nil, err
	}
	out := newDrug(&drug.Drug{Name: d.Name, RxCUI: d.RxCUI, Brands: []string{}, Synonyms: []string{}, Routes: []string{},
		Ingredients: []rxnav.Concept{{RxCUI: d.RxCUI, Name: d.Name}}, URL: drug.RxNormPage + d.RxCUI}, name)
	out.isFromCPIC = true
	return out, nil
}
