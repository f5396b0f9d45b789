package eutils

import (
	"context"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// Marks holds warnings about an article. They are null if NCBI did not describe the article.
type Marks struct {
	Retracted *bool `json:"retracted"`
	Preprint  *bool `json:"preprint"`
}

// MarksFrom returns the marks in the description of an article.
func MarksFrom(s entrez.Summary) Marks { return Marks{&s.Retracted, &s.Preprint} }

// MarkTitle returns title with the marks, for a list.
func (m Marks) MarkTitle(title string) string {
	return record.ListLabel(m.Retracted != nil && *m.Retracted, m.Preprint != nil && *m.Preprint, title)
}

// An Article is an article about a record of another database. From lists the sources that link the
// two, if there are several.
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

// articleColumns are the columns of a table of articles.
var articleColumns = []string{"PMID", "Title", "Authors", "Journal", "Date", "From"}

// row returns the article as a row of articleColumns.
func (a *Article) row() []string {
	return []string{a.PMID, a.MarkTitle(a.Title), entity.EtAl(a.Authors, 3), a.Source, a.PubDate, entity.EtAl(a.From, 3)}
}

// LinkedArticles returns the articles that one record is linked to by a link of that name, such as
// gene_pubmed. It describes those on the page, so it sends two requests.
func LinkedArticles(ctx context.Context, ask *entity.LinkRequest, id, link, from string) (*entity.Answer[Article], error) {
	links, err := entrez.New(ask.Network).Links(ctx, id, link)
	if err != nil {
		return nil, err
	}
	return DescribePage(ctx, ask, ArticlesFrom(from, links.PMIDs())), nil
}

// ArticlesFrom returns articles that have only a PMID and the source from.
func ArticlesFrom(from string, pmids []string) []Article {
	return result.Map(pmids, func(pmid string) Article { return Article{PMID: pmid, From: []string{from}} })
}

// DescribePage returns the requested page of articles with descriptions from ESummary, in one request,
// and their total. If ESummary does not answer, they have only their PMIDs.
func DescribePage(ctx context.Context, ask *entity.LinkRequest, all []Article) *entity.Answer[Article] {
	answer := entity.FromList(ask, all)
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
	}
	if sums == nil {
		return answer
	}
	if len(sums.Missing) > 0 {
		answer.Notices = append(answer.Notices, "NCBI gave no description of "+command.Abbreviate(sums.Missing))
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
		a.Title, a.Authors, a.Source, a.PubDate, a.Marks = s.Title, s.Authors, s.Source, s.PubDate, MarksFrom(s)
	}
	return answer
}

// Articles returns the section of the articles about a record. members are additional members of
// its JSON that find fills.
func Articles[R any](short, source string,
	find func(context.Context, *entity.LinkRequest, *R) (*entity.Answer[Article], error), members ...string) entity.Section[R] {
	return entity.RelatedSection[R, Article]{
		Name: "articles", Synonyms: []string{"papers", "literature", "publications", "pubmed"}, Label: "Articles",
		Short: short, Source: source, Counted: true, Members: members,
		Find: entity.FromService(find), Columns: articleColumns, Row: (*Article).row,
	}.Section()
}

// PubTypes maps the publication types that users search for to synonyms, separated by spaces.
var PubTypes = command.Synonyms{
	"Randomized Controlled Trial": "rct randomized randomised", "Systematic Review": "systematic-review",
	"Guideline": "guideline", "Case Reports": "case-report",
	"Review": "", "Meta-Analysis": "metaanalysis", "Clinical Trial": "", "Observational Study": "observational",
	"Practice Guideline": "", "Preprint": "",
	"Retracted Publication": "retracted retracted-only only-retracted retraction retractions",
	"Expression of Concern": "concern",
}
