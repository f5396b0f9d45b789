package drug

import (
	"context"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/related"
	"biomcp/entrez"
	"biomcp/entrez/cpic"
	"biomcp/entrez/ctgov"
)

func nameOf(d *drug) string { return d.Name }

// others are the sections of sources that are about no drug in particular.
func others() []entity.Section[drug] {
	return []entity.Section[drug]{
		regulatory(),
		events(),
		related.Trials(func(d *drug) (ctgov.Query, string) {
			return ctgov.Query{Intervention: ctgov.Words(d.text())}, ""
		}),
		eutils.Articles("articles on it, the newest first", "PubMed", findArticles),
		related.PGx(nameOf, cpic.OfDrug),
	}
}

// findArticles searches PubMed, which maps the name to MeSH and substances, and
// describes what it finds: two requests.
func findArticles(ctx context.Context, ask *entity.Ask, d *drug) (*entity.Answer[eutils.Article], error) {
	found, err := entrez.New(ask.Network).Search(ctx, entrez.SearchParams{DB: "pubmed", Term: strings.NewReplacer("[", " ", "]", " ", `"`, " ").Replace(d.text()), RetMax: ask.Through()})
	if err != nil {
		return nil, err
	}
	if len(found.PhrasesNotFound)+len(found.QuotedPhrasesNotFound) > 0 {
		return &entity.Answer[eutils.Article]{Total: new(0)}, nil
	}
	answer := eutils.Described(ctx, ask, eutils.Named("PubMed", found.IDs))
	answer.Total = &found.Count
	return answer, nil
}
