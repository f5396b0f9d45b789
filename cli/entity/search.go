package entity

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/advice"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
)

// SearchOf describes a search whose hits have the type H, a pointer. Write it as [SearchSpec].
type SearchOf[H any] struct {
	Name        string   // name of the entity: "article"
	Synonyms    []string // synonyms of the entity, if it has no get command
	Placeholder string   // placeholder of the query: "<term>"; "[query]" if filters suffice; "" if there are only filters
	// AllowEmpty allows a search without a query and filters, which returns everything.
	AllowEmpty bool
	// Command holds the texts and examples of the search, and flags in addition to those of the
	// spec.
	Command command.Command
	Source  string   // name of the source in messages and the title: "PubMed"
	Sources []string // services, for the sources of the answer: "PubMed ESearch"
	// Key and Label name the section of the hits: "results", "Headings". If Key is empty, the page
	// provides all sections itself.
	Key, Label string
	// Members lists the members of a hit's JSON in the answer, if hits are records as get returns
	// them. If nil, a hit has all members.
	Members []string

	// Check returns an error for an invalid query. If nil, any short line of text is valid.
	Check   func(query string) error
	Filters []Filter
	Strict  bool                         // adds --strict, which fails if the source drops a part of the query
	Sorts   []string                     // values of --sort, the first is the default; if empty there is no --sort
	Aliases map[string]string            // synonyms of values of --sort, with the value each stands for
	Counts  bool                         // adds --count, which equals --limit 0: only the number of hits
	Unpaged func(in *command.Input) bool // reports whether the answer has no pages, as with --count; may be nil
	Pages   Pages

	// Find requests one page from the source.
	Find         func(ctx context.Context, in *command.Input, q *Query) (*PageOf[H], error)
	Rows         RowsOf[H] // formats the hits
	Forms        []string  // flags for other forms of the answer, besides --csv and --tsv
	Alternatives Alternatives
	// Next suggests commands about the first hit.
	Next func(h H) []result.Argv
}

// Pages describes how a search divides its hits into pages.
type Pages struct {
	Limit, Max int // default and maximum of --limit; zero Limit means no pages
	// Tokens reports whether pages come only in order, each with a token for the next one. The
	// search then has --page-token, which cannot be used with --offset.
	Tokens bool
	// Window is the number of hits that can be reached; zero means all. With the order DeepSort all
	// can be reached.
	Window   int
	DeepSort string
	// Data returns the maximum number of hits in an answer for another program, such as --csv,
	// which is also the default of --limit there. If nil, it is [MaxRows].
	Data func(in *command.Input) int
}

// Search returns the command of a spec.
func Search[H any](s SearchOf[H]) *command.Command {
	c := s.Command
	c.Use, c.Synonyms, c.Effect, c.Flags = s.usage(), s.Synonyms, command.Reads, s.flags
	c.Run = func(ctx context.Context, in *command.Input) (*result.Result, error) { return s.run(ctx, in) }
	c.Check = func(in *command.Input) error {
		_, err := s.readQuery(in)
		return cmp.Or(err, CheckForms(in, s.Forms...))
	}
	if s.Placeholder != "" {
		c.Args = command.Args{Max: 1, Name: "a " + strings.Trim(s.Placeholder, "[]<>."), FreeText: true}
		if c.Separate != nil {
			c.Args.Max = -1
		}
	}
	if s.Rows.Columns != nil && len(c.Examples) > 0 {
		c.Examples = command.WithBulk(c.Examples, c.Examples[0].Line+" --csv", "all of them, as a table for a spreadsheet")
	}
	if strings.HasPrefix(s.Placeholder, "<") {
		c.Args.Min = 1
	}
	return &c
}

// run runs a search: it reads the query, requests a page, checks it and returns the answer.
func (s *SearchOf[H]) run(ctx context.Context, in *command.Input) (*result.Result, error) {
	q, err := s.readQuery(in)
	if err != nil {
		return nil, err
	}
	if err := CheckForms(in, s.Forms...); err != nil {
		return nil, err
	}
	s.resolveNames(ctx, in, q)
	advise := s.advice(in)
	page, err := s.Find(ctx, in, q)
	if err != nil {
		return nil, advise.Offline(ctx, in, q, err)
	}
	broader, corrected, err := s.checkReply(ctx, in, advise, q, page)
	if err != nil {
		return nil, err
	}
	page.Retrieved = max(page.Retrieved, len(page.Hits))
	state, short := s.stateOf(q, page)
	if page.Describe != nil && (len(page.Hits) > 0 || s.Unpaged != nil && s.Unpaged(in)) {
		if err := page.Describe(ctx); err != nil {
			return nil, err
		}
	}
	res := s.answer(q, page, state)
	res.Notices = slices.Concat(broader, q.Notices, short, page.Notices)
	if corrected != nil {
		res.Next = append(res.Next, corrected)
	}
	noHits := page.Retrieved == 0 && (page.Total == nil || *page.Total == 0)
	if noHits && q.Offset == 0 && !in.Nested {
		advise.NoHits(ctx, in, q, res)
	}
	s.addNext(in, q, page, res)
	if s.Pages.Limit > 0 && q.Limit > 0 {
		s.addPages(in, q, page, res)
	}
	if IsData(in) {
		if err := s.export(in, page, res); err != nil {
			return nil, err
		}
	}
	return res, page.Err
}

// stateOf returns the state of the hits, and a notice if the source sent fewer than it counts.
func (s *SearchOf[H]) stateOf(q *Query, page *PageOf[H]) (state result.State, short []string) {
	state = cmp.Or(page.State, DataOrEmpty(len(page.Hits)))
	if page.State == "" && q.Limit == 0 && page.Total != nil { // the search only counted the hits
		state = DataOrEmpty(*page.Total)
	}
	if promised := s.expectedHits(q, page.Total); page.Retrieved < promised {
		return result.Degraded, []string{fmt.Sprintf("%s counts %d hits, %d of them for this page, and gave %d", s.Source,
			*page.Total, promised, page.Retrieved)}
	}
	return state, nil
}

// answer returns the page as an answer with its sections.
func (s *SearchOf[H]) answer(q *Query, page *PageOf[H], state result.State) *result.Result {
	if page.Columns == nil {
		page.Columns = s.Rows.Columns
	}
	hits := &HitsOf[H]{q, page, s}
	res := &result.Result{Payload: hits, Sections: page.Sections, Smaller: page.Smaller, Rest: page.Rest}
	if page.Payload != nil {
		res.Payload = page.Payload(hits)
	}
	if s.Key != "" {
		all := result.SectionSource{Key: s.Key, Label: s.Label, Outcome: state, Sources: s.Sources}
		if page.Sources != nil {
			all.Sources = page.Sources
		}
		res.Sections = append([]result.SectionSource{all}, page.Sections...)
	}
	return res
}

// addNext adds the commands about the first hit and for more hits.
func (s *SearchOf[H]) addNext(in *command.Input, q *Query, page *PageOf[H], res *result.Result) {
	if n := len(page.Hits); n > 0 && s.Next != nil {
		next := s.Next(page.Hits[0])
		res.Next = append(res.Next, next...)
		onlyHit := n == 1 && page.Retrieved == 1 && q.Offset == 0 && (page.Total == nil || *page.Total == 1)
		if onlyHit && !IsData(in) && len(next) > 0 {
			res.SingleHit = next[0]
		}
	}
	if page.MoreHits != nil {
		res.Next = append(res.Next, page.MoreHits)
	}
}

// advice describes the search to package advice.
func (s *SearchOf[H]) advice(in *command.Input) *advice.Search {
	return &advice.Search{Name: s.Name, Source: s.Source, Filters: s.Filters, Strict: s.Strict && in.Bool("strict"),
		Alternatives: s.Alternatives}
}

// checkReply marks the parts of the query that the source dropped. It removes the hits if nothing of the
// query was left, and returns an error if the answer would mislead.
func (s *SearchOf[H]) checkReply(ctx context.Context, in *command.Input, advise *advice.Search, q *Query, page *PageOf[H]) (
	broader []string, corrected result.Argv, err error,
) {
	page.Dropped = advice.WithoutWholeLists(q, page.Dropped)
	if advice.AllDropped(q, page.Dropped) { // its hits match none of the query's words
		page.Hits, page.Total, page.Retrieved, page.Next, page.Describe = nil, new(int), 0, "", nil
		page.Notices = append(page.Notices,
			"the source dropped every word of the query; hits for the rest are not shown")
	}
	reply := &advice.Reply{Dropped: page.Dropped, Total: page.Total, Hits: len(page.Hits), Effective: page.Effective,
		IsData: s.isData(in), Notices: page.Notices}
	broader, corrected, err = advise.Broader(ctx, in, q, reply)
	page.Notices = reply.Notices
	return broader, corrected, err
}

// maxOffset is larger than the number of hits of any search.
const maxOffset = 1_000_000_000

// readQuery returns the query of a command line.
func (s *SearchOf[H]) readQuery(in *command.Input) (*Query, error) {
	help := []string{"search", s.Name, "--help"}
	q := &Query{Filters: []AppliedFilter{}}
	if len(in.Args) > 0 {
		between := " "
		if s.Command.Separate != nil {
			between = "\n" // each argument is a text by itself
		}
		q.Text = strings.TrimSpace(strings.Join(in.Args, between))
		check := s.Check
		if check == nil {
			check = func(text string) error {
				if err := query.CheckTerm(text, help...); err != nil || !s.Strict {
					return err
				}
				return query.CheckBalance("the query", text, help...)
			}
		}
		err := check(q.Text)
		for _, f := range s.Filters {
			if f.MatchesQuery == nil || !f.MatchesQuery(q.Text) || in.Given(f.Flag) {
				continue
			}
			why := fmt.Sprintf("%q is a value of --%s, not a word", command.Clip(q.Text), f.Flag)
			if err != nil {
				why = err.Error()
			}
			return nil, result.Invalid(why, in.Line(nil, "--"+f.Flag, q.Text)...)
		}
		if err != nil {
			return nil, query.SuggestBalanced(err, q.Text, check, func(text string) result.Argv { return in.Line([]string{text}) })
		}
	}
	for i := range s.Filters {
		if err := s.Filters[i].Read(in, q, help); err != nil {
			return nil, err
		}
	}
	includes := func(f AppliedFilter) bool { return !f.Exclude }
	needsQuery := strings.HasPrefix(s.Placeholder, "[") && !s.AllowEmpty
	if needsQuery && q.Text == "" && !slices.ContainsFunc(q.Filters, includes) {
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

// readPage reads and checks the flags of the page. It lowers the limit if the page exceeds the window.
func (s *SearchOf[H]) readPage(in *command.Input, q *Query) error {
	counted := s.Counts && (in.Bool("count") || in.Int("limit") == 0)
	offset, err := in.Offset()
	forms := slices.Concat(dataFlags, s.Forms)
	form := slices.IndexFunc(forms, in.IsSet)
	switch {
	case err != nil:
		return err
	case counted && form >= 0:
		return result.Invalid("--limit 0 cannot be used with --"+forms[form],
			in.LineWith("--"+forms[form], "", "--fields", "")...)
	case counted && offset > 0:
		return result.Invalid("--limit 0 cannot be used with --offset", in.LineWith("--offset", "")...)
	case s.Counts && form < 0 && in.Int("limit") < 0:
		return result.Invalid(fmt.Sprintf("--limit must be at least 0, not %d", in.Int("limit")),
			in.LineWith("--limit", fmt.Sprint(s.Pages.Limit))...)
	case counted, s.Unpaged != nil && s.Unpaged(in):
		return nil
	}
	limit, lowered, err := in.Limit()
	if err != nil {
		return err
	}
	if s.isData(in) {
		limit, lowered = s.dataLimit(in, offset)
	}
	q.Limit, q.Offset = limit, offset
	if lowered != "" {
		q.Notices = append(q.Notices, lowered)
	}
	if offset > maxOffset {
		return result.Invalid(fmt.Sprintf("--offset must be at most %d, not %d", maxOffset, offset),
			in.LineWith("--offset", "0")...)
	}
	return s.fitWindow(in, q)
}

// fitWindow lowers the limit if the page exceeds the window. It returns an error if the page begins after
// the window.
func (s *SearchOf[H]) fitWindow(in *command.Input, q *Query) error {
	var deep string
	switch {
	case s.Pages.Window == 0 || q.Sort != "" && q.Sort == s.Pages.DeepSort || q.Offset+q.Limit <= s.Pages.Window:
		return nil
	case q.Offset >= s.Pages.Window && s.Pages.DeepSort == "":
		return result.Invalid(fmt.Sprintf("%s gives the first %d hits only, and --offset is %d", s.Source,
			s.Pages.Window, q.Offset), in.LineWith("--offset", "0")...)
	case q.Offset >= s.Pages.Window:
		return result.Invalid(fmt.Sprintf("%s gives the first %d hits only; --offset %d works with --sort %s",
			s.Source, s.Pages.Window, q.Offset, s.Pages.DeepSort),
			in.LineWith("--sort", s.Pages.DeepSort)...)
	case s.Pages.DeepSort != "":
		deep = ", except with --sort " + s.Pages.DeepSort
	}
	q.Limit = s.Pages.Window - q.Offset
	q.Notices = append(q.Notices,
		fmt.Sprintf("limit lowered to %d: %s gives the first %d hits only%s", q.Limit, s.Source, s.Pages.Window, deep))
	return nil
}

// DataOrEmpty returns the state of an answer with n hits.
func DataOrEmpty(n int) result.State {
	if n == 0 {
		return result.Empty
	}
	return result.Data
}
