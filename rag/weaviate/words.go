package weaviate

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/rag"
	"biomcp/store"
)

const (
	// most is how many objects a server gives to one query, by its default
	// (QUERY_MAXIMUM_RESULTS).
	most = 10000
	// widePage is how many candidates are asked for where the server cannot rank as
	// we do: it knows nothing of phrases, and each shard ranks by its own
	// frequencies.
	widePage = 1000
	// expansions is how many of the terms that begin with a prefix the server
	// ranks by, where more chunks hold one than can be looked at.
	expansions = 40
)

// Words returns the k chunks that score highest for q, best first.
func (x *Index) Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error) {
	filter, err := whereOf(f)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s := &wordSearch{x: x, ctx: ctx, q: plain(q), filter: filter, k: min(k, most), seen: map[rag.Place]bool{}, hits: []store.Hit{}}
	if k <= 0 || hopeless(s.q) {
		return s.hits, nil
	}
	if err := x.Check(ctx); err != nil {
		return nil, err
	}
	x.storing.RLock()
	defer x.storing.RUnlock()
	if err := s.run(); err != nil {
		return nil, err
	}
	slices.SortFunc(s.hits, compareHits)
	return s.hits[:min(k, len(s.hits))], nil
}

// wordSearch is one run of a query.
type wordSearch struct {
	x      *Index
	ctx    context.Context
	q      store.Query
	filter where
	k      int

	leaves leaves
	scorer *scorer
	places bool // the query asks where words stand
	seen   map[rag.Place]bool
	hits   []store.Hit
}

func (s *wordSearch) run() error {
	s.leaves.add(s.q)
	s.places = hasPhrase(s.q)
	page := s.k + s.k/4 + 50
	condition := s.filter
	if !anyWord(s.q) {
		condition = join(filters.And, superset(s.q, false), s.filter)
	}
	if !anyWord(s.q) || s.x.sharded() {
		page = max(page, widePage)
	}
	page = min(page, most)

	// The first page comes with the numbers that scores need.
	ranked := s.words()
	first := argument(condition)
	alone := len(s.leaves.prefixes) > 0 || !scored(s.q) // ranking by words would miss some
	if !alone {
		first += ranked
	}
	found, err := s.x.query(s.ctx, "search", "{"+s.statistics()+" Get{"+s.page("hits", first, page, 0)+"}}")
	if err != nil {
		return err
	}
	if err := s.count(found["Aggregate"]); err != nil || s.scorer.chunks == 0 {
		return err
	}
	list := found["Get"]["hits"]
	s.take(list)
	if len(list) < page {
		return nil // all there are
	}
	if !alone {
		return s.more(first, page, page)
	}
	if ranked = s.expanded(list); ranked != "" {
		if err := s.more(argument(condition)+ranked, page, 0); err != nil {
			return err
		}
	}
	if len(s.hits) < s.k || !scored(s.q) {
		return s.more(argument(condition)+fmt.Sprintf("sort:[{path:[%q] order:asc},{path:[%q] order:asc}] ", propNumber, propOrdinal), page, 0)
	}
	return nil
}

func hasPhrase(q store.Query) bool {
	switch q := q.(type) {
	case store.Phrase:
		return true
	case store.Not:
		return hasPhrase(q.Query)
	case store.And:
		return slices.ContainsFunc(q, hasPhrase)
	case store.Or:
		return slices.ContainsFunc(q, hasPhrase)
	}
	return false
}

// more takes a page, and further ones while there are too few hits: in each the
// server ranks higher than in the next.
func (s *wordSearch) more(arguments string, page, offset int) error {
	for offset < most && (offset == 0 || len(s.hits) < s.k) {
		page = min(page, most-offset)
		found, err := s.x.query(s.ctx, "search", "{Get{"+s.page("hits", arguments, page, offset)+"}}")
		if err != nil {
			return err
		}
		list := found["Get"]["hits"]
		s.take(list)
		if len(list) < page {
			return nil
		}
		offset += page
		page *= 2
	}
	return nil
}

// page is the query of some candidates.
func (s *wordSearch) page(name, arguments string, size, offset int) string {
	fields := hitFields + " " + propTerms + " " + propLength
	if s.places {
		fields += " " + propPlaces
	}
	return s.x.get(name, fmt.Sprintf("%slimit:%d offset:%d", arguments, size, offset), fields)
}

// words is the server's own ranking by the words of the query, each as often as
// its weight says, "" where it has none.
func (s *wordSearch) words() string {
	var list []string
	for _, t := range s.leaves.terms {
		for range min(max(int(math.Round(t.Weight)), 1), 20) {
			list = append(list, t.Text)
		}
	}
	return ranking(list)
}

func ranking(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return fmt.Sprintf("bm25:{query:%s properties:[%q]} ", quote(strings.Join(words, " ")), propTerms)
}

// expanded is the ranking by words where the prefixes stand for the terms that
// are the most frequent in a sample.
func (s *wordSearch) expanded(sample []row) string {
	var list []string
	for _, t := range s.leaves.terms {
		list = append(list, t.Text)
	}
	for _, p := range s.leaves.prefixes {
		in := map[string]int{}
		for _, r := range sample {
			for _, t := range decodeTokens(r.text(propTerms), "") {
				if strings.HasPrefix(t.Term, p.Text) {
					in[t.Term]++
				}
			}
		}
		terms := slices.SortedFunc(maps.Keys(in), func(a, b string) int {
			if in[a] != in[b] {
				return in[b] - in[a]
			}
			return strings.Compare(a, b)
		})
		list = append(list, terms[:min(len(terms), expansions)]...)
	}
	return ranking(list)
}

// statistics asks for the numbers of the whole corpus: chunks, their lengths, and
// how many hold each term and prefix.
func (s *wordSearch) statistics() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Aggregate{all:%s{%s{count sum}}", s.x.class, propLength)
	count := func(name string, i int, w where) {
		fmt.Fprintf(&b, " %s%d:%s(%s){meta{count}}", name, i, s.x.class, w.String())
	}
	for i, t := range s.leaves.terms {
		count("t", i, superset(t, false))
	}
	for i, p := range s.leaves.prefixes {
		count("p", i, superset(p, false))
	}
	return b.String() + "}"
}

// count reads the statistics.
func (s *wordSearch) count(numbers map[string][]row) error {
	one := func(name string) (row, error) {
		if list := numbers[name]; len(list) == 1 {
			return list[0], nil
		}
		return nil, newError(Failed, "search", "the answer lacks the count of chunks")
	}
	all, err := one("all")
	if err != nil {
		return err
	}
	s.scorer = &scorer{chunks: all.row(propLength).number("count"), terms: map[string]float64{}, prefixes: map[string]float64{}}
	s.scorer.average = all.row(propLength).number("sum") / max(s.scorer.chunks, 1)
	for i, t := range s.leaves.terms {
		r, err := one(fmt.Sprint("t", i))
		if err != nil {
			return err
		}
		s.scorer.terms[t.Text] = r.row("meta").number("count")
	}
	for i, p := range s.leaves.prefixes {
		r, err := one(fmt.Sprint("p", i))
		if err != nil {
			return err
		}
		s.scorer.prefixes[p.Text] = r.row("meta").number("count")
	}
	return nil
}

// take adds the candidates that match.
func (s *wordSearch) take(list []row) {
	for _, r := range list {
		h, ok := r.hit()
		place := rag.Place{PMID: h.PMID, Ordinal: h.Ordinal, ChunkID: h.ChunkID}
		if !ok || s.seen[place] {
			continue
		}
		s.seen[place] = true
		chunk := rag.NewBag(decodeTokens(r.text(propTerms), r.text(propPlaces)))
		if chunk.Matches(s.q) {
			h.Score = s.scorer.score(chunk, r.number(propLength), s.q)
			s.hits = append(s.hits, h)
		}
	}
}
