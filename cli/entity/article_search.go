package entity

import (
	"context"
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez"
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

// reach is how far into an answer PubMed itself goes.
const reach = 9999

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
	offset, err := pageOffset(in)
	if err != nil {
		return nil, err
	}
	described := in.Int("summaries")
	if described < 0 || described > 100 {
		return nil, result.Invalid(fmt.Sprintf("--summaries must be between 0 and 100, not %d", described), in.Again("--summaries", "100")...)
	}
	sort := in.String("sort")
	if offset+limit > reach && sort != "pub_date" {
		if offset >= reach {
			return nil, result.Invalid(fmt.Sprintf("PubMed gives the first %d hits only; --offset %d works with --sort pub_date", reach, offset),
				in.Again("--sort", "pub_date")...)
		}
		limit = reach - offset
		notices = append(notices, fmt.Sprintf("limit lowered to %d: PubMed gives the first %d hits only, except with --sort pub_date", limit, reach))
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
		Retrieved: len(found.IDs), Sort: sort, PMIDs: found.IDs, Results: []articleHit{}, Dropped: dropped(found), SearchURL: found.URL,
	}
	if len(in.Args) == 1 {
		hits.Query = strings.TrimSpace(in.Args[0])
	}
	if hits.EffectiveTerm == "" {
		hits.EffectiveTerm = term
	}
	warnings := broadened(found)
	if in.Bool("strict") && len(warnings) > 0 {
		return nil, &result.Failure{
			Code: result.Entrez, Message: strings.Join(warnings, "; "), Try: in.Again("--strict", ""),
			Details: map[string]any{"dropped_phrases": hits.Dropped, "effective_term": hits.EffectiveTerm, "total": hits.Total},
		}
	}
	res := &result.Result{Notices: append(warnings, notices...)}
	state := dataOrEmpty(len(hits.PMIDs))
	if notice := shortPage("PubMed", found, offset, limit); notice != "" {
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
	if sort == "pub_date" || offset+limit < reach {
		res.Next = append(res.Next, nextPage(in, found, offset, limit)...)
	}
	res.Rest = restOfPage(in, offset, limit)
	return res, nil
}

// farthest is an offset that no answer reaches: PubMed and MeSH together hold
// less than a tenth of it.
const farthest = 1_000_000_000

// pageOffset is --offset, within reason.
func pageOffset(in *command.Input) (int, error) {
	n, err := in.Offset()
	if err == nil && n > farthest {
		err = result.Invalid(fmt.Sprintf("--offset must be at most %d, not %d", farthest, n), in.Again("--offset", "0")...)
	}
	return n, err
}

// shortPage says that fewer ids came than the count promises for the page.
func shortPage(source string, found *entrez.SearchResult, offset, limit int) string {
	promised := max(0, min(limit, found.Count-offset))
	if len(found.IDs) >= promised {
		return ""
	}
	return fmt.Sprintf("%s counts %d hits, %d of them for this page, and gave %d", source, found.Count, promised, len(found.IDs))
}

// nextPage is the command for the page after this one. A short page is the last.
func nextPage(in *command.Input, found *entrez.SearchResult, offset, limit int) []result.Argv {
	if len(found.IDs) < limit || offset+limit >= found.Count {
		return nil
	}
	return []result.Argv{in.Again("--offset", fmt.Sprint(offset+limit))}
}

// restOfPage continues a page that was cut after some rows.
func restOfPage(in *command.Input, offset, limit int) func(int) result.Argv {
	return func(items int) result.Argv {
		if items == 0 {
			return in.Again("--limit", fmt.Sprint(max(1, limit/2)))
		}
		return in.Again("--offset", fmt.Sprint(offset+items))
	}
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

// dropped is every part of the query that PubMed did not search for.
func dropped(f *entrez.SearchResult) []string {
	out := []string{}
	return append(append(append(out, f.PhrasesNotFound...), f.FieldsNotFound...), f.QuotedPhrasesNotFound...)
}

// broadened says what PubMed searched for less strictly than it was asked to.
func broadened(f *entrez.SearchResult) []string {
	var out []string
	if len(f.PhrasesNotFound) > 0 {
		text := "PubMed does not know, and dropped from the search: " + quoted(f.PhrasesNotFound)
		if f.Count > 0 {
			text += "; the hits are for the rest of the query only"
		}
		out = append(out, text)
	}
	if len(f.FieldsNotFound) > 0 {
		out = append(out, "PubMed does not know the field, and ignored it: "+quoted(f.FieldsNotFound))
	}
	if len(f.QuotedPhrasesNotFound) > 0 {
		out = append(out, "PubMed does not know the phrase, and searched for its words apart: "+quoted(f.QuotedPhrasesNotFound))
	}
	return out
}

func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		out[i] = "“" + strings.Trim(w, `"`) + "”"
	}
	return strings.Join(out, ", ")
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
			{Name: "Hits", Value: shown(h.Total, h.Offset, len(h.PMIDs))},
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
		if r.Retracted {
			r.Title = "RETRACTED: " + strings.TrimPrefix(r.Title, "RETRACTED: ")
		}
		t.Rows = append(t.Rows, []string{id, r.Title, etAl(r.Authors, 3), r.Source, r.PubDate})
	}
	return append(doc, t)
}

func shown(total, offset, n int) string {
	switch {
	case total == 0:
		return "0"
	case n == 0:
		return fmt.Sprintf("%d; none after the first %d", total, offset)
	}
	return fmt.Sprintf("%d, shown %d to %d", total, offset+1, offset+n)
}

// etAl is the first n names, and "et al." where there are more.
func etAl(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:n], ", ") + ", et al."
}
