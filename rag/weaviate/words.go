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
	// maxResults is the maximum number of objects that a server returns for a query by default
	// (QUERY_MAXIMUM_RESULTS).
	maxResults = 10000
	// widePage is the number of candidates to request if this package scores them, because the
	// query has phrases or prefixes.
	widePage = 1000
	// expansions is the maximum number of terms with a prefix that the server ranks by.
	expansions = 40
)

// Words returns the k chunks with the highest scores for q, best first.
func (x *Index) Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error) {
	filter, err := filterClause(f)
	if err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	s := &wordSearch{
		x: x, ctx: ctx, q: plain(q), k: min(k, maxResults),
		seen: map[rag.Place]bool{}, hits: []store.Hit{},
	}
	if k <= 0 || matchesNothing(s.q) {
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
		err = s.searchByServer()
	} else {
		err = s.searchCandidates()
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(s.hits, compareHits)
	return s.hits[:min(k, len(s.hits))], nil
}

// A wordSearch is one run of a query.
type wordSearch struct {
	x         *Index
	ctx       context.Context
	q         store.Query
	leaves    leaves
	condition clause // condition of the filter and the query
	k         int

	scorer *scorer // nil if the server computes the scores
	seen   map[rag.Place]bool
	hits   []store.Hit
	// passages holds the words of all passages of the candidates' documents, if the query has
	// conditions on documents.
	passages map[record.PMID][]rag.Bag
}

// searchByServer answers a query that the server can score. It requests more hits than k,
// because the server returns hits with equal scores in any order.
func (s *wordSearch) searchByServer() error {
	if ranking := s.ranking(); ranking != "" {
		if _, err := s.page(argument(s.condition)+ranking, min(s.k+s.k/4+20, maxResults), 0); err != nil {
			return err
		}
	}
	if hasLeaf(s.q) {
		return nil
	}
	return s.fill(maxResults)
}

// searchCandidates requests candidates, and matches and scores them itself.
func (s *wordSearch) searchCandidates() error {
	terms, all, err := s.statistics()
	if err != nil || s.scorer.chunks == 0 {
		return err
	}
	if ranking := rankedBy(terms); ranking != "" {
		if err := s.pages(argument(s.condition)+ranking, min(max(2*s.k, widePage), maxResults)); err != nil {
			return err
		}
	}
	if all && hasLeaf(s.q) {
		return nil
	}
	return s.fill(widePage)
}

// fill adds matches that the server has not ranked, in the order of PMID, until there are k
// hits.
func (s *wordSearch) fill(size int) error {
	if len(s.hits) >= s.k {
		return nil
	}
	between := func(after, last record.PMID) ([]row, error) {
		list, err := s.x.listRange(s.ctx, s.condition, s.fields(), after, last, size)
		if err != nil {
			return nil, err
		}
		return list, s.loadPassages(list)
	}
	for r, err := range ascending(0, size, between) {
		if err != nil {
			return err
		}
		if s.addMatches([]row{r}); len(s.hits) >= s.k {
			break
		}
	}
	return nil
}

// pages requests pages of candidates, best first, until there are k hits.
func (s *wordSearch) pages(arguments string, size int) error {
	for offset := 0; offset < maxResults && (offset == 0 || len(s.hits) < s.k); size *= 2 {
		size = min(size, maxResults-offset)
		list, err := s.page(arguments, size, offset)
		if err != nil || len(list) < size {
			return err
		}
		offset += size
	}
	return nil
}

// page requests one page of candidates and adds those that match.
func (s *wordSearch) page(arguments string, size, offset int) ([]row, error) {
	query := s.x.get("hits", fmt.Sprintf("%slimit:%d offset:%d", arguments, size, offset), s.fields())
	found, err := s.x.query(s.ctx, "search", "{Get{"+query+"}}")
	if err != nil {
		return nil, err
	}
	list, ok := found["Get"]["hits"]
	if !ok {
		return nil, newError(Failed, "search", "the reply lacks the hits")
	}
	if err := s.loadPassages(list); err != nil {
		return nil, err
	}
	s.addMatches(list)
	return list, nil
}

// fields returns the fields to request for each candidate.
func (s *wordSearch) fields() string {
	switch {
	case s.scorer == nil:
		return hitFields + " _additional{score}"
	case hasPhrase(s.q):
		return hitFields + " " + propTerms + " " + propLength + " " + propPlaces
	}
	return hitFields + " " + propTerms + " " + propLength
}

// addMatches adds the matching candidates to the hits.
func (s *wordSearch) addMatches(list []row) {
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
			chunk, q := r.bag(), s.q
			if s.passages != nil {
				q = rag.Resolve(q, s.passages[h.PMID])
			}
			if !chunk.Matches(q) {
				continue
			}
			h.Score = s.scorer.score(chunk, r.number(propLength), q)
		}
		s.hits = append(s.hits, h)
	}
}

// score returns the server's score, which is a string in the reply, or zero if it has not
// ranked the object.
func (r row) score() float64 {
	n, err := strconv.ParseFloat(r.row("_additional").text("score"), 64)
	if err != nil {
		return 0
	}
	return n
}

// ranking returns the argument that ranks by the words of the query, each repeated by its
// weight, or "" if the query has no words.
func (s *wordSearch) ranking() string {
	var words []string
	for _, t := range s.leaves.terms {
		for range repetitions(t.Weight) {
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

// bag returns the terms of a chunk, with their positions if they were requested.
func (r row) bag() rag.Bag { return rag.NewBag(decodeTokens(r.text(propTerms), r.text(propPlaces))) }

// loadPassages reads all passages of the documents in list, if the query has conditions on documents.
func (s *wordSearch) loadPassages(list []row) error {
	if !hasDocuments(s.q) || len(list) == 0 {
		return nil
	}
	s.passages = map[record.PMID][]rag.Bag{}
	var pmids []record.PMID
	for _, r := range list {
		if h, ok := r.hit(); ok && s.passages[h.PMID] == nil {
			s.passages[h.PMID] = []rag.Bag{}
			pmids = append(pmids, h.PMID)
		}
	}
	for part := range slices.Chunk(pmids, widePage) {
		if err := s.addPassages(part); err != nil {
			return err
		}
	}
	return nil
}

// addPassages reads the passages of some documents, of which at most maxResults are answered at a time.
func (s *wordSearch) addPassages(pmids []record.PMID) error {
	of, err := filterClause(store.Filter{PMIDs: pmids})
	if err != nil {
		return err
	}
	list, err := s.x.listRange(s.ctx, of, s.fields(), 0, record.MaxPMID, maxResults)
	if err != nil {
		return err
	}
	if len(list) == maxResults && len(pmids) > 1 { // some may be missing
		half := len(pmids) / 2
		if err := s.addPassages(pmids[:half]); err != nil {
			return err
		}
		return s.addPassages(pmids[half:])
	}
	for _, r := range list {
		h, _ := r.hit()
		s.passages[h.PMID] = append(s.passages[h.PMID], r.bag())
	}
	return nil
}
