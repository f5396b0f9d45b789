package eutils

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// Marks warn the reader of an article. They are null if NCBI did not describe it.
type Marks struct {
	Retracted *bool `json:"retracted"`
	Preprint  *bool `json:"preprint"`
}

// MarksOf are the marks of an article that NCBI described.
func MarksOf(s entrez.Summary) Marks { return Marks{&s.Retracted, &s.Preprint} }

// Listed is the title of the article in a list, marked.
func (m Marks) Listed(title string) string {
	return record.Listed(m.Retracted != nil && *m.Retracted, m.Preprint != nil && *m.Preprint, title)
}

// Article is an article that a record of another database is about. From are the
// sources that say so, where there are several.
type Article struct {
	PMID    string   `json:"pmid"`
	Title   string   `json:"title"`
	Authors []string `json:"authors"`
	Source  string   `json:"source"`
	PubDate string   `json:"pub_date"`
	Marks
	From []string `json:"from"`
	URL  string   `json:"url"`
}

// articleColumns and row lay articles out as a table.
var articleColumns = []string{"PMID", "Title", "Authors", "Journal", "Date", "From"}

func (a *Article) row() []string {
	return []string{a.PMID, a.Listed(a.Title), entity.EtAl(a.Authors, 3), a.Source, a.PubDate, entity.EtAl(a.From, 3)}
}

// Linked are the articles that one record is linked to, by the name of the link
// (gene_pubmed), the first of them described: two requests.
func Linked(ctx context.Context, ask *entity.Ask, id, link, from string) (*entity.Answer[Article], error) {
	links, err := entrez.New(ask.Network).Links(ctx, id, link)
	if err != nil {
		return nil, err
	}
	return Described(ctx, ask, Named(from, links.PMIDs())), nil
}

// Named are the articles of which a source says that they are about a record.
func Named(from string, pmids []string) []Article {
	return result.Map(pmids, func(pmid string) Article { return Article{PMID: pmid, From: []string{from}} })
}

// Described are the first of some articles with what ESummary says of them, one request,
// and how many there are. Where it does not answer they are PMIDs alone.
func Described(ctx context.Context, ask *entity.Ask, all []Article) *entity.Answer[Article] {
	answer := entity.First(ask, all)
	articles := answer.Rows
	var ids []string
	for i := range articles {
		articles[i].URL = "https://pubmed.ncbi.nlm.nih.gov/" + articles[i].PMID + "/"
		ids = append(ids, articles[i].PMID)
	}
	if len(ids) == 0 {
		return answer
	}
	sums, err := entrez.New(ask.Network).Summaries(ctx, ids)
	if err != nil {
		answer.Degraded = true
		answer.Notices = append(answer.Notices, "the titles of articles are missing: "+err.Error())
		return answer
	}
	if len(sums.Missing) > 0 {
		answer.Notices = append(answer.Notices, "NCBI gave no description of "+entity.Some(sums.Missing))
	}
	byID := map[string]entrez.Summary{}
	for _, s := range sums.Items {
		byID[s.UID] = s
	}
	for i := range articles {
		s := byID[articles[i].PMID]
		if s.UID == "" {
			continue
		}
		a := &articles[i]
		a.Title, a.Authors, a.Source, a.PubDate, a.Marks = s.Title, s.Authors, s.Source, s.PubDate, MarksOf(s)
	}
	return answer
}

// Articles is the section of the articles on a record. Members are further ones of its
// JSON that find fills.
func Articles[R any](short, source string, find func(context.Context, *entity.Ask, *R) (*entity.Answer[Article], error), members ...string) entity.Section[R] {
	return entity.Linked[R, Article]{
		Name: "articles", Also: []string{"papers", "literature", "publications", "pubmed"}, Label: "Articles", Short: short, Source: source, Counted: true, Members: members,
		Find: entity.Asking(find), Columns: articleColumns, Row: (*Article).row,
	}.Section()
}

// PubTypes are publication types that people search for, each with other words for it.
var PubTypes = command.Also{
	"Randomized Controlled Trial": "rct randomized randomised", "Systematic Review": "systematic-review", "Guideline": "guideline", "Case Reports": "case-report",
	"Review": "", "Meta-Analysis": "metaanalysis", "Clinical Trial": "", "Observational Study": "observational", "Practice Guideline": "", "Preprint": "",
	"Retracted Publication": "retracted retracted-only only-retracted retraction retractions", "Expression of Concern": "concern",
}
