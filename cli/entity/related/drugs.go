package related

import (
	"context"
	"fmt"
	"net/url"

	"biomcp/cli/entity"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubtator"
)

// Drug is a chemical that PubTator3 read, by text mining, to have to do with a record.
type Drug struct {
	Name     string `json:"name"`
	Relation string `json:"relation"`
	Articles int    `json:"articles"` // in which it was read
	Concept  string `json:"pubtator"` // @CHEMICAL_Vemurafenib
	URL      string `json:"url"`
}

// page is where the articles of a relation are.
const page = "https://www.ncbi.nlm.nih.gov/research/pubtator3/docsum?text="

// Drugs is the section of the chemicals that have a relation to a record: one request,
// and what concept makes. Means says what they are said to do: "to lessen". Concept is
// the record's in PubTator3, "" if it has none.
func Drugs[R any](id func(*R) string, relation, means string, concept func(context.Context, *polite.Client, *R) (string, error)) entity.Section[R] {
	return entity.Linked[R, Drug]{
		Name: "drugs", Also: []string{"treatment", "therapy", "therapies", "medications"}, Label: "Drugs", Short: "chemicals that articles say " + means + " it (text-mined)", Source: "PubTator3", Counted: true,
		Columns: []string{"Chemical", "Relation", ">Articles"}, Row: func(d *Drug) []string { return []string{d.Name, d.Relation, fmt.Sprint(d.Articles)} },
		Find: entity.Asking(func(ctx context.Context, ask *entity.Ask, r *R) (*entity.Answer[Drug], error) {
			known, err := concept(ctx, ask.Network, r)
			if err != nil {
				return nil, err
			}
			if known == "" {
				return nil, entity.Inapplicable("PubTator3 has no concept for " + id(r))
			}
			relations, err := pubtator.Relations(ctx, ask.Network, known, relation, "Chemical")
			if err != nil {
				return nil, err
			}
			var all []Drug
			for _, d := range relations {
				all = append(all, Drug{d.Name(), d.Relation, d.Articles, d.Accession, page + url.QueryEscape("relations:"+relation+"|"+d.Accession+"|"+known)})
			}
			out := entity.First(ask, all)
			if len(all) > 0 {
				out.Notices = []string{"drugs of " + id(r) + " are text-mined: chemicals that, as PubTator3 reads articles, are said " + means + " it; they may be no drugs, and may be wrong"}
			}
			return out, nil
		}),
	}.Section()
}
