package article

import (
	"context"
	"fmt"
	"strings"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/record"
)

// articleHits is the answer of `search article`.
type articleHits struct {
	Query          string       `json:"query"`
	EffectiveTerm  string       `json:"effective_term"`
	AppliedFilters []filter     `json:"applied_filters"`
	Total          int          `json:"total"`
	Offset         int          `json:"offset"`
	Limit          int          `json:"limit"`
	Retrieved      int          `json:"retrieved_count"`
	Sort           string       `json:"sort"`
	PMIDs          []string     `json:"pmids"`
	Results        []articleHit `json:"results"`
	Dropped        []string     `json:"dropped_phrases"`
	SearchURL      string       `json:"esearch_url"`
	SummaryURL     string       `json:"esummary_url"`
}

type articleHit struct {
	PMID      string   `json:"pmid"`
	Title     string   `json:"title"`
	Authors   []string `json:"authors"`
	Source    string   `json:"source"`
	Journal   string   `json:"journal"`
	PubDate   string   `json:"pub_date"`
	EPubDate  string   `json:"epub_date"`
	DOI       string   `json:"doi"`
	PMCID     string   `json:"pmcid"`
	PubTypes  []string `json:"pub_types"`
	Retracted bool     `json:"retracted"`
}

func (articleHits) Kind() string { return "article.list" }

func articleSearch() *command.Command {
	return &command.Command{
		Use:   "article [query]",
		Short: "Search PubMed",
		Help: command.Help{
			About:  "PubMed's own search, with what it really searched for: PubMed rewrites a query, and drops a phrase it does not know, which makes the search broader. Both are always shown.",
			Input:  "A query in PubMed's syntax (words, \"phrases\", fields such as [Title], AND OR NOT, parentheses), or filters alone.",
			Output: "One row an article, retracted ones marked; with --json also every PMID and the addresses asked.",
			Surprises: "A date's upper bound means the end of that year or month. Past the 9,999th hit only --sort pub_date goes on. " +
				"Filters are joined with AND, also one that is given twice.",
		},
		Examples: []command.Example{
			{Line: `biomcp search article "ergothioneine" --limit 5`, Does: "the five best matches"},
			{Line: `biomcp search article --gene BRAF --disease melanoma --pub-type Review --date-from 2020`, Does: "reviews on a gene in a disease since 2020"},
			{Line: `biomcp search article "statin AND p.E1317Q" --strict`, Does: "fail rather than search without an unknown word"},
		},
		Effect: command.Reads,
		Args:   command.Args{Max: 1, Name: "one query"},
		Flags: func(f *command.Flags) {
			articleFilters(f)
			f.Enum("sort", "relevance", "order", "relevance", "pub_date", "author", "journal_name")
			f.Bool("strict", false, "fail when PubMed drops a part of the query")
			f.Page(20, 1000)
			f.Int("summaries", 100, "how many of the hits to describe: those shown, at most 100")
		},
		Run: runArticleSearch,
	}
}

func runArticleSearch(ctx context.Context, in *command.Input) (*result.Result, error) {
	term, filters, notices, err := articleTerm(in)
	if err != nil {
		return nil, err
	}
	limit, lowered, err := in.Limit()
	if err != nil {
		return nil, err
	}
	if lowered != "" {
		notices = append(notices, lowered)
	}
	offset, err := entity.PageOffset(in)
	if err != nil {
		return nil, err
	}
	described := in.Int("summaries")
	if described < 0 || described > 100 {
		return nil, result.Invalid(fmt.Sprintf("--summaries must be between 0 and 100, not %d", described), in.Again("--summaries", "100")...)
	}
	sort := in.String("sort")
	if offset+limit > record.ResultWindow && sort != "pub_date" {
		if offset >= record.ResultWindow {
			return nil, result.Invalid(fmt.Sprintf("PubMed gives the first %d hits only; --offset %d works with --sort pub_date", record.ResultWindow, offset),
				in.Again("--sort", "pub_date")...)
		}
		limit = record.ResultWindow - offset
		notices = append(notices, fmt.Sprintf("limit lowered to %d: PubMed gives the first %d hits only, except with --sort pub_date", limit, record.ResultWindow))
	}
	client, err := in.App.Entrez()
	if err != nil {
		return nil, err
	}
	found, err := client.SearchPage(ctx, entrez.SearchParams{DB: "pubmed", Term: term, Sort: sort}, offset, limit)
	if err != nil {
		return nil, err
	}
	hits := articleHits{
		EffectiveTerm: found.Translation, AppliedFilters: filters, Total: found.Count, Offset: offset, Limit: limit,
		Retrieved: len(found.IDs), Sort: sort, PMIDs: found.IDs, Results: []articleHit{}, Dropped: found.Dropped(), SearchURL: found.URL,
	}
	if len(in.Args) == 1 {
		hits.Query = strings.TrimSpace(in.Args[0])
	}
	if hits.EffectiveTerm == "" {
		hits.EffectiveTerm = term
	}
	warnings := found.Broadened()
	if in.Bool("strict") && len(warnings) > 0 {
		return nil, &result.Failure{
			Code: result.Entrez, Message: strings.Join(warnings, "; "), Try: in.Again("--strict", ""),
			Details: map[string]any{"dropped_phrases": hits.Dropped, "effective_term": hits.EffectiveTerm, "total": hits.Total},
		}
	}
	res := &result.Result{Notices: append(warnings, notices...)}
	state := entity.DataOrEmpty(len(hits.PMIDs))
	if notice := entity.ShortPage("PubMed", len(found.IDs), found.Count, offset, limit); notice != "" {
		state = result.Degraded
		res.Notice(notice)
	}
	res.Sections = append(res.Sections, result.SectionSource{Key: "pmids", Label: "Hits", Outcome: state, Sources: []string{"PubMed ESearch"}})
	if ids := hits.PMIDs[:min(described, len(hits.PMIDs))]; len(ids) > 0 {
		hits.describe(ctx, client, ids, res)
	}
	if left := len(hits.PMIDs) - described; left > 0 {
		res.Notice(fmt.Sprintf("%d hits stand without title or retraction mark; to see those: %s", left,
			in.Again("--offset", fmt.Sprint(offset+described), "--limit", fmt.Sprint(min(left, 100)), "--summaries", "100")))
		if last := &res.Sections[len(res.Sections)-1]; !in.Given("summaries") && last.Outcome == result.Data {
			last.Outcome = result.Degraded
		}
	}
	res.Payload = hits
	if len(hits.PMIDs) > 0 {
		res.Next = append(res.Next, result.Argv{"get", "article", hits.PMIDs[0]})
	}
	if sort == "pub_date" || offset+limit < record.ResultWindow {
		res.Next = append(res.Next, entity.NextPage(in, len(found.IDs), found.Count, offset, limit)...)
	}
	res.Rest = entity.RestOfPage(in, offset, limit)
	return res, nil
}

// describe adds a row for each id; without ESummary the PMIDs still are an answer.
func (h *articleHits) describe(ctx context.Context, client *entrez.Client, ids []string, res *result.Result) {
	source := result.SectionSource{Key: "results", Label: "Descriptions", Outcome: result.Data, Sources: []string{"PubMed ESummary"}}
	defer func() { res.Sections = append(res.Sections, source) }()
	sums, err := client.Summaries(ctx, "pubmed", ids)
	if err != nil {
		source.Outcome = result.Unavailable
		res.Notice("titles are missing: " + err.Error())
		return
	}
	h.SummaryURL = sums.URL
	for _, s := range sums.Items {
		h.Results = append(h.Results, hitOf(s))
	}
	if len(sums.Missing) > 0 {
		source.Outcome = result.Degraded
		res.Notice("NCBI gave no description of " + strings.Join(sums.Missing, ", "))
	}
}

func hitOf(s entrez.Summary) articleHit {
	return articleHit{
		PMID: s.UID, Title: s.Title, Authors: s.Authors, Source: sourceLine(s), Journal: s.Journal,
		PubDate: isoDate(s.PubDate), EPubDate: isoDate(s.EPubDate), DOI: s.DOI, PMCID: s.PMCID, PubTypes: s.PubTypes, Retracted: s.Retracted,
	}
}

// sourceLine is "J Test. 2024 Mar 15;10(2):100-10".
func sourceLine(s entrez.Summary) string {
	name := s.Source
	if name == "" {
		name = s.BookTitle
	}
	line := name
	if s.PubDate != "" {
		line += ". " + s.PubDate
	}
	if s.Volume != "" || s.Issue != "" {
		line += ";" + s.Volume
		if s.Issue != "" {
			line += "(" + s.Issue + ")"
		}
	}
	if s.Pages != "" {
		line += ":" + s.Pages
	}
	return strings.TrimPrefix(line, ". ")
}

// Doc is a table of the hits.
func (h articleHits) Doc() result.Doc {
	title := h.Query
	if title == "" {
		title = h.EffectiveTerm
	}
	doc := result.Doc{
		result.Heading{Level: 1, Text: "PubMed: " + title},
		result.Fields{
			{Name: "Hits", Value: entity.Shown(h.Total, h.Offset, len(h.PMIDs))},
			{Name: "Searched as", Value: h.EffectiveTerm},
			{Name: "Order", Value: h.Sort},
		},
	}
	if len(h.PMIDs) == 0 {
		return doc
	}
	t := result.Table{Columns: result.Columns("PMID", "Title", "Authors", "Journal", "Date"), Main: true}
	known := map[string]articleHit{}
	for _, r := range h.Results {
		known[r.PMID] = r
	}
	for _, id := range h.PMIDs {
		r := known[id]
		t.Rows = append(t.Rows, []string{id, record.Label(r.Retracted, r.Title), entity.EtAl(r.Authors, 3), r.Source, r.PubDate})
	}
	return append(doc, t)
}

// isoDate is NCBI's "2016 Mar 1" as 2016-03-01, in the precision it has; what
// follows the part that is understood ("2000 Spring", "1998 Dec-1999 Jan") is
// left out. Without a year it is "".
func isoDate(s string) string {
	words := strings.Fields(s)
	for n := min(3, len(words)); n > 0; n-- {
		if t, err := time.Parse([]string{"2006", "2006 Jan", "2006 Jan 2"}[n-1], strings.Join(words[:n], " ")); err == nil {
			return t.Format([]string{"2006", "2006-01", "2006-01-02"}[n-1])
		}
	}
	return ""
}
