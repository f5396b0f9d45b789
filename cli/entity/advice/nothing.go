package advice

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
	"biomcp/skills"
)

// maxCounts is the maximum number of queries with fewer filters to count.
const maxCounts = 6

// noHits collects suggestions for a search without hits.
type noHits struct {
	*Search
	in   *command.Input
	q    *query.Query
	res  *result.Result
	text string   // the text of the query, in a better spelling if there is one
	hits []string // the numbers of hits of other searches
}

// suggest adds lines to the answer.
func (n *noHits) suggest(lines ...result.Argv) { n.res.Next = append(n.res.Next, lines...) }

// noticeCounts adds the numbers of hits of other searches to the answer.
func (n *noHits) noticeCounts() {
	if len(n.hits) > 0 {
		n.res.Notice("hits " + strings.Join(n.hits, "; "))
	}
}

// otherSpelling suggests the query in a better spelling.
func otherSpelling(ctx context.Context, n *noHits) {
	if n.Spell == nil || n.q.Text == "" {
		return
	}
	better := n.Spell(ctx, n.in, n.q.Text)
	if better == "" || strings.EqualFold(better, n.q.Text) {
		return
	}
	n.res.Notice("nothing was found; did you mean “" + better + "”?")
	n.suggest(n.in.Line([]string{better}))
	n.text = better
}

// sectionOfRecord suggests get for a query of the form "<id> <section>".
func sectionOfRecord(_ context.Context, n *noHits) {
	tree := n.in.Tree()
	group := tree.Member(tree.Root, "get")
	if group == nil || tree.Member(group, n.Name) == nil {
		return
	}
	id, word, _ := strings.Cut(n.q.Text, " ")
	def := tree.Command(tree.Member(group, n.Name))
	if section := SectionFor(word, def.Sections); section != "" && (def.IsID == nil || def.IsID(id)) {
		n.suggest(result.Argv{"get", n.Name, id, section})
	}
}

// wordsAsFilters suggests the query with filters for some of its words.
func wordsAsFilters(ctx context.Context, n *noHits) {
	rest, pairs := skills.Filters(n.in.Path(), n.text)
	given := func(p string) bool { return n.in.IsSet(strings.TrimPrefix(p, "--")) }
	if len(pairs) > 0 && n.worthRetrying(ctx, n.in, n.text, pairs) && !slices.ContainsFunc(pairs, given) {
		n.suggest(n.in.Line(rest, pairs...))
	}
}

// fewerFilters suggests the query with fewer filters, if that has hits. If the source cannot count
// them, or does not know all words of the query, it suggests the query without filters.
func fewerFilters(ctx context.Context, n *noHits) {
	var uncounted result.Argv // the first line whose hits cannot be counted
	defer func() {
		if len(n.hits) == 0 && uncounted != nil {
			n.suggest(uncounted)
		}
	}()
	for _, keep := range filtersToKeep(n.q) {
		line := n.in.LineWith(flagsKeeping(n.q, keep)...)
		if n.Count == nil {
			n.suggest(line)
			return
		}
		fewer, removed := keepFilters(n.q, keep)
		hits, err := n.Count(ctx, n.in, fewer)
		if err != nil {
			if uncounted == nil {
				uncounted = line
			}
			continue
		}
		n.hits = append(n.hits, "without "+removed+": "+FormatCount(hits, n.MaxCount))
		if hits > 0 {
			n.suggest(line)
		}
	}
}

// otherSearches suggests searches of other entities.
func otherSearches(ctx context.Context, n *noHits) {
	if n.OtherSearches == nil {
		return
	}
	lines, hits := n.OtherSearches(ctx, n.in, n.q)
	n.suggest(lines...)
	if hits != "" {
		n.hits = append(n.hits, hits)
	}
}

// fewerWords suggests the first words of a query of plain words, as many as have hits without filters, if nothing
// else is suggested.
func fewerWords(ctx context.Context, n *noHits) {
	list := strings.Fields(n.q.Text)
	hasSyntax := func(w string) bool {
		return strings.ContainsAny(w, `"()[]:*~|{}`) || slices.Contains([]string{"AND", "OR", "NOT"}, w)
	}
	if len(n.res.Next) > 0 || n.Count == nil || len(list) > maxCounts || slices.ContainsFunc(list, hasSyntax) {
		return
	}
	for i := len(list) - 1; i > 0; i-- {
		fewer, _ := keepFilters(n.q, nil)
		fewer.Text = strings.Join(list[:i], " ")
		hits, err := n.Count(ctx, n.in, fewer)
		if err != nil || hits == 0 {
			continue
		}
		n.hits = append(n.hits, "for “"+fewer.Text+"” alone: "+FormatCount(hits, n.MaxCount))
		n.suggest(n.in.Line([]string{fewer.Text}, flagsKeeping(n.q, nil)...))
		return
	}
}

// elsewhere suggests commands that look for the words of the query in other places if nothing else is
// suggested: as a name, or in other entities. For a query of filters alone it suggests the help.
func elsewhere(_ context.Context, n *noHits) {
	if len(n.res.Next) > 0 {
		return
	}
	if n.q.Text == "" {
		n.suggest(append(n.in.Path(), "--help"))
		return
	}
	root := n.in.Tree().Root
	if n.in.Tree().Member(root, "discover") != nil {
		n.suggest(result.Argv{"discover", n.q.Text})
	}
	if group := n.in.Tree().Member(root, "search"); group != nil && n.in.Tree().Member(group, "all") != nil {
		n.suggest(result.Argv{"search", "all", n.q.Text})
	}
}

// keepFilters returns q with some of its filters, and the name of the removed ones.
func keepFilters(q *query.Query, keep []int) (fewer *query.Query, removed string) {
	fewer = new(*q)
	fewer.Filters, fewer.Dates, removed = nil, query.Span{}, "its filters"
	for i, f := range q.Filters {
		if slices.Contains(keep, i) {
			fewer.Filters = append(fewer.Filters, f)
			if f.Flag == "date" {
				fewer.Dates = q.Dates
			}
		} else if len(keep) > 0 || len(q.Filters) == 1 {
			if removed = f.String(); f.Flag == "date" { // there is no flag --date
				removed = "its dates"
			}
		}
	}
	return fewer, removed
}

// worthRetrying reports whether a text without hits should be retried as filters. A single filter with
// the whole query as its value helps only if it has other names for the value, such as HER2.
func (s *Search) worthRetrying(ctx context.Context, in *command.Input, text string, pairs []string) bool {
	if len(pairs) > 2 || !strings.EqualFold(pairs[1], text) {
		return true
	}
	i := slices.IndexFunc(s.Filters, func(f query.Filter) bool { return "--"+f.Flag == pairs[0] })
	if i < 0 || s.Filters[i].OtherNames == nil {
		return false
	}
	other, err := s.Filters[i].OtherNames(ctx, in, pairs[1])
	return err == nil && len(other.Names) > 0
}

// Offline adds a suggestion to the error of an offline search: the local corpus, if it can answer
// the query. It returns any other error unchanged.
func (s *Search) Offline(ctx context.Context, in *command.Input, q *query.Query, err error) error {
	if !in.IsSet("offline") || s.OtherSearches == nil {
		return err
	}
	lines, _ := s.OtherSearches(ctx, in, q)
	if i := slices.IndexFunc(lines, func(line result.Argv) bool { return line[1] == "corpus" }); i >= 0 {
		return &result.Failure{Code: result.Upstream, Message: err.Error(), Try: lines[i],
			Alternatives: []result.Argv{in.LineWith("--offline", "")}}
	}
	return err
}

// filtersToKeep returns lists of indexes of filters to keep: first none of them, then all but one,
// from the last filter to the first, which is usually the subject. It omits a list that would leave
// no query.
func filtersToKeep(q *query.Query) (lists [][]int) {
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
func flagsKeeping(q *query.Query, keep []int) (pairs []string) {
	for i, f := range q.Filters {
		switch kept := slices.Contains(keep, i); {
		case f.Flag == "date" && !kept:
			pairs = append(pairs, "--date-from", "", "--date-to", "", "--date-type", "", "--last", "")
		case f.Flag == "date":
		case !kept:
			pairs = append(pairs, "--"+f.Flag, "")
		case !slices.ContainsFunc(q.Filters, func(g query.AppliedFilter) bool { return g.Flag == f.Flag && g != f }):
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
