package rag

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/conc"

	"biomcp/entrez/record"
	"biomcp/rag/analyze"
	"biomcp/store"
)

// Searcher answers queries over a corpus.
type Searcher struct {
	Index    Index
	Spare    Index // is searched where Index is unavailable; nil: none
	Corpus   Corpus
	Embedder Embedder         // nil: there is no model yet, or none that can be used
	Unusable error            // why the vectors of the corpus cannot be used, nil if they can
	EmbedBy  time.Time        // when a service must have embedded a query; the zero time: in PersonWait
	Now      func() time.Time // nil: time.Now

	analyzers sync.Pool
}

// Corpus loads documents; *store.Store is one. It is used to match strict queries
// against passages found by meaning.
type Corpus interface {
	DocumentsOf(ctx context.Context, pmids []record.PMID) (map[record.PMID]*store.Document, error)
}

// Options are the options of a search.
type Options struct {
	TopK        int // documents, at most 100
	QualityBias bool
	Filter      store.Filter
}

// Answer is the result of a search.
type Answer struct {
	Results []Result
	Query   Query
	// Words and Near are the numbers of chunks from each search.
	Words, Near int
	// NoModel is set if there are no vectors, NearErr if the search by meaning
	// failed, Approximate if it may have missed some.
	NoModel     bool
	NearErr     error
	Approximate bool
	// Unavailable is why Searcher.Spare was searched.
	Unavailable error
}

// Search searches documents by words and by meaning. If the search by meaning fails,
// Search returns the results by words, and the failure in Answer.NearErr.
func (s *Searcher) Search(ctx context.Context, text string, o Options) (*Answer, error) {
	a, _ := s.analyzers.Get().(*analyze.Analyzer)
	if a == nil {
		a = analyze.New()
	}
	answer := &Answer{Query: ParseQuery(a, text), NoModel: s.Embedder == nil && s.Unusable == nil}
	s.analyzers.Put(a)

	vector := sync.OnceValues(func() ([]float32, error) { return s.embed(ctx, answer.Query) })
	words, near, err := s.hits(ctx, s.Index, answer, vector, o.Filter)
	if failed := cmp.Or(err, answer.NearErr); s.Spare != nil && unavailable(failed) && ctx.Err() == nil {
		answer.Unavailable = failed
		words, near, err = s.hits(ctx, s.Spare, answer, vector, o.Filter)
	}
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	answer.Words, answer.Near = len(words), len(near)
	now := s.Now
	if now == nil {
		now = time.Now
	}
	answer.Results = Fuse(words, near, o.QualityBias, now(), o.TopK)
	return answer, nil
}

// For how long the vector of a query is waited for, at most. A person waits for a
// model to be loaded; an agent has the results by words at once.
const (
	PersonWait = 10 * time.Second
	AgentWait  = 1500 * time.Millisecond
)

// unavailable reports whether err is of an engine that cannot be used for now.
func unavailable(err error) bool {
	var e interface{ Unavailable() bool }
	return errors.As(err, &e) && e.Unavailable()
}

// hits are the chunks that the two searches of an index find.
func (s *Searcher) hits(ctx context.Context, index Index, answer *Answer, vector func() ([]float32, error), f store.Filter) (words, near []store.Hit, err error) {
	var meaning conc.WaitGroup
	meaning.Go(func() { near, answer.Approximate, answer.NearErr = s.near(ctx, index, answer.Query, vector, f) })
	words, err = index.Words(ctx, answer.Query.Lexical, f, PartHits)
	meaning.Wait()
	return words, near, err
}

// near is the search by meaning.
func (s *Searcher) near(ctx context.Context, index Index, q Query, vector func() ([]float32, error), f store.Filter) (hits []store.Hit, approximate bool, err error) {
	if s.Embedder == nil {
		return nil, false, s.Unusable
	}
	v, err := vector()
	if err != nil || v == nil {
		return nil, false, err
	}
	hits, exact, err := index.Near(ctx, v, f, PartHits)
	if err == nil && q.Strict {
		hits, err = s.strict(ctx, hits, q)
	}
	return hits, !exact, err
}

// embed returns the vector of a query, nil if it has none.
func (s *Searcher) embed(ctx context.Context, q Query) ([]float32, error) {
	if len(q.Terms) == 0 {
		return nil, nil
	}
	if local, ok := s.Embedder.(*Local); ok {
		v, err := local.Terms(ctx, [][]string{q.Terms})
		if err != nil {
			return nil, err
		}
		return v[0], nil
	}
	by := s.EmbedBy
	if by.IsZero() {
		by = time.Now().Add(PersonWait)
	}
	if service, ok := s.Embedder.(*Remote); ok {
		return service.Query(ctx, q.Text, by)
	}
	ctx, cancel := context.WithDeadline(ctx, by)
	defer cancel()
	v, err := s.Embedder.Embed(ctx, []string{q.Text})
	if err != nil {
		return nil, err
	}
	if len(v) != 1 {
		return nil, errors.New("the embedder returned no vector for the query")
	}
	return v[0], nil
}

// strict keeps the hits that match the words of the query.
func (s *Searcher) strict(ctx context.Context, hits []store.Hit, q Query) ([]store.Hit, error) {
	var pmids []record.PMID
	for _, h := range hits {
		pmids = append(pmids, h.PMID)
	}
	slices.Sort(pmids)
	docs, err := s.Corpus.DocumentsOf(ctx, slices.Compact(pmids))
	if err != nil {
		return nil, err
	}
	c := NewCutter()
	return slices.DeleteFunc(hits, func(h store.Hit) bool {
		d := docs[h.PMID]
		if d == nil || h.Ordinal >= len(d.Chunks) {
			return true
		}
		return !NewBag(c.Tokens(d.Title, d.Chunks[h.Ordinal].Text, Subjects(d))).Matches(q.Lexical)
	}), nil
}
