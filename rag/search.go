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

// A Searcher answers queries over a corpus.
type Searcher struct {
	Index      Finder
	Spare      Finder // searched if Index is unavailable; may be nil
	Corpus     Corpus
	Embedder   Embedder         // nil if there is no usable model
	VectorsErr error            // why the vectors of the corpus cannot be used, or nil
	Second     *Second          // also searched if Embedder is a service; may be nil
	Thesaurus  Thesaurus        // widens queries; may be nil
	Headings   Headings         // knows the headings that fields of MeSH name; may be nil
	Authors    Authors          // knows the authors of the corpus; may be nil
	EmbedBy    time.Time        // deadline for a service to embed a query; zero means PersonWait from now
	Now        func() time.Time // nil means time.Now

	analyzers sync.Pool
}

// Second is the corpus's own model beside a service's, with the index of its vectors. Spare, if
// not nil, is searched if Index is unavailable.
type Second struct {
	Model        *Local
	Index, Spare VectorSearcher
}

// A Corpus loads documents and counts the chunks with a term, as *store.Store does. A search
// uses it to match strict queries against passages found by vectors, and to find misspelt
// words.
type Corpus interface {
	DocumentsByPMID(ctx context.Context, pmids []record.PMID) (map[record.PMID]*store.Document, error)
	DocFreq(ctx context.Context, terms ...string) ([]int64, error)
}

// Options holds the options of a search.
type Options struct {
	TopK        int  // number of documents
	Whole       bool // also list documents beyond the first PartHits chunks that match by words
	QualityBias bool
	Filter      store.Filter
	Seeds       Seeds // documents to find similar ones of, with or without a query
	Recall      bool  // also search for the words of the best hits
}

// An Answer is the result of a search.
type Answer struct {
	Results []Result
	More    bool // whether there are more documents than Options.TopK
	Query   Query
	// WordHits, VectorHits and LocalHits are the numbers of chunks from each search.
	WordHits, VectorHits, LocalHits int
	// Shares holds the weights of the searches.
	Shares Shares
	// FeedbackDocs holds the first documents, with which vector hits were compared. HeadingFeedback is set
	// if they were also compared by their MeSH headings.
	FeedbackDocs    []record.PMID
	HeadingFeedback bool
	// HeadingDocs holds the documents whose MeSH headings those of the hits were compared with: the first
	// documents, the seeds, or both. HeadingShare is the share of this comparison in the similarity.
	HeadingDocs  []record.PMID
	HeadingShare float64
	// Documents holds those of the results that were loaded.
	Documents map[record.PMID]*store.Document
	// NoModel is set if there are no vectors. VectorErr is the error of the vector search, and
	// LocalErr that of the search by the corpus's own vectors beside it.
	NoModel   bool
	VectorErr error
	LocalErr  error
	// WidenErr is the error of looking up names for widening the query.
	WidenErr error
	// Misspelt holds the words of the query that may be misspelt. Corrected is the query that
	// was used instead, because the corpus lacks a word or the original had no results; otherwise it is "".
	Misspelt  []Misspelt
	Corrected string
	// MissingSeeds holds the seeds that are not in the corpus.
	MissingSeeds []record.PMID
	// Unavailable, if not nil, is the reason why Searcher.Spare was searched.
	Unavailable error
}

// Search searches documents by words and by vectors. If a vector search fails, Search returns
// the results of the others, and the error in the Answer.
func (s *Searcher) Search(ctx context.Context, text string, o Options) (*Answer, error) {
	a, _ := s.analyzers.Get().(*analyze.Analyzer)
	if a == nil {
		a = analyze.New()
	}
	query, readErr := Read(ctx, a, text, s.Headings, s.Authors, s.now())
	answer := &Answer{Query: query, NoModel: s.Embedder == nil && s.VectorsErr == nil}
	answer.WidenErr = cmp.Or(readErr, answer.Query.widen(ctx, a, s.Thesaurus))
	asked := o
	o.Filter = answer.Query.Filtered(o.Filter)
	words, _ := a.Tokens(nil, text, 0)
	defer s.analyzers.Put(a)

	run := run{Searcher: s, answer: answer, filter: o.Filter, analyzer: a, title: titleTerm(words)}
	if err := run.spell(ctx, text); err != nil {
		return nil, err
	}
	absent := slices.Clone(answer.Misspelt)
	absent = slices.DeleteFunc(absent, func(m Misspelt) bool { return !m.Replaced })
	if len(absent) > 0 {
		return s.searchInstead(ctx, correctText(text, absent), asked, absent)
	}
	typed := func() ([]float32, error) { return s.embed(ctx, answer.Query) }
	run.secondVector = func() ([]float32, error) { return s.Second.Model.query(ctx, answer.Query) }
	if len(o.Seeds.Positive)+len(o.Seeds.Negative) > 0 {
		like, not, missing, err := o.Seeds.documents(ctx, s.Corpus)
		if err == nil {
			err = s.likeQuery(ctx, &answer.Query, like, not)
		}
		if err != nil {
			return nil, err
		}
		answer.MissingSeeds, run.title, run.seeds = missing, "", like
		typed = likeOf(ctx, like, not, typed, s.Index, s.Spare)
		if s.Second != nil {
			run.secondVector = likeOf(ctx, like, not, run.secondVector, s.Second.Index, s.Second.Spare)
		}
	}
	run.vector = sync.OnceValues(typed)
	hits, err := run.hits(ctx, s.onlySpare(answer.Query, o.Filter))
	if failed := cmp.Or(err, answer.VectorErr); s.Spare != nil && unavailable(failed) && ctx.Err() == nil {
		answer.Unavailable = failed
		hits, err = run.hits(ctx, true)
	}
	switch {
	case err != nil:
		return nil, err
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	}
	seeds := slices.Concat(o.Seeds.Positive, o.Seeds.Negative)
	unseeded := func(hits []store.Hit) []store.Hit {
		return slices.DeleteFunc(hits, func(h store.Hit) bool { return slices.Contains(seeds, h.PMID) })
	}
	hits.Words, hits.Vectors, hits.Local = unseeded(hits.Words), unseeded(hits.Vectors), unseeded(hits.Local)
	answer.Shares = DefaultShares(s.Embedder != nil && answer.VectorErr == nil, s.Second != nil && answer.LocalErr == nil)
	if len(hits.Titles) > 0 {
		answer.Shares = answer.Shares.withTitles()
	}
	if err := run.applyFeedback(ctx, hits); err != nil {
		return nil, err
	}
	fuse := func() {
		all := Fuse(hits, answer.Shares, o.QualityBias, s.now(), o.TopK+1)
		answer.Results, answer.More = all[:min(o.TopK, len(all))], len(all) > o.TopK
	}
	if fuse(); o.Recall && len(answer.Results) > 0 {
		if err := s.recallQuery(ctx, &answer.Query, answer.Results); err != nil {
			return nil, err
		}
		index := s.Index
		if answer.Unavailable != nil || s.onlySpare(answer.Query, o.Filter) {
			index = s.Spare
		}
		if hits.Words, err = index.Words(ctx, answer.Query.Lexical, o.Filter, PartHits); err != nil {
			return nil, err
		}
		hits.Words = unseeded(hits.Words)
		fuse()
	}
	if o.Whole && !answer.More && answer.Query.Lexical != nil {
		index := s.Index
		if answer.Unavailable != nil || s.onlySpare(answer.Query, o.Filter) {
			index = s.Spare
		}
		if err := answer.appendMatches(ctx, index, o.Filter, seeds, o.TopK, s.now()); err != nil {
			return nil, err
		}
	}
	answer.WordHits, answer.VectorHits, answer.LocalHits = len(hits.Words), len(hits.Vectors), len(hits.Local)
	if more := correctText(text, answer.Misspelt); len(answer.Results) == 0 && more != text {
		if again, err := s.searchInstead(ctx, more, asked, answer.Misspelt); err != nil || len(again.Results) > 0 {
			return again, err
		}
	}
	return answer, nil
}

// now returns the time of s.Now, or the current time.
func (s *Searcher) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// onlySpare reports whether only Spare, the index in the corpus file, can answer a query, because
// engines have no fields.
func (s *Searcher) onlySpare(q Query, f store.Filter) bool {
	return s.Spare != nil && (q.ReadsFields() || f.ReadsFields())
}

// Maximum time to wait for the vector of a query. A person can wait until a model is loaded; an
// agent gets the results of the word search sooner.
const (
	PersonWait = 10 * time.Second
	AgentWait  = 1500 * time.Millisecond
)

// unavailable reports whether err means that an engine cannot be used for now.
func unavailable(err error) bool {
	var e interface{ Unavailable() bool }
	return errors.As(err, &e) && e.Unavailable()
}

// A run is one search.
type run struct {
	*Searcher
	answer       *Answer
	filter       store.Filter
	vector       func() ([]float32, error) // returns the vector of the query in the model
	secondVector func() ([]float32, error) // returns the vector of the query in the second model
	title        string                    // term for the query as a title, or ""
	seeds        []*store.Document         // documents of Seeds.Positive

	analyzer *analyze.Analyzer
}

// maxSameTitle is the maximum number of documents with one title that a query can find by
// title. If more have it, it is the name of a subject or a column.
const maxSameTitle = 5

// hits runs the searches of the index, or of the spare index, and returns their chunks.
func (r *run) hits(ctx context.Context, spare bool) (hits Hits, err error) {
	index := r.Index
	if spare {
		index = r.Spare
	}
	var meaning conc.WaitGroup
	if r.Embedder != nil {
		meaning.Go(func() {
			hits.Vectors, r.answer.VectorErr = r.searchVectors(ctx, index, r.vector)
			if _, own := r.Embedder.(*Local); own {
				discountTitles(hits.Vectors)
			}
		})
	} else {
		r.answer.VectorErr = r.VectorsErr
	}
	if r.Second != nil {
		local := r.Second.Index
		if spare {
			local = r.Second.Spare
		}
		meaning.Go(func() {
			hits.Local, r.answer.LocalErr = r.searchVectors(ctx, local, r.secondVector)
			discountTitles(hits.Local)
		})
	}
	hits.Words, err = index.Words(ctx, r.answer.Query.Lexical, r.filter, PartHits)
	if r.title != "" && err == nil {
		title := store.And{store.Term{Text: r.title}}
		if required := r.answer.Query.required(); required != nil {
			title = append(title, required)
		}
		if hits.Titles, err = index.Words(ctx, title, r.filter, maxSameTitle+1); len(hits.Titles) > maxSameTitle {
			hits.Titles = nil
		}
	}
	meaning.Wait()
	return hits, err
}

// searchVectors runs a vector search.
func (r *run) searchVectors(
	ctx context.Context, index VectorSearcher, vector func() ([]float32, error),
) (hits []store.Hit, err error) {
	v, err := vector()
	if err != nil || v == nil {
		return nil, err
	}
	hits, _, err = index.SearchVectors(ctx, v, r.filter, PartHits)
	if err == nil && r.answer.Query.required() != nil {
		hits, err = r.strict(ctx, hits, r.answer.Query)
	}
	return hits, err
}

// embed returns the vector of a query, or nil if it has none.
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

// strict keeps the hits whose passage matches the query. If its words are alternatives, their document
// must meet the condition.
func (s *Searcher) strict(ctx context.Context, hits []store.Hit, q Query) ([]store.Hit, error) {
	var pmids []record.PMID
	for _, h := range hits {
		pmids = append(pmids, h.PMID)
	}
	slices.Sort(pmids)
	docs, err := s.Corpus.DocumentsByPMID(ctx, slices.Compact(pmids))
	if err != nil {
		return nil, err
	}
	required := q.required()
	c := NewCutter()
	return slices.DeleteFunc(hits, func(h store.Hit) bool {
		d := docs[h.PMID]
		if d == nil || h.Ordinal >= len(d.Chunks) {
			return true
		}
		passages := c.passages(d)
		own := WithConditions(required, func(f store.Filter) bool {
			passes, e := d.Passes(f)
			err = cmp.Or(err, e)
			return passes
		})
		return !passages[h.Ordinal].Matches(Resolve(own, passages))
	}), err
}

// passages returns the terms of each passage of a document.
func (c *Cutter) passages(d *store.Document) []Bag {
	whole := *d
	whole.Chunks = slices.Clone(d.Chunks)
	c.Tokenize(&whole)
	passages := make([]Bag, len(d.Chunks))
	for i, chunk := range whole.Chunks {
		passages[i] = ChunkBag(chunk)
	}
	Release(&whole)
	return passages
}
