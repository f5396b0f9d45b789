package related

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"biomcp/cli/entity"
	"biomcp/entrez"
	"biomcp/entrez/clinvar"
)

// Variant is a variant of ClinVar with its three classifications, null if it has none.
type Variant struct {
	VCV            string   `json:"vcv"`
	Title          string   `json:"title"`
	RSID           string   `json:"rsid"`
	Consequences   []string `json:"consequences"`
	Germline       string   `json:"germline"` // null: no classification
	Oncogenicity   string   `json:"oncogenicity"`
	ClinicalImpact string   `json:"clinical_impact"`
	Stars          int      `json:"stars"`
	URL            string   `json:"url"`
}

// described is how many variants are described, and so counted by class and put in the
// order of their stars: ClinVar does not sort by these.
const described = 100

// Variants is the section of the variants that ClinVar has for a term, the best reviewed
// of the first first: two requests.
func Variants[R any](id, term func(*R) string) entity.Section[R] {
	return entity.Linked[R, Variant]{
		Name: "variants", Also: []string{"mutations", "snps", "clinvar"}, Label: "Variants", Short: "variants in ClinVar, the best reviewed of the first 100", Source: "ClinVar", Counted: true,
		Columns: []string{"VCV", "Variant", "Germline", "Oncogenicity", "Clinical impact", ">Stars"},
		Row: func(v *Variant) []string {
			return []string{v.VCV, v.Title, v.Germline, v.Oncogenicity, v.ClinicalImpact, fmt.Sprint(v.Stars)}
		},
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[Variant], error) {
			return findVariants(ctx, ask, id(r), term(r))
		}),
	}.Section()
}

func findVariants(ctx context.Context, ask *entity.Ask, id, term string) (*entity.Answer[Variant], error) {
	found, docs, err := entrez.New(ask.Network).FindDocs(ctx, entrez.SearchParams{DB: "clinvar", Term: term, RetMax: described})
	if err != nil {
		return nil, err
	}
	if len(found.Dropped()) > 0 { // ClinVar does not know the words, and may have searched without them
		return &entity.Answer[Variant]{Total: new(0)}, nil
	}
	answer := &entity.Answer[Variant]{Total: &found.Count}
	classes := map[string]int{}
	var order []string
	for _, d := range docs.Items {
		v := clinvar.Read(d)
		class := cmp.Or(v.Germline.Word(), "no germline classification")
		if classes[class]++; classes[class] == 1 {
			order = append(order, class)
		}
		answer.Rows = append(answer.Rows, Variant{
			VCV: v.Accession, Title: v.Title, RSID: v.RSID, Consequences: v.Consequences, Germline: v.Germline.Word(),
			Oncogenicity: v.Oncogenicity.Word(), ClinicalImpact: v.ClinicalImpact.Word(), Stars: v.Stars(),
			URL: clinvar.Page(v.ID),
		})
	}
	slices.SortStableFunc(answer.Rows, func(a, b Variant) int { return cmp.Compare(b.Stars, a.Stars) })
	if len(order) > 0 {
		text := fmt.Sprintf("variants of %s by germline classification", id)
		if n := len(docs.Items); found.Count > n {
			text = fmt.Sprintf("of %d variants of %s the first %d in ClinVar's order were looked at, and the best reviewed of these are shown; by germline classification", found.Count, id, n)
		}
		slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(classes[b], classes[a]) })
		for i, c := range order {
			text += fmt.Sprintf("%s %s %d", map[bool]string{true: ":", false: ","}[i == 0], c, classes[c])
		}
		answer.Notices = append(answer.Notices, text)
	}
	from, to := ask.Window(len(answer.Rows))
	answer.Rows = answer.Rows[from:to]
	return answer, nil
}
