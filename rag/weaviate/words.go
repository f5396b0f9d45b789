package weaviate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

const (
	// most is how many objects a server gives to one query, by its default
	// (QUERY_MAXIMUM_RESULTS).
	most = 10000
	// widePage is how many candidates are asked for where the server cannot rank as
	// we do, knowing nothing of phrases and prefixes.
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
	s := &wordSearch{x: x, ctx: ctx, q: plain(q), k: min(k, most), seen: map[rag.Place]bool{}, hits: []store.Hit{}}
	if k <= 0 || hopeless(s.q) {
		return s.hits, nil
	}
	if err := x.Check(ctx); err != nil {
		return nil, err
	}
	s.leaves.add(s.q)
	s.condition = filter
	if !anyWord(s.q) {
		s.condition = join(filters.And, superset(s.q, false), filter)
	}
	x.storing.RLock()
	defer x.storing.RUnlock()
	if flat(s.q) {
		err = s.ranked()
	} else {
		err = s.scored()
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(s.hits, compareHits)
	return s.hits[:min(k, len(s.hits))], nil
}

// wordSearch is one run of a query.
type wordSearch struct {
	x         *Index
	ctx       context.Context
	q         store.Query
	leaves    leaves
	condition where // of the filter and of the query
	k         int

	scorer *scorer // nil: the server's scores are ours
	seen   map[rag.Place]bool
	hits   []store.Hit
}

// ranked answers a query whose scores are the server's own. Some more than are
// wanted are asked for, since it leaves equal ones in an order of its own.
func (s *wordSearch) ranked() error {
	if ranking := s.ranking(); ranking != "" {
		if _, err := s.page(argument(s.condition)+ranking, min(s.k+s.k/4+20, most), 0); err != nil {
			return err
		}
	}
	if scored(s.q) {
		return nil
	}
	return s.fill(most)
}

// scored answers a query by candidates that are held against it, and scored, here.
func (s *wordSearch) scored() error {
	terms, all, err := s.statistics()
	if err != nil || s.scorer.chunks == 0 {
		return err
	}
	if ranking := rankedBy(terms); ranking != "" {
		if err := s.pages(argument(s.condition)+ranking, min(max(2*s.k, widePage), most)); err != nil {
			return err
		}
	}
	if all && scored(s.q) {
		return nil
	}
	return s.fill(widePage)
}

// fill adds, where there are too few hits, what the server has not ranked, in the
// order of PMID.
func (s *wordSearch) fill(size int) error {
	if len(s.hits) >= s.k {
		return nil
	}
	between := func(after, last record.PMID) ([]row, error) {
		return s.x.between(s.ctx, s.condition, s.fields(), after, last, size)
	}
	for r, err := range ascending(0, size, between) {
		if err != nil {
			return err
		}
		if s.take([]row{r}); len(s.hits) >= s.k {
			break
		}
	}
	return nil
}

// pages takes a page, and further ones while there are too few hits: in each the
// server ranks higher than in the next.
func (s *wordSearch) pages(arguments string, size int) error {
	for offset := 0; offset < most && (offset == 0 || len(s.hits) < s.k); size *= 2 {
		size = min(size, most-offset)
		list, err := s.page(arguments, size, offset)
		if err != nil || len(list) < size {
			return err
		}
		offset += size
	}
	return nil
}

// page asks for some candidates and takes them.
func (s *wordSearch) page(arguments string, size, offset int) ([]row, error) {
	query := s.x.get("hits", fmt.Sprintf("%slimit:%d offset:%d", arguments, size, offset), s.fields())
	found, err := s.x.query(s.ctx, "search", "{Get{"+query+"}}")
	if err != nil {
		return nil, err
	}
	list, ok := found["Get"]["hits"]
	if !ok {
		return nil, newError(Failed, "search", "the answer lacks what was asked for")
	}
	s.take(list)
	return list, nil
}

// fields are what is asked of each candidate.
func (s *wordSearch) fields() string {
	switch {
	case s.scorer == nil:
		return hitFields + " _additional{score}"
	case hasPhrase(s.q):
		return hitFields + " " + propTerms + " " + propLength + " " + propPlaces
	}
	return hitFields + " " + propTerms + " " + propLength
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
		if s.scorer == nil {
			h.Score = r.score()
		} else {
			chunk := rag.NewBag(decodeTokens(r.text(propTerms), r.text(propPlaces)))
			if !chunk.Matches(s.q) {
				continue
			}
			h.Score = s.scorer.score(chunk, r.number(propLength), s.q)
		}
		s.hits = append(s.hits, h)
	}
}

// score is the server's, which it writes as a text; 0 where it has not ranked.
func (r row) score() float64 {
	n, err := strconv.ParseFloat(r.row("_additional").text("score"), 64)
	if err != nil {
		return 0
	}
	return n
}

// ranking is the server's own by the words of the query, each as often as its
// weight says, "" where it has none.
func (s *wordSearch) ranking() string {
	var words []string
	for _, t := range s.leaves.terms {
		for range times(t.Weight) {
			words = append(words, t.Text)
		}
	}
	return rankedBy(words)
}

func rankedBy(words []string) string {
	if len(words) == 0 {
		return ""
	}
	return fmt.Sprintf("bm25:{query:%s properties:[%q]} ", quote(strings.Join(words, " ")), propTerms)
}
