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
	Index     Finder
	Spare     Finder // is searched where Index is unavailable; nil: none
	Corpus    Corpus
	Embedder  Embedder         // nil: there is no model yet, or none that can be used
	Unusable  error            // why the vectors of the corpus cannot be used, nil if they can
	Second    *Second          // is compared as well where Embedder is a service, nil for none
	Thesaurus Thesaurus        // by which queries are widened, nil for none
	EmbedBy   time.Time        // when a service must have embedded a query; the zero time: in PersonWait
	Now       func() time.Time // nil: time.Now

	analyzers sync.Pool
}

// Second is the corpus's own model next to the one of a service, with the index of
// its vectors, and the one that is searched if that is unavailable, nil for none.
type Second struct {
	Model        *Local
	Index, Spare Nearer
}

// Corpus loads documents and counts the chunks with a term; *store.Store is one. It is used
// to match strict queries against passages found by meaning, and to find misspelt words.
type Corpus interface {
	DocumentsOf(ctx context.Context, pmids []record.PMID) (map[record.PMID]*store.Document, error)
	DocFreq(ctx context.Context, terms ...string) ([]int64, error)
}

// Options are the options of a search.
type Options struct {
	TopK        int // documents, at most 100
	QualityBias bool
	Filter      store.Filter
	Seeds       Seeds // documents like which others are searched for, next to the query or without
	Recall      bool  // the words of the best hits are searched for too
}

// Answer is the result of a search.
type Answer struct {
	Results []Result
	More    bool // documents were found beyond Options.TopK
	Query   Query
	// Words, Near and Local are the numbers of chunks from each search.
	Words, Near, Local int
	// Shares are the weights of the searches.
	Shares Shares
	// Again are the first documents, with which the hits by meaning were compared too;
	// ByHeadings is set if by their headings as well.
	Again      []record.PMID
	ByHeadings bool
	// Documents are what was read of the results.
	Documents map[record.PMID]*store.Document
	// NoModel is set if there are no vectors, NearErr if the search by meaning
	// failed, LocalErr if that by the corpus's own vectors next to it did.
	NoModel  bool
	NearErr  error
	LocalErr error
	// WidenErr is set if the names could not be read by which the query would be widened.
	WidenErr error
	// Misspelt are the words of the query that are perhaps misspelt. Corrected is the
	// query that was searched for in its place, as nothing was found for it; "" if none was.
	Misspelt  []Misspelt
	Corrected string
	// MissingSeeds are not in the corpus.
	MissingSeeds []record.PMID
	// Unavailable is why Searcher.Spare was searched.
	Unavailable error
}

// Search searches documents by words and by meaning. If a search by meaning fails,
// Search returns the results of the others, and the failure in the Answer.
func (s *Searcher) Search(ctx context.Context, text string, o Options) (*Answer, error) {
	a, _ := s.analyzers.Get().(*analyze.Analyzer)
	if a == nil {
		a = analyze.New()
	}
	answer := &Answer{Query: ParseQuery(a, text), NoModel: s.Embedder == nil && s.Unusable == nil}
	answer.WidenErr = answer.Query.widen(ctx, a, s.Thesaurus)
	words, _ := a.Tokens(nil, text, 0)
	defer s.analyzers.Put(a)

	run := run{Searcher: s, answer: answer, filter: o.Filter, analyzer: a, title: titleTerm(words)}
	typed := func() ([]float32, error) { return s.embed(ctx, answer.Query) }
	run.own = func() ([]float32, error) { return s.Second.Model.query(ctx, answer.Query) }
	if len(o.Seeds.Like)+len(o.Seeds.Not) > 0 {
		like, not, missing, err := o.Seeds.documents(ctx, s.Corpus)
		if err == nil {
			err = s.likeQuery(ctx, &answer.Query, like, not)
		}
		if err != nil {
			return nil, err
		}
		answer.MissingSeeds, run.title, run.like = missing, "", like
		typed = likeOf(ctx, like, not, typed, s.Index, s.Spare)
		if s.Second != nil {
			run.own = likeOf(ctx, like, not, run.own, s.Second.Index, s.Second.Spare)
		}
	}
	run.vector = sync.OnceValues(typed)
	hits, err := run.hits(ctx, false)
	if failed := cmp.Or(err, answer.NearErr); s.Spare != nil && unavailable(failed) && ctx.Err() == nil {
		answer.Unavailable = failed
		hits, err = run.hits(ctx, true)
	}
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	now := s.Now
	if now == nil {
		now = time.Now
	}
	seeds := slices.Concat(o.Seeds.Like, o.Seeds.Not)
	unseeded := func(hits []store.Hit) []store.Hit {
		return slices.DeleteFunc(hits, func(h store.Hit) bool { return slices.Contains(seeds, h.PMID) })
	}
	hits.Words, hits.Near, hits.Local = unseeded(hits.Words), unseeded(hits.Near), unseeded(hits.Local)
	answer.Shares = SharesOf(s.Embedder != nil && answer.NearErr == nil, s.Second != nil && answer.LocalErr == nil)
	if len(hits.Titles) > 0 {
		answer.Shares = answer.Shares.titled()
	}
	if err := run.again(ctx, hits); err != nil {
		return nil, err
	}
	fuse := func() {
		all := Fuse(hits, answer.Shares, o.QualityBias, now(), o.TopK+1)
		answer.Results, answer.More = all[:min(o.TopK, len(all))], len(all) > o.TopK
	}
	if fuse(); o.Recall && len(answer.Results) > 0 {
		if err := s.recallQuery(ctx, &answer.Query, answer.Results); err != nil {
			return nil, err
		}
		index := s.Index
		if answer.Unavailable != nil {
			index = s.Spare
		}
		if hits.Words, err = index.Words(ctx, answer.Query.Lexical, o.Filter, PartHits); err != nil {
			return nil, err
		}
		hits.Words = unseeded(hits.Words)
		fuse()
	}
	answer.Words, answer.Near, answer.Local = len(hits.Words), len(hits.Near), len(hits.Local)
	if more := corrected(text, answer.Misspelt); len(answer.Results) == 0 && more != text {
		if again, err := s.Search(ctx, more, o); err != nil || len(again.Results) > 0 {
			if err == nil {
				again.Misspelt, again.Corrected = answer.Misspelt, more
			}
			return again, err
		}
	}
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

// run is one search.
type run struct {
	*Searcher
	answer *Answer
	filter store.Filter
	vector func() ([]float32, error) // of the query under the model
	own    func() ([]float32, error) // the same under the second one
	title  string                    // the query as the term of a title, "" for none
	like   []*store.Document         // the seeds

	analyzer *analyze.Analyzer // nil once spell was called
}

// sameTitle is the most documents with one title that a query finds by it: it is no
// title if more have it, but the name of a subject or a column.
const sameTitle = 5

// hits are the chunks that the searches of the index, or of the spare one, find.
func (r *run) hits(ctx context.Context, spare bool) (hits Hits, err error) {
	index := r.Index
	if spare {
		index = r.Spare
	}
	var meaning conc.WaitGroup
	if r.Embedder != nil {
		meaning.Go(func() {
			hits.Near, r.answer.NearErr = r.near(ctx, index, r.vector)
			if _, own := r.Embedder.(*Local); own {
				discountTitles(hits.Near)
			}
		})
	} else {
		r.answer.NearErr = r.Unusable
	}
	if r.Second != nil {
		local := r.Second.Index
		if spare {
			local = r.Second.Spare
		}
		meaning.Go(func() {
			hits.Local, r.answer.LocalErr = r.near(ctx, local, r.own)
			discountTitles(hits.Local)
		})
	}
	if err = r.spell(ctx); err == nil {
		hits.Words, err = index.Words(ctx, r.answer.Query.Lexical, r.filter, PartHits)
	}
	if r.title != "" && err == nil {
		title := store.And{store.Term{Text: r.title}}
		if r.answer.Query.Strict {
			title = append(title, r.answer.Query.Lexical)
		}
		if hits.Titles, err = index.Words(ctx, title, r.filter, sameTitle+1); len(hits.Titles) > sameTitle {
			hits.Titles = nil
		}
	}
	meaning.Wait()
	return hits, err
}

// near is a search by meaning.
func (r *run) near(ctx context.Context, index Nearer, vector func() ([]float32, error)) (hits []store.Hit, err error) {
	v, err := vector()
	if err != nil || v == nil {
		return nil, err
	}
	hits, _, err = index.Near(ctx, v, r.filter, PartHits)
	if err == nil && r.answer.Query.Strict {
		hits, err = r.strict(ctx, hits, r.answer.Query)
	}
	return hits, err
}

// embed returns the vector of a query, nil if it has none.
func (s *Searcher) embed(ctx context.Context, q Query) ([]float32, error) {
	if len(q.Terms) == 0 {
		return nil, nil
	}
	if local, ok := s.Embedder.(*Local); ok {
		return local.query(ctx, q)
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
