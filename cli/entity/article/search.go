package article

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/advice"
	"biomcp/cli/entity/eutils"
	"biomcp/cli/entity/spelling"
	"biomcp/cli/result"
	"biomcp/entrez"
	"biomcp/entrez/cite"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/record"
)

// articleHits is the answer of search article.
type articleHits struct {
	*entity.Hits[articleHit]
	searchURL, summaryURL string
	onlyPMIDs             bool
	years                 []yearCount // set by --by-year
}

// sourceMembers lists the members of a hit that repeat its source, such as "Ann Med. 2023
// Dec;33(12):720", or its date. Only exports, with a column for each, show them.
var sourceMembers = []string{"nlm_abbreviation", "year", "volume", "issue", "pages"}

// MarshalJSON returns all PMIDs of the page and, separately, the described hits without
// the members in sourceMembers.
func (h *articleHits) MarshalJSON() ([]byte, error) {
	pmids, described := []string{}, []json.RawMessage{}
	for _, hit := range h.Hits.Hits {
		pmids = append(pmids, hit.PMID)
		if hit.described {
			short, err := result.EncodeWithout(hit, sourceMembers)
			if err != nil {
				return nil, err
			}
			described = append(described, short)
		}
	}
	return result.JSON(struct {
		Query          string                 `json:"query"`
		EffectiveTerm  string                 `json:"effective_term"`
		AppliedFilters []entity.AppliedFilter `json:"applied_filters"`
		Total          *int                   `json:"total"`
		Offset         int                    `json:"offset"`
		Limit          int                    `json:"limit"`
		Retrieved      int                    `json:"retrieved_count"`
		Sort           string                 `json:"sort"`
		PMIDs          []string               `json:"pmids"`
		Results        []json.RawMessage      `json:"results"`
		Dropped        []string               `json:"dropped_phrases"`
		SearchURL      string                 `json:"esearch_url"`
		SummaryURL     string                 `json:"esummary_url"`
		Years          []yearCount            `json:"years,omitzero"` // set by --by-year
	}{
		h.Text, h.Effective, h.Filters, h.Total, h.Offset, h.Limit, len(pmids), h.Sort, pmids, described,
		advice.Phrases(h.Dropped), h.searchURL, h.summaryURL, h.years,
	})
}

type articleHit struct {
	PMID     string   `json:"pmid"`
	Title    string   `json:"title"`
	Authors  []string `json:"authors"`
	Source   string   `json:"source"`
	Journal  string   `json:"journal"`
	Abbrev   string   `json:"nlm_abbreviation"`
	Year     *int     `json:"year"`
	PubDate  string   `json:"pub_date"`
	EPubDate string   `json:"epub_date"`
	Volume   string   `json:"volume"`
	Issue    string   `json:"issue"`
	Pages    string   `json:"pages"`
	Language []string `json:"language"`
	DOI      string   `json:"doi"`
	PMCID    string   `json:"pmcid"`
	PubTypes []string `json:"pub_types"`
	eutils.Marks
	// CitedBy is the number of articles in PMC that cite it, or null if NCBI gives none.
	CitedBy      *int `json:"cited_by"`
	FreeFullText bool `json:"free_full_text"` // in PMC

	// Read from the record with --abstracts or --mesh-terms.
	ISOAbbreviation string                `json:"iso_abbreviation,omitzero"`
	Abstract        entity.Part[*string]  `json:"abstract,omitzero"`
	MeshTerms       entity.Part[[]string] `json:"mesh_terms,omitzero"` // as MEDLINE prints them

	described bool
	read      bool // the record was read
}

func search() *command.Command {
	return entity.Search(entity.SearchSpec[articleHit]{
		Name: "article", Placeholder: "[query]",
		Command: command.Command{
			Short: "Search PubMed",
			Help: command.Help{
				Purpose: "PubMed's own search. PubMed rewrites a query, and drops a phrase it does not know, " +
					"which makes the search broader; the answer always shows both.",
				Input: "A query in PubMed's syntax (words, \"phrases\", fields such as [Title], AND OR NOT, " +
					"parentheses), or filters alone.",
				Output: "One row an article, retracted ones and preprints marked; with --json also the PMIDs of " +
					"the page and the addresses asked.",
				Surprises: "A date's upper bound means the end of that year or month. Hits after the 9,999th " +
					"need --sort pub_date. " +
					"Filters are joined with AND, even if one is given twice.",
			},
			Examples: []command.Example{
				{Line: `biomcp search article "ergothioneine" --limit 5`, Explanation: "the five best matches"},
				{
					Line:        `biomcp search article "lung cancer AND smoking" --review --last 5y --count`,
					Explanation: "count before you list", ReadsLess: true,
				},
				{
					Line:        `biomcp search article --gene BRAF --disease melanoma --pub-type Review --date-from 2020`,
					Explanation: "reviews on a gene in a disease since 2020",
				},
				{
					Line:        `biomcp search article ergothioneine --style ris`,
					Explanation: "all hits as a file for a reference manager",
				},
				{Line: `biomcp search article ergothioneine --by-year`, Explanation: "how many articles appeared each year"},
				{
					Line:        `biomcp search article "statin AND p.E1317Q" --strict`,
					Explanation: "fail rather than search without an unknown word",
				},
			},
			Flags: func(f *command.Flags) {
				f.AddValueSynonyms("sort", command.Synonyms{
					"date": "newest latest recent year time", "relevance": "best score",
					"author": "first-author",
				})
				f.Bool("pmids", false, "only the PMIDs, one a line: of all hits up to 9,999, or --limit of them")
				f.AddSynonyms("pmids", "ids", "ids-only", "pmid-only", "only-ids")
				f.Enum("style", "", "export all hits, or --limit of them, as a file of citations", cite.Styles...)
				f.AddValueSynonyms("style", entity.StyleSynonyms)
				entity.CitationFiles(f)
				f.AddEndings("output", "; or their PMIDs, one a line: .txt", ".txt")
				f.Bool("by-year", false, "how many hits each year has: the last 20 years, or those of the dates")
				f.AddSynonyms("by-year", "per-year", "yearly", "years", "count-by", "count-by-year", "group-by",
					"timeline", "histogram")
				f.Bool("abstracts", false, "the abstracts of the hits described")
				f.Bool("mesh-terms", false, "the MeSH headings of the hits described")
				f.Int("summaries", maxDescribed, "how many of the hits to describe, at most 100")
				f.Group(command.OutputFlags, "pmids", "style", "by-year", "abstracts", "mesh-terms", "summaries")
				f.Rare("first-author", "last-author", "affiliation", "language", "species", "has-abstract",
					"date-type", "summaries", "pmids", "mesh-terms", "keyword", "meta-analysis",
					"exclude-preprints", "strict", "count")
			},
		},
		Source: "PubMed", Sources: []string{"PubMed ESearch"}, Key: "pmids", Label: "Hits",
		Check: checkQuery, Filters: filters(), Sorts: []string{"relevance", "pub_date", "author", "journal_name"},
		Strict:       true,
		Pages:        entity.Pages{Limit: 20, Max: 1000, Window: record.ResultWindow, DeepSort: "pub_date"},
		Unpaged:      func(in *command.Input) bool { return style(in) != "" || in.Bool("by-year") },
		Find:         findArticles,
		Alternatives: entity.Alternatives{Similar: nearFilter, Spell: spelling.Correct, Count: countArticles, OtherSearches: suggestSearches},
		Rows:         entity.Rows[articleHit]{Columns: columns, Row: articleRow}, Forms: []string{"pmids", "style"},
		Counts: true, Aliases: map[string]string{"date": "pub_date"},
		Next: func(h *articleHit) []result.Argv { return []result.Argv{{"get", "article", h.PMID}} },
	})
}

// row returns the first cells of a table row: PMID, title, authors, journal.
func (h *articleHit) row() []string {
	return []string{h.PMID, h.title(), entity.EtAl(h.Authors, 3), h.Source}
}

func (h *articleHit) title() string { return h.MarkTitle(h.Title) }

// brief returns the hit for a narrow table, with marks such as free full text.
func (h *articleHit) brief() []string {
	var marks []string
	if h.PMCID != "" {
		marks = append(marks, "free full text")
	}
	if h.CitedBy != nil && *h.CitedBy > 0 {
		marks = append(marks, fmt.Sprintf("cited by %d", *h.CitedBy))
	}
	return brief(h.title(), h.Authors, h.Source, "PMID "+h.PMID, marks...)
}

func articleRow(h *articleHit) []string {
	if !h.described {
		return nil
	}
	return append(h.row(), h.PubDate, entity.FormatNumber(h.CitedBy), freeFullText(h.PMCID))
}

// Doc renders the described hits as a table, followed by the PMIDs of the others. With
// --pmids it renders all PMIDs, one a line.
func (h *articleHits) Doc() result.Doc {
	var pmids []string
	for _, hit := range h.Hits.Hits {
		if h.onlyPMIDs || !hit.described {
			pmids = append(pmids, hit.PMID)
		}
	}
	doc := h.Hits.Doc()
	if len(doc) > 2 && slices.ContainsFunc(h.Hits.Hits, func(hit *articleHit) bool { return hit.read }) {
		doc = doc[:2] // keep the title and the number of hits
		for _, hit := range h.Hits.Hits {
			if hit.described {
				doc = append(doc, hit.card()...)
			}
		}
	} else if t, is := doc[len(doc)-1].(result.Table); is {
		t.Brief = briefTable()
		for _, hit := range h.Hits.Hits {
			if hit.described {
				t.Brief.Rows = append(t.Brief.Rows, hit.brief())
			}
		}
		doc[len(doc)-1] = t
	}
	switch {
	case h.years != nil:
		return append(doc, yearTable(h.years))
	case h.onlyPMIDs:
		return result.Doc{result.Verbatim{Text: strings.Join(pmids, "\n")}}
	case len(pmids) > 0:
		return append(doc, result.Para{Text: "PMIDs without a description: " + strings.Join(pmids, " ")})
	default:
		return doc
	}
}

// isRetracted reports whether the article of a described hit has been retracted.
func (h *articleHit) isRetracted() bool { return h.Retracted != nil && *h.Retracted }

// card renders a hit together with its record.
func (h *articleHit) card() result.Doc {
	row, fields := articleRow(h), result.Fields{}
	for i, name := range columns[2:] {
		fields = append(fields, result.Field{Name: strings.TrimPrefix(name, ">"), Value: row[i+2]})
	}
	if h.MeshTerms.Requested && h.read {
		fields = append(fields, result.Field{
			Name: "MeSH", Value: cmp.Or(strings.Join(h.MeshTerms.Value, "; "), "none"),
		})
	}
	doc := result.Doc{result.Heading{Level: 2, Text: h.PMID + ": " + row[1]}, fields}
	switch {
	case !h.read:
		doc = append(doc, result.Para{Text: "The record could not be read."})
	case h.Abstract.Requested && entity.Deref(h.Abstract.Value) != "":
		doc = append(doc, result.PassageOf(*h.Abstract.Value)...)
	case h.Abstract.Requested:
		doc = append(doc, result.Para{Text: "No abstract in PubMed."})
	}
	return append(doc, result.ItemEnd{})
}

// columns names the columns of the hits.
var columns = []string{"PMID", "Title", "Authors", "Journal", "Date", ">Cited by", "Free full text"}

// maxDescribed is the maximum of --summaries.
const maxDescribed = 100

// findArticles searches PubMed for one page of hits and describes the first of them.
func findArticles(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[articleHit], error) {
	described, notices, err := describedHits(in, q)
	if err != nil {
		return nil, err
	}
	client := in.App.Entrez()
	fields := eutils.UnknownFields(ctx, client, "pubmed", q.Text)
	term := searchTerm(q)
	params := entrez.SearchParams{DB: "pubmed", Term: term, Sort: q.Sort}
	found, err := client.SearchPage(ctx, params, q.Offset, q.Limit)
	if err != nil {
		return nil, err
	}
	p := &entity.Page[articleHit]{
		Total: &found.Count, Effective: cmp.Or(found.Translation, term),
		Dropped: append(fields, found.DroppedTerms()...), Notices: append(notices, lowerOperators(q.Text)...),
	}
	p.Template = templateOf(in)
	p.Hits = result.Map(found.IDs, func(id string) *articleHit { return &articleHit{PMID: id} })
	if style(in) != "" {
		return p, export(in, client, params, found, p)
	}
	answer := &articleHits{searchURL: found.URL, onlyPMIDs: onlyPMIDs(in)}
	p.Payload = func(h *entity.Hits[articleHit]) result.Payload {
		answer.Hits = h
		return answer
	}
	if in.Bool("by-year") {
		return p, byYear(in, client, q, p, answer)
	}
	p.Describe = func(ctx context.Context) error {
		if n := min(described, len(p.Hits)); n > 0 {
			answer.summaryURL = describe(ctx, client, p, p.Hits[:n])
			if in.Bool("abstracts") || in.Bool("mesh-terms") {
				addRecords(ctx, in, client, p, p.Hits[:n])
			}
		}
		if onlyPMIDs(in) {
			p.Notices = append(p.Notices, retractedPMIDs(ctx, client, q, term, p.Hits)...)
		} else {
			noteUndescribedHits(in, q, p, described)
		}
		return nil
	}
	return p, nil
}

// retractedPMIDs returns a notice of the retracted articles among hits without a description. It searches for the
// retracted articles that match term.
func retractedPMIDs(
	ctx context.Context, client *entrez.Client, q *entity.Query, term string, hits []*articleHit,
) []string {
	if len(hits) == 0 || q.Value("exclude-retracted") != "" {
		return nil
	}
	const retracted = `"retracted publication"[Publication Type]`
	params := entrez.SearchParams{DB: "pubmed", Term: "(" + term + ") AND " + retracted}
	dropped := func(d record.DroppedTerm) bool { // PubMed drops the condition if it has no such article
		return d.Phrase != "" && strings.Contains(strings.ToLower(retracted), strings.ToLower(d.Phrase))
	}
	found, err := client.SearchPage(ctx, params, 0, record.ResultWindow)
	switch {
	case err != nil:
		return []string{"it is unknown whether any of these articles is retracted: " + err.Error()}
	case slices.ContainsFunc(found.DroppedTerms(), dropped):
		return nil
	case found.Count > len(found.IDs):
		return []string{record.Label(true, fmt.Sprintf("%d articles that match have been retracted", found.Count))}
	}
	var ids []string
	for _, h := range hits {
		if slices.Contains(found.IDs, h.PMID) {
			ids = append(ids, h.PMID)
		}
	}
	return entity.RetractionNotices(ids)
}

// describedHits returns the number of hits to describe, with a notice if it is less than --summaries.
func describedHits(in *command.Input, q *entity.Query) (n int, notices []string, err error) {
	n = in.Int("summaries")
	if n < 0 {
		return 0, nil, result.Invalid(fmt.Sprintf("--summaries must not be negative: %d", n),
			in.LineWith("--summaries", "0")...)
	}
	if err := checkFormConflicts(in); err != nil {
		return 0, nil, err
	}
	if n > maxDescribed {
		notices = []string{fmt.Sprintf("--summaries lowered from %d to %d, the most this command gives at once",
			n, maxDescribed)}
		n = maxDescribed
	}
	if entity.IsData(in) {
		n = max(n, q.Limit)
	}
	if onlyPMIDs(in) {
		n = 0
	}
	return n, notices, nil
}

// noteUndescribedHits adds a notice about the hits after the described ones, which the page lists by PMID.
func noteUndescribedHits(in *command.Input, q *entity.Query, p *entity.Page[articleHit], described int) {
	left := len(p.Hits) - described
	if left <= 0 {
		return
	}
	p.Smaller = entity.SmallerPage(in, "limit", described)
	p.Notices = append(p.Notices, fmt.Sprintf("%d hits are listed without title or retraction mark; to "+
		"show them: %s", left,
		in.LineWith("--offset", fmt.Sprint(q.Offset+described), "--limit", fmt.Sprint(min(left, maxDescribed)),
			"--summaries", "100")))
	if n := len(p.Sections); n > 0 && !in.Given("summaries") && p.Sections[n-1].Outcome == result.Data {
		p.Sections[n-1].Outcome = result.Degraded
	}
}

// templateOf returns a hit with the columns that the flags add.
func templateOf(in *command.Input) *articleHit {
	h := &articleHit{}
	h.Abstract.Requested, h.MeshTerms.Requested = in.Bool("abstracts"), in.Bool("mesh-terms")
	if h.Abstract.Requested || h.MeshTerms.Requested {
		h.ISOAbbreviation = "any" // otherwise JSON omits it
	}
	return h
}

// lowerOperators returns a notice if query has or, not in small letters, which PubMed
// reads as words (https://pubmed.ncbi.nlm.nih.gov/help/#combining-with-boolean-operators).
func lowerOperators(query string) []string {
	words := strings.Fields(query)
	quotes := 0
	for i, w := range words {
		quotes += strings.Count(ncbi.StraightQuotes(w), `"`)
		if (w == "or" || w == "not") && i > 0 && i < len(words)-1 && quotes%2 == 0 {
			return []string{fmt.Sprintf("“%s” is not an operator here: PubMed reads OR, NOT and AND in capitals", w)}
		}
	}
	return nil
}
