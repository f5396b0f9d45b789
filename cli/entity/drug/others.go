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

// elsewhere is what sources that are about no drug in particular say of one.
type elsewhere struct {
	Trials        entity.Part[[]related.Trial]  `json:"trials,omitzero"`
	TrialsTotal   entity.Part[*int]             `json:"trials_total,omitzero"`
	Articles      entity.Part[[]eutils.Article] `json:"articles,omitzero"`
	ArticlesTotal entity.Part[*int]             `json:"articles_total,omitzero"`
	PGx           entity.Part[[]cpic.Pair]      `json:"pgx,omitzero"`
	PGxTotal      entity.Part[*int]             `json:"pgx_total,omitzero"`
}

func nameOf(d *drug) string { return d.Name }

func others() []entity.Section[drug] {
	return []entity.Section[drug]{
		related.Trials(entity.Linked[drug, related.Trial]{
			ID: nameOf, Rows: func(d *drug) *entity.Part[[]related.Trial] { return &d.Trials }, Total: func(d *drug) *entity.Part[*int] { return &d.TrialsTotal },
		}, func(d *drug) (ctgov.Query, string) { return ctgov.Query{Intervention: ctgov.Words(d.Name)}, "" }),
		entity.Linked[drug, eutils.Article]{
			Name: "articles", Label: "Articles", Short: "articles on it, the newest first", Source: "PubMed", ID: nameOf,
			Rows: func(d *drug) *entity.Part[[]eutils.Article] { return &d.Articles }, Total: func(d *drug) *entity.Part[*int] { return &d.ArticlesTotal },
			Find: findArticles, Columns: eutils.ArticleColumns, Row: (*eutils.Article).Row,
		}.Section(),
		related.PGx(entity.Linked[drug, cpic.Pair]{
			ID: nameOf, Rows: func(d *drug) *entity.Part[[]cpic.Pair] { return &d.PGx }, Total: func(d *drug) *entity.Part[*int] { return &d.PGxTotal },
		}, cpic.OfDrug, nameOf),
	}
}

// findArticles searches PubMed, which maps the name to MeSH and substances, and
// describes what it finds: two requests.
func findArticles(ctx context.Context, in *command.Input, d *drug) (*entity.Answer[eutils.Article], error) {
	limit, _, err := in.Limit()
	if err != nil {
		return nil, err
	}
	client, err := in.App.Entrez()
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
