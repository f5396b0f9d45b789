package entity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/skills"
)

// maxCounts is the maximum number of queries with fewer filters to count.
const maxCounts = 6

// suggestAlternatives adds suggestions to an answer without hits: the query in another spelling, its words as a
// record and a section or as filters, the query with fewer filters, and other entities.
func (s *SearchOf[H]) suggestAlternatives(ctx context.Context, in *command.Input, q *Query, res *result.Result) {
	text := q.Text
	if s.Alternatives.Spell != nil && q.Text != "" {
		if better := s.Alternatives.Spell(ctx, in, q.Text); better != "" && !strings.EqualFold(better, q.Text) {
			res.Notice("nothing was found; did you mean “" + better + "”?")
			res.Next = append(res.Next, in.Line([]string{better}))
			text = better
		}
	}
	if line := s.sectionCommand(in.Tree(), q.Text); line != nil {
		res.Next = append(res.Next, line)
	}
	rest, pairs := skills.Filters(in.Path(), text)
	given := func(p string) bool { return in.IsSet(strings.TrimPrefix(p, "--")) }
	if len(pairs) > 0 && s.worthRetrying(ctx, in, text, pairs) && !slices.ContainsFunc(pairs, given) {
		res.Next = append(res.Next, in.Line(rest, pairs...))
	}
	var counts []string
	for _, left := range fewerFilters(q) {
		fewer := *q
		fewer.Filters, fewer.Dates = nil, Span{}
		name := "its filters"
		for i, f := range q.Filters {
			if slices.Contains(left, i) {
				fewer.Filters = append(fewer.Filters, f)
				if f.Flag == "date" {
					fewer.Dates = q.Dates
				}
			} else if len(left) > 0 || len(q.Filters) == 1 {
				if name = f.String(); f.Flag == "date" { // there is no flag --date
					name = "its dates"
				}
			}
		}
		line := in.LineWith(flagsKeeping(q, left)...)
		if s.Alternatives.Count == nil {
			res.Next = append(res.Next, line)
			break
		}
		n, err := s.Alternatives.Count(ctx, in, &fewer)
		if err != nil {
			continue
		}
		counts = append(counts, "without "+name+": "+FormatCount(n, s.Alternatives.MaxCount))
		if n > 0 {
			res.Next = append(res.Next, line)
		}
	}
	if s.Alternatives.OtherSearches != nil {
		lines, hits := s.Alternatives.OtherSearches(ctx, in, q)
		res.Next = append(res.Next, lines...)
		if hits != "" {
			counts = append(counts, hits)
		}
	}
	if len(counts) > 0 {
		res.Notice("hits " + strings.Join(counts, "; "))
	}
}

// sectionCommand returns the get command for a query of the form "<id> <section>", or nil.
func (s *SearchOf[H]) sectionCommand(tree *command.Tree, query string) result.Argv {
	group := tree.Member(tree.Root, "get")
	if group == nil || tree.Member(group, s.Name) == nil {
		return nil
	}
	id, word, _ := strings.Cut(query, " ")
	def := tree.Command(tree.Member(group, s.Name))
	section := sectionFor(word, def.Sections)
	if section == "" || def.IsID != nil && !def.IsID(id) {
		return nil
	}
	return result.Argv{"get", s.Name, id, section}
}

// worthRetrying reports whether a query without hits should be retried as filters. A single filter with
// the whole query as its value helps only if it has other names for the value, such as HER2.
func (s *SearchOf[H]) worthRetrying(ctx context.Context, in *command.Input, query string, pairs []string) bool {
	if len(pairs) > 2 || !strings.EqualFold(pairs[1], query) {
		return true
	}
	i := slices.IndexFunc(s.Filters, func(f Filter) bool { return "--"+f.Flag == pairs[0] })
	if i < 0 || s.Filters[i].OtherNames == nil {
		return false
	}
	other, err := s.Filters[i].OtherNames(ctx, in, pairs[1])
	return err == nil && len(other.Names) > 0
}

// suggestOffline adds a suggestion to the error of an offline search: the local corpus, if it can answer
// the query. It returns any other error unchanged.
func (s *SearchOf[H]) suggestOffline(ctx context.Context, in *command.Input, q *Query, err error) error {
	if !in.IsSet("offline") || s.Alternatives.OtherSearches == nil {
		return err
	}
	lines, _ := s.Alternatives.OtherSearches(ctx, in, q)
	if i := slices.IndexFunc(lines, func(line result.Argv) bool { return line[1] == "corpus" }); i >= 0 {
		return &result.Failure{Code: result.Upstream, Message: err.Error(), Try: lines[i],
			Alternatives: []result.Argv{in.LineWith("--offline", "")}}
	}
	return err
}

// fewerFilters returns lists of indexes of filters to keep: first none of them, then all but one,
// from the last filter to the first, which is usually the subject. It omits a list that would leave
// no query.
func fewerFilters(q *Query) (lists [][]int) {
	if len(q.Filters) == 0 {
		return nil
	}
	if q.Text != "" {
		lists = append(lists, nil)
	}
	for without := range slices.Backward(q.Filters) {
		var left []int
		for i := range q.Filters {
			if i != without {
				left = append(left, i)
			}
		}
		includes := func(i int) bool { return !q.Filters[i].Exclude }
		if len(left) > 0 && len(lists) < maxCounts && (q.Text != "" || slices.ContainsFunc(left, includes)) {
			lists = append(lists, left)
		}
	}
	return lists
}

// flagsKeeping returns the flags that reduce a command line to some of its filters.
func flagsKeeping(q *Query, keep []int) (pairs []string) {
	for i, f := range q.Filters {
		switch kept := slices.Contains(keep, i); {
		case f.Flag == "date" && !kept:
			pairs = append(pairs, "--date-from", "", "--date-to", "", "--date-type", "", "--last", "")
		case f.Flag == "date":
		case !kept:
			pairs = append(pairs, "--"+f.Flag, "")
		case !slices.ContainsFunc(q.Filters, func(g AppliedFilter) bool { return g.Flag == f.Flag && g != f }):
		default: // another value of this flag is removed
			pairs = append(pairs, "--"+f.Flag, f.Value)
		}
	}
	return pairs
}

// FormatCount formats a count. If n reached most, it is "<most> or more"; zero most means no limit.
func FormatCount(n, limit int) string {
	if limit > 0 && n >= limit {
		return fmt.Sprintf("%d or more", limit)
	}
	return fmt.Sprint(n)
}
