package drug

import (
	"context"
	"strings"

	"biomcp/cli/command"
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
			return ctgov.Query{Intervention: ctgov.Words(d.Name)}, ""
		}),
		eutils.Articles("articles on it, the newest first", "PubMed", findArticles),
		related.PGx(nameOf, cpic.OfDrug),
	}
}

// findArticles searches PubMed, which maps the name to MeSH and substances, and
// describes what it finds: two requests.
func findArticles(ctx context.Context, in *command.Input, d *drug) (*entity.Answer[eutils.Article], error) {
	client, limit, err := eutils.Ask(in)
	if err != nil {
		return nil, err
	}
	found, err := client.Search(ctx, entrez.SearchParams{DB: "pubmed", Term: strings.NewReplacer("[", " ", "]", " ", `"`, " ").Replace(d.Name), RetMax: limit})
	if err != nil {
		return nil, err
	}
	if len(found.PhrasesNotFound)+len(found.QuotedPhrasesNotFound) > 0 {
		return &entity.Answer[eutils.Article]{Total: new(0)}, nil
	}
	var articles []eutils.Article
	for _, id := range found.IDs {
		articles = append(articles, eutils.Article{PMID: id, From: []string{"PubMed"}})
	}
	answer := eutils.Described(ctx, client, articles)
	answer.Total = &found.Count
	return answer, nil
}
