package entity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// SearchOf is a search whose hits are of type H.
type SearchOf[H any] struct {
	Name  string   // of the entity: "article"
	Also  []string // other words for the entity, where it cannot be read by id
	Words string   // the place of the query: "<term>"; "[query]" where filters suffice; "" where filters are all
	// Whole says that a search without a query and filters gives everything.
	Whole bool
	// Command has what the search says of itself: texts, examples, and flags after those
	// that follow from the spec.
	Command command.Command
	Source  string   // who answers, as messages and the title name it: "PubMed"
	Sources []string // the same in the sources of the answer, by service: "PubMed ESearch"
	// Key and Label are the section of the hits: "results", "Headings". Without
	// Key the page brings every section itself.
	Key, Label string
	// Members are the members of a hit's JSON that are shown, where they are not all: hits are
	// records as get reads them.
	Members []string

	// Check refuses a query; nil accepts a short line of text.
	Check   func(query string) error
	Filters []Filter
	Strict  bool                         // has --strict: fail when the source drops a part of the query
	Sorts   []string                     // values of --sort, the first is the default; none: no --sort
	Aliases map[string]string            // further values of --sort, and what each means
	Counts  bool                         // has --count, which is --limit 0: how many hits there are and none of them
	Unpaged func(in *command.Input) bool // whether the answer has no pages, as --count; nil is never
	Pages   Pages

	// Find asks the source for one page.
	Find    func(ctx context.Context, in *command.Input, q *Query) (*PageOf[H], error)
	Rows    RowsOf[H] // of the hits
	Forms   []string  // the switches for another form of the answer than a table, apart from --csv and --tsv
	Instead Instead
	// Next suggests what to ask after the first hit.
	Next func(h H) []result.Argv
}

// Pages says how a search gives its hits by pages.
type Pages struct {
	Limit, Max int // the default of --limit, 0: no pages; and the most
	// Tokens says that the source gives its pages in order, each with a token for the
	// next: the search has --page-token, which goes without --offset.
	Tokens bool
	// Window is how many hits can be reached, 0 for all. Sorted by DeepSort all
	// can be.
	Window   int
	DeepSort string
	// Data is how many hits an answer for another program has at most, such as --csv,
	// which has all up to there where there is no --limit; nil: Max.
	Data func(in *command.Input) int
}

// Instead says what a search offers in place of what was typed, where it was refused or
// found nothing. Each function may be nil.
type Instead struct {
	// Near is what may have been meant by a filter that the source dropped, "" if
	// nothing is near.
	Near func(ctx context.Context, in *command.Input, f Applied) string
	// Spell is the query in a better spelling, "" if there is none.
	Spell func(ctx context.Context, in *command.Input, query string) string
	// Count is how many hits a query with fewer filters has; MaxCount is what it counts at
	// most, 0 for all.
	Count    func(ctx context.Context, in *command.Input, q *Query) (int, error)
	MaxCount int
	// Elsewhere is where else to search, with the hits there where they were counted: "in
	// the local corpus: 3".
	Elsewhere func(ctx context.Context, in *command.Input, q *Query) (lines []result.Argv, hits string)
}

// Query is what a search asks for.
type Query struct {
	Text          string
	Filters       []Applied // in the order of the spec
	Dates         Span
	Sort          string
	Offset, Limit int

	all     bool // as many hits as there are, up to Limit
	notices []string
}

// Values are the values given to a filter, none if it was not given.
func (q *Query) Values(flag string) []string {
	var out []string
	for _, f := range q.Filters {
		if f.Flag == flag {
			out = append(out, f.Value)
		}
	}
	return out
}

// Value is the value given to a filter that is given once, "" if it was not.
func (q *Query) Value(flag string) string {
	if values := q.Values(flag); len(values) > 0 {
		return values[0]
	}
	return ""
}

// PageOf is what a source answered: the hits of one page in their order.
type PageOf[H any] struct {
	Hits      []H
	Retrieved int              // how many hits came; more than Hits where some could not be described
	Total     *int             // nil if the source does not count
	Effective string           // the query as the source understood it, "" if it does not report that
	Dropped   []record.Dropped // the parts of the query that were not searched for as written
	Notices   []string
	Next      string                 // the token of the next page, "" of the last, where the search has Tokens
	State     result.State           // of the hits; "" is Data or Empty
	Sections  []result.SectionSource // further ones
	// Describe completes the answer. It is called once the page is accepted, which
	// a strict search may not be.
	Describe func(ctx context.Context) error
	// Err is why the answer is only a part: it is shown, and the command fails.
	Err error
	// Columns replace those of the spec, unless nil.
	Columns []string
	// Records is a list that takes the place of the hits for another program; nil is they.
	Records any
	// Payload replaces the answer where its shape differs; nil is Hits itself.
	Payload func(*HitsOf[H]) result.Payload
	// More is the command for further hits, where the search has no --limit.
	More result.Argv
	// Less is the command for a share of the hits, where the search has no --limit.
	Less func(share float64) result.Argv
}

// Pointers are the members of a list as the hits of a [Page].
func Pointers[H any](list []H) []*H {
	all := make([]*H, len(list))
	for i := range list {
		all[i] = &list[i]
	}
	return all
}

// HitsOf is the answer of a search.
type HitsOf[H any] struct {
	*Query
	*PageOf[H]
	spec *SearchOf[H]
}

// Search makes the command of its spec.
func Search[H any](s SearchOf[H]) *command.Command {
	c := s.Command
	c.Use, c.Also, c.Effect, c.Flags = strings.TrimSpace(s.Name+" "+s.Words), s.Also, command.Reads, s.flags
	c.Run = func(ctx context.Context, in *command.Input) (*result.Result, error) { return s.run(ctx, in) }
	c.Check = func(in *command.Input) error { _, err := s.read(in); return cmp.Or(err, CheckForms(in, s.Forms...)) }
	if s.Words != "" {
		c.Args = command.Args{Max: 1, Name: "a " + strings.Trim(s.Words, "[]<>"), FreeText: true}
	}
	if strings.HasPrefix(s.Words, "<") {
		c.Args.Min = 1
	}
	return &c
}

// run runs every search: read the query, find a page, check it, answer.
func (s *SearchOf[H]) run(ctx context.Context, in *command.Input) (*result.Result, error) {
	q, err := s.read(in)
	if err != nil {
		return nil, err
	}
	if err := CheckForms(in, s.Forms...); err != nil {
		return nil, err
	}
	s.resolve(ctx, in, q)
	page, err := s.Find(ctx, in, q)
	if err != nil {
		return nil, s.offline(ctx, in, q, err)
	}
	if q.nothingLeft(page.Dropped) { // what it has is of none of the words
		page.Hits, page.Total, page.Retrieved, page.Next, page.Describe = nil, new(int), 0, "", nil
		page.Notices = append(page.Notices, "no word of the query is left in the search; hits of the rest are not shown")
	}
	broader, corrected := s.broader(ctx, in, q, page)
	if err := s.unknownValue(in, q, corrected); err != nil {
		return nil, err
	}
	if corrected == nil {
		if better := s.respelt(ctx, in, q, page); better != "" {
			corrected = in.Line([]string{better})
			broader[len(broader)-1] += "; did you mean “" + better + "”?"
		}
	}
	if err := s.tooBroad(in, q, page, broader, corrected); err != nil {
		return nil, err
	}
	n := len(page.Hits)
	page.Retrieved = max(page.Retrieved, n)
	state := cmp.Or(page.State, DataOrEmpty(n))
	if page.State == "" && q.Limit == 0 && page.Total != nil { // it was only counted
		state = DataOrEmpty(*page.Total)
	}
	var short []string
	if promised := s.promised(q, page.Total); page.Retrieved < promised {
		state = result.Degraded
		short = []string{fmt.Sprintf("%s counts %d hits, %d of them for this page, and gave %d", s.Source, *page.Total, promised, page.Retrieved)}
	}
	if page.Describe != nil && (n > 0 || s.Unpaged != nil && s.Unpaged(in)) {
		if err := page.Describe(ctx); err != nil {
			return nil, err
		}
	}
	if page.Columns == nil {
		page.Columns = s.Rows.Columns
	}
	hits := &HitsOf[H]{q, page, s}
	res := &result.Result{Payload: hits, Notices: slices.Concat(broader, q.notices, short, page.Notices), Sections: page.Sections}
	if page.Payload != nil {
		res.Payload = page.Payload(hits)
	}
	if s.Key != "" {
		all := result.SectionSource{Key: s.Key, Label: s.Label, Outcome: state, Sources: s.Sources}
		res.Sections = append([]result.SectionSource{all}, page.Sections...)
	}
	if corrected != nil {
		res.Next = append(res.Next, corrected)
	}
	if page.Retrieved == 0 && q.Offset == 0 && !in.Part && (page.Total == nil || *page.Total == 0) {
		s.nothing(ctx, in, q, res)
	}
	if n > 0 && s.Next != nil {
		next := s.Next(page.Hits[0])
		if res.Next = append(res.Next, next...); n == 1 && page.Retrieved == 1 && q.Offset == 0 && (page.Total == nil || *page.Total == 1) && !IsData(in) && len(next) > 0 {
			res.Only = next[0]
		}
	}
	if page.More != nil {
		res.Next = append(res.Next, page.More)
	}
	res.Less = page.Less
	if s.Pages.Limit > 0 && q.Limit > 0 {
		s.pages(in, q, page, res)
	}
	if IsData(in) {
		if err := s.export(in, page, res); err != nil {
			return nil, err
		}
	}
	return res, page.Err
}

// maxOffset is farther than any answer reaches.
const maxOffset = 1_000_000_000

// read is the query as it was typed.
func (s *SearchOf[H]) read(in *command.Input) (*Query, error) {
	help := []string{"search", s.Name, "--help"}
	q := &Query{Filters: []Applied{}}
	if len(in.Args) > 0 {
		q.Text = strings.TrimSpace(in.Args[0])
		check := s.Check
		if check == nil {
			check = func(query string) error {
				if err := CheckTerm(query, help...); err != nil || !s.Strict {
					return err
				}
				return CheckBalance("the query", query, help...)
			}
		}
		err := check(q.Text)
		for _, f := range s.Filters {
			if f.Alone == nil || !f.Alone(q.Text) || in.Given(f.Flag) {
				continue
			}
			why := fmt.Sprintf("%q is a value of --%s, not a word", command.Clip(q.Text), f.Flag)
			if err != nil {
				why = err.Error()
			}
			return nil, result.Invalid(why, in.Line(nil, "--"+f.Flag, q.Text)...)
		}
		if err != nil {
			return nil, mended(err, q.Text, check, func(text string) result.Argv { return in.Line([]string{text}) })
		}
	}
	for i := range s.Filters {
		if err := s.Filters[i].read(in, q, help); err != nil {
			return nil, err
		}
	}
	if strings.HasPrefix(s.Words, "[") && !s.Whole && q.Text == "" && !slices.ContainsFunc(q.Filters, func(f Applied) bool { return !f.Exclude }) {
		return nil, result.Invalid("search "+s.Name+" needs a query or a filter", help...)
	}
	if len(s.Sorts) > 0 {
		q.Sort = in.String("sort")
		q.Sort = cmp.Or(s.Aliases[q.Sort], q.Sort)
	}
	if s.Pages.Limit == 0 {
		return q, nil
	}
	return q, s.readPage(in, q)
}

func (s *SearchOf[H]) readPage(in *command.Input, q *Query) error {
	counted := s.Counts && (in.Bool("count") || in.Int("limit") == 0)
	offset, err := in.Offset()
	forms := slices.Concat(dataFlags, s.Forms)
	form := slices.IndexFunc(forms, in.On)
	switch {
	case err != nil:
		return err
	case counted && form >= 0:
		return result.Invalid("a number of hits, --count or --limit 0, goes without --"+forms[form], in.Again("--"+forms[form], "", "--fields", "")...)
	case counted && offset > 0:
		return result.Invalid("a number of hits, --count or --limit 0, goes without --offset", in.Again("--offset", "")...)
	case s.Counts && form < 0 && in.Int("limit") < 0:
		return result.Invalid(fmt.Sprintf("--limit must be at least 0, not %d", in.Int("limit")), in.Again("--limit", fmt.Sprint(s.Pages.Limit))...)
	case counted, s.Unpaged != nil && s.Unpaged(in):
		return nil
	}
	limit, lowered, err := in.Limit()
	if err != nil {
		return err
	}
	if s.isData(in) {
		limit, lowered = s.dataLimit(in, offset)
		q.all = !in.Given("limit")
	}
	q.Limit, q.Offset = limit, offset
	if s.Pages.Tokens && in.Given("page-token") && in.Given("offset") {
		return result.Invalid("--page-token goes without --offset", in.Again("--offset", "")...)
	}
	if lowered != "" {
		q.notices = append(q.notices, lowered)
	}
	var deep string
	switch {
	case offset > maxOffset:
		return result.Invalid(fmt.Sprintf("--offset must be at most %d, not %d", maxOffset, offset), in.Again("--offset", "0")...)
	case s.Pages.Window == 0 || q.Sort != "" && q.Sort == s.Pages.DeepSort || offset+limit <= s.Pages.Window:
		return nil
	case offset >= s.Pages.Window && s.Pages.DeepSort == "":
		return result.Invalid(fmt.Sprintf("%s gives the first %d hits only, and --offset is %d", s.Source, s.Pages.Window, offset), in.Again("--offset", "0")...)
	case offset >= s.Pages.Window:
		return result.Invalid(fmt.Sprintf("%s gives the first %d hits only; --offset %d works with --sort %s", s.Source, s.Pages.Window, offset, s.Pages.DeepSort),
			in.Again("--sort", s.Pages.DeepSort)...)
	case s.Pages.DeepSort != "":
		deep = ", except with --sort " + s.Pages.DeepSort
	}
	q.Limit = s.Pages.Window - offset
	q.notices = append(q.notices, fmt.Sprintf("limit lowered to %d: %s gives the first %d hits only%s", q.Limit, s.Source, s.Pages.Window, deep))
	return nil
}

// DataOrEmpty is the state of an answer with n hits.
func DataOrEmpty(n int) result.State {
	if n == 0 {
		return result.Empty
	}
	return result.Data
}

// MarshalJSON is the query, the filters as typed and sent, the total (null if
// the source does not count), the page and the hits. What the search does not
// have, such as an order, is left out.
func (h *HitsOf[H]) MarshalJSON() ([]byte, error) {
	answer := struct {
		Query          string    `json:"query"`
		Effective      string    `json:"effective_term,omitzero"`
		AppliedFilters []Applied `json:"applied_filters,omitzero"`
		Total          *int      `json:"total"`
		Offset         *int      `json:"offset,omitzero"`
		Limit          *int      `json:"limit,omitzero"`
		Sort           string    `json:"sort,omitzero"`
		Dropped        []string  `json:"dropped_phrases"`
		Results        any       `json:"results"`
		Next           **string  `json:"next_page_token,omitempty"` // null on the last page, absent of a search without tokens
	}{Query: h.Text, Effective: h.Effective, Total: h.Total, Sort: h.Sort, Dropped: h.Phrases(), Results: h.Hits}
	if h.spec.Members != nil {
		list, err := members(h.Hits, h.spec.Members)
		if err != nil {
			return nil, err
		}
		answer.Results = list
	}
	if len(h.spec.Filters) > 0 {
		answer.AppliedFilters = h.Filters
	}
	if h.spec.Pages.Tokens {
		answer.Next = new(*string)
		if h.PageOf.Next != "" {
			*answer.Next = &h.PageOf.Next
		}
	}
	if h.spec.Pages.Limit > 0 {
		answer.Offset, answer.Limit = &h.Offset, &h.Limit
	}
	return result.JSON(answer)
}

// Doc is how many hits there are, and a table of those on this page.
func (h *HitsOf[H]) Doc() result.Doc {
	doc := result.Doc{
		result.Heading{Level: 1, Text: command.ClipTo(300, h.title())},
		result.Fields{
			{Name: h.spec.Label, Value: shown(h.Total, h.Offset, len(h.Hits))},
			{Name: "Searched as", Value: command.ClipTo(1000, h.Effective)},
			{Name: "Order", Value: h.Sort},
		},
	}
	if len(h.Hits) == 0 {
		return doc
	}
	t := result.Table{Columns: result.Columns(h.Columns...), Rows: h.spec.rows(h.PageOf), Main: true, Hits: true}
	if len(t.Rows) == 0 {
		return doc
	}
	return append(doc, t)
}

// title names the source, and what was asked, which for filters alone is what the source
// searched for, where that is short and has hits.
func (h *HitsOf[H]) title() string {
	asked := h.Text
	if asked == "" && len(h.Effective) <= 80 && len(h.Hits) > 0 {
		asked = h.Effective
	}
	return strings.TrimSuffix(h.spec.Source+": "+asked, ": ")
}

// rows are the hits of a page that have a row.
func (s *SearchOf[H]) rows(page *PageOf[H]) (rows [][]string) {
	for _, h := range page.Hits {
		if row := s.Rows.Row(h); row != nil {
			rows = append(rows, row)
		}
	}
	return rows
}
