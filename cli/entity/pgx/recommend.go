package pgx

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/rxnav"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// Advice holds CPIC's recommendations on a drug for genotypes, with the label's own words.
type Advice struct {
	Outcome         string                    `json:"outcome"`
	Genotypes       []Genotype                `json:"genotypes"`
	Recommendations []sets.CPICRecommendation `json:"recommendations"` // one per population and key
	MissingGenes    []string                  `json:"missing_genes"`   // genes that CPIC's rows need besides those given
	UnusedGenes     []string                  `json:"unused_genes"`    // genes given that no row needs
	Guidelines      []Guideline               `json:"guidelines"`
	Label           *Label                    `json:"label"` // null if it has no such section or did not arrive
	Source          string                    `json:"source"`
	version

	drug string // name of the drug, which rows on an ingredient do not have
}

// Values of Advice.Outcome.
const (
	found         = "found"
	noRow         = "no_row_for_genotype"
	noRowsForDrug = "no_row_for_drug" // though a guideline lists the drug
	noGuideline   = "no_guideline"
)

// Guideline is a guideline that lists the drug, with the number of its recommendations on it.
type Guideline struct {
	Name string `json:"name"`
	URL  string `json:"url"`
	Rows int    `json:"rows"`
}

// Label is the section on pharmacogenomics of a label of the United States.
type Label struct {
	SetID     string `json:"setid"`
	Maker     string `json:"maker"`
	Effective string `json:"effective"` // YYYY-MM-DD
	Text      string `json:"text"`
	URL       string `json:"url"`
}

// Recommend returns CPIC's recommendations on a drug and its ingredients from the local table. A recommendation applies
// if each gene of its key has the given result, or was not given and is "No Result". notices explains what is missing.
func Recommend(
	ctx context.Context, in *command.Input, drugs []rxnav.Concept, genotypes []Genotype,
) (a *Advice, notices []string, err error) {
	names, err := drugNames(ctx, in.App, drugs)
	if err != nil {
		return nil, nil, err
	}
	query := table.Query{Kinds: []string{sets.CPICAdviceKind}, Conditions: anyName(sets.DrugName, names), Limit: maxRows}
	rows, err := local.Find(ctx, in.App, bulk.CPIC, query)
	if err != nil {
		return nil, nil, err
	}
	all, err := readAll[sets.CPICRecommendation](rows.Records)
	if err != nil {
		return nil, nil, err
	}
	query.Kinds = []string{sets.CPICGuidelineKind}
	guidelines, err := findAll[sets.CPICGuideline](ctx, in.App, query)
	if err != nil {
		return nil, nil, err
	}
	a = &Advice{Genotypes: genotypes, Source: "CPIC", Recommendations: []sets.CPICRecommendation{},
		MissingGenes: []string{}, UnusedGenes: []string{}, Guidelines: guidelinesOf(guidelines, all), drug: drugs[0].Name}
	if a.version, err = versionOf(ctx, in, rows.Info); err != nil {
		return nil, nil, err
	}
	a.choose(all)
	described := names[0]
	if len(names) > 1 {
		described += " (or " + strings.Join(names[1:], ", ") + ")"
	}
	return a, a.explain(described), nil
}

// Example returns a genotype for which CPIC has a recommendation on a drug, as --genotype takes it. It returns "" if
// the local table has none or is absent.
func Example(ctx context.Context, app *command.App, drugs []rxnav.Concept) (string, error) {
	names, err := drugNames(ctx, app, drugs)
	if err != nil {
		return "", err
	}
	all, err := ifPresent(findAll[sets.CPICRecommendation](ctx, app,
		table.Query{Kinds: []string{sets.CPICAdviceKind}, Conditions: anyName(sets.DrugName, names)}))
	for _, r := range all {
		var key []string
		for _, gene := range slices.Sorted(maps.Keys(r.Key)) {
			if r.Key[gene] != sets.CPICNoResult {
				key = append(key, gene+" "+r.Key[gene])
			}
		}
		if len(key) > 0 {
			return strings.Join(key, "; "), nil
		}
	}
	return "", err
}

// guidelinesOf returns the guidelines that list a drug, or have rows on it.
func guidelinesOf(listing []sets.CPICGuideline, rows []sets.CPICRecommendation) []Guideline {
	out := []Guideline{}
	for _, g := range listing {
		out = append(out, Guideline{g.Name, g.URL, 0})
	}
	for _, r := range rows {
		i := slices.IndexFunc(out, func(g Guideline) bool { return g.Name == r.Guideline })
		if i < 0 {
			i, out = len(out), append(out, Guideline{r.Guideline, r.GuidelineURL, 0})
		}
		out[i].Rows++
	}
	return out
}

// choose sets the recommendations for the genotypes, and the genes that are missing or unused.
func (a *Advice) choose(all []sets.CPICRecommendation) {
	given := map[string]*Genotype{}
	unused := map[string]bool{}
	for i := range a.Genotypes {
		given[a.Genotypes[i].Gene], unused[a.Genotypes[i].Gene] = &a.Genotypes[i], true
	}
	missing, needed := map[string]bool{}, map[string]bool{}
	for _, r := range all {
		applies, known := true, false
		for gene, lookup := range r.Key {
			g := given[gene]
			known = known || g != nil
			delete(unused, gene)
			needed[gene] = true
			applies = applies && (g != nil && g.has(lookup) || g == nil && lookup == sets.CPICNoResult)
		}
		if !known {
			continue
		}
		if applies {
			a.Recommendations = append(a.Recommendations, r)
		}
		for gene := range r.Key {
			if given[gene] == nil {
				missing[gene] = true
			}
		}
	}
	if len(unused) == len(given) {
		missing = needed
	}
	a.MissingGenes = append(a.MissingGenes, slices.Sorted(maps.Keys(missing))...)
	a.UnusedGenes = append(a.UnusedGenes, slices.Sorted(maps.Keys(unused))...)
	switch {
	case len(a.Recommendations) > 0:
		a.Outcome = found
	case len(all) > 0:
		a.Outcome = noRow
	case len(a.Guidelines) > 0:
		a.Outcome = noRowsForDrug
	default:
		a.Outcome = noGuideline
	}
}

// explain returns notices about recommendations that are absent, incomplete or ambiguous.
func (a *Advice) explain(drug string) (notices []string) {
	of := ""
	for i, g := range a.Guidelines {
		of += map[bool]string{true: "", false: "; "}[i == 0] + fmt.Sprintf("%q, %s", g.Name, g.URL)
	}
	switch a.Outcome {
	case noRow:
		notices = append(notices,
			fmt.Sprintf("CPIC has rows on %s and no row for this genotype; guideline: %s", drug, of))
	case noRowsForDrug:
		notices = append(notices,
			fmt.Sprintf("CPIC has no row on %s for any genotype, although a guideline lists it: %s", drug, of))
	case noGuideline:
		notices = append(notices, fmt.Sprintf("no guideline in CPIC's table lists %s", drug))
	}
	if len(a.MissingGenes) > 0 {
		text := fmt.Sprintf("CPIC's rows on %s also need %s: add it to --genotype", drug,
			strings.Join(a.MissingGenes, " and "))
		if a.Outcome == found {
			text += "; a row shown is for a gene that was not tested (" + sets.CPICNoResult + ")"
		}
		notices = append(notices, text)
	}
	if len(a.UnusedGenes) > 0 && a.Outcome != noRowsForDrug && a.Outcome != noGuideline {
		notices = append(notices, fmt.Sprintf("CPIC has no row on %s by %s", drug, strings.Join(a.UnusedGenes, " or ")))
	}
	for _, g := range a.Genotypes {
		if len(g.Results) > 1 {
			notices = append(notices, fmt.Sprintf("%s has %d results with this phenotype, whose rows may differ: %s; "+
				"give the diplotype or the activity score", g.Gene, len(g.Results), g.describe()))
		}
	}
	if enzymes := a.enzymes(); len(enzymes) > 0 {
		notices = append(notices, fmt.Sprintf("the phenotype of %s follows from the diplotype alone: drugs that inhibit or "+
			"induce the enzyme can change it (phenoconversion); --genotype accepts the changed phenotype instead",
			strings.Join(enzymes, " and ")))
	}
	return append(notices, a.notices...)
}

// enzymes returns the genes of drug-metabolizing enzymes whose recommendations depend on a diplotype.
func (a *Advice) enzymes() (genes []string) {
	for _, g := range a.Genotypes {
		if a.Outcome == found && g.Diplotype != nil && strings.HasPrefix(g.Gene, "CYP") &&
			!slices.Contains(a.UnusedGenes, g.Gene) {
			genes = append(genes, g.Gene)
		}
	}
	return genes
}

// Doc formats the advice.
func (a *Advice) Doc() (doc result.Doc) {
	var genes result.Fields
	for _, g := range a.Genotypes {
		name := g.Gene
		if g.Diplotype != nil {
			name += " " + *g.Diplotype
		}
		genes = append(genes, result.Field{Name: name, Value: g.describe()})
	}
	doc = append(doc, genes)
	for i := range a.Recommendations {
		doc = append(doc, a.recommendationDoc(&a.Recommendations[i])...)
	}
	doc = append(doc, result.Para{Text: "Cite CPIC and the guideline; " + a.version.String() + "."})
	if l := a.Label; l != nil {
		doc = append(doc, result.Heading{Level: 3, Text: "Label: pharmacogenomics"},
			result.Para{Text: "From the label by " + l.Maker + " of " + l.Effective + ", " + l.URL},
			result.Passage{Block: result.Para{Text: l.Text}})
	}
	return append(doc, result.Heading{Level: 3, Text: "Pairs"})
}

func (a *Advice) recommendationDoc(r *sets.CPICRecommendation) result.Doc {
	genes := slices.Sorted(maps.Keys(r.Key))
	var key []string
	for _, gene := range genes {
		text := gene + " " + r.Key[gene]
		if p := r.Phenotypes[gene]; p != "" && p != r.Key[gene] {
			text += " (" + p + ")"
		}
		key = append(key, text)
	}
	var fields result.Fields
	if !table.EqualText(r.Drug, a.drug) {
		fields = append(fields, result.Field{Name: "Drug", Value: r.Drug})
	}
	fields = append(fields, result.Fields{
		{Name: "Recommendation", Value: r.Text}, {Name: "Strength", Value: r.Classification},
		{Name: "For", Value: strings.Join(key, "; ")},
	}...)
	for _, gene := range genes {
		if text := r.Implications[gene]; text != "" {
			fields = append(fields, result.Field{Name: "Implication, " + gene, Value: text})
		}
	}
	fields = append(fields, result.Fields{
		{Name: "Comments", Value: r.Comments}, {Name: "Guideline", Value: r.Guideline},
		{Name: "Link", Value: r.GuidelineURL},
	}...)
	return result.Doc{result.Heading{Level: 3, Text: "Population: " + r.Population}, fields}
}
