package evaluate

import (
	"context"
	"maps"
	"slices"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/intake"
	"biomcp/rag/static"
	"biomcp/store"
)

// depth is the number of documents to rank, which is the maximum number of results of a search.
const depth = 100

// A System is a way to search, with its name.
type System struct {
	Name string
	Rank Ranker
}

// A Corpus is a corpus with the model that its import fitted.
type Corpus struct {
	Store    *store.Store
	model    store.Model
	embedder rag.Embedder
	second   *rag.Second
}

// Vectors configures how vectors are made, as intake.Options does.
type Vectors struct {
	Embedder rag.Embedder
	Table    *static.Table
}

// Import imports PubMed XML into a new corpus in a folder. v may be empty.
func Import(ctx context.Context, dir, documents string, v Vectors) (*Corpus, error) {
	return create(ctx, dir, v, func(o intake.Options) error {
		_, err := intake.Import(ctx, o, documents)
		return err
	})
}

// NewCorpus stores documents in a new corpus in a folder.
func NewCorpus(ctx context.Context, dir string, docs []*store.Document, v Vectors) (*Corpus, error) {
	return create(ctx, dir, v, func(o intake.Options) error {
		b := o.Store.Begin("")
		for _, d := range docs {
			if err := b.Put(d); err != nil {
				return err
			}
		}
		if _, err := b.Commit(ctx); err != nil {
			return err
		}
		_, err := intake.UpdateVectors(ctx, o, false)
		return err
	})
}

func create(ctx context.Context, dir string, v Vectors, fill func(intake.Options) error) (*Corpus, error) {
	s, err := store.Open(ctx, store.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	c := &Corpus{Store: s}
	if err = fill(intake.Options{Store: s, Embedder: v.Embedder, Table: v.Table}); err == nil {
		c.embedder, c.model, err = intake.CurrentModel(ctx, s, v.Embedder, v.Table)
	}
	if err == nil {
		local, m, failed := intake.SecondModel(ctx, s)
		if err = failed; local != nil {
			c.second = &rag.Second{Model: local, Index: rag.NewCorpusIndex(s, m.ID)}
		}
	}
	if err != nil {
		s.Close()
		return nil, err
	}
	return c, nil
}

// Close closes the corpus, and keeps its folder.
func (c *Corpus) Close() error { return c.Store.Close() }

// Documents returns all documents, with the terms of their chunks.
func (c *Corpus) Documents(ctx context.Context) (docs []*store.Document, err error) {
	cut := rag.NewCutter()
	for d, err := range c.Store.Documents(ctx, 0) {
		if err != nil {
			return nil, err
		}
		cut.Cut(d)
		docs = append(docs, d)
	}
	return docs, nil
}

// names returns the thesaurus of a machine without local tables.
func names(ctx context.Context, terms []string) (map[string]rag.Names, error) {
	return rag.OtherNames(ctx, nil, terms)
}

// Systems returns the searches by words, by meaning and by both. With an embedding service, it
// adds the search by words and the corpus's own vectors, and that by all three. If the corpus
// has no model, it returns only the search by words.
func (c *Corpus) Systems() []System {
	index := rag.NewCorpusIndex(c.Store, c.model.ID)
	systems := []System{{"words", Ranking(&rag.Searcher{Index: index, Corpus: c.Store, Thesaurus: names})}}
	if c.embedder == nil {
		return systems
	}
	systems = append(systems,
		System{"meaning", Ranking(&rag.Searcher{Index: wordless{index}, Corpus: c.Store, Thesaurus: names, Embedder: c.embedder})},
		System{"both", Ranking(&rag.Searcher{Index: index, Corpus: c.Store, Thesaurus: names, Embedder: c.embedder})})
	if c.second == nil {
		return systems
	}
	return append(systems,
		System{"words, own", Ranking(&rag.Searcher{
			Index: c.second.Index.(*rag.CorpusIndex), Corpus: c.Store, Thesaurus: names, Embedder: c.second.Model,
		})},
		System{"all three", Ranking(&rag.Searcher{Index: index, Corpus: c.Store, Thesaurus: names, Embedder: c.embedder, Second: c.second})})
}

// Ranking returns a Ranker that uses a Searcher. It returns an error if the vector search
// fails.
func Ranking(s *rag.Searcher) Ranker {
	return func(ctx context.Context, query string) ([]record.PMID, error) {
		answer, err := s.Search(ctx, query, rag.Options{TopK: depth})
		if err != nil {
			return nil, err
		}
		pmids := make([]record.PMID, len(answer.Results))
		for i, r := range answer.Results {
			pmids[i] = r.PMID
		}
		return pmids, answer.VectorErr
	}
}

// MeasureSimilar measures the search for similar documents. The seed of a question and further relevant
// documents, n in all, are given, and the remaining relevant documents are to be found. Like
// leaves out questions without a seed or with fewer than n relevant documents.
func (c *Corpus) MeasureSimilar(ctx context.Context, questions Questions, n int) (measures []Measures, err error) {
	for _, q := range questions {
		if q.Seed == 0 || len(q.Relevant) < n {
			continue
		}
		relevant := maps.Clone(q.Relevant)
		seeds := []record.PMID{q.Seed}
		for _, pmid := range slices.Sorted(maps.Keys(relevant))[:n-1] {
			seeds = append(seeds, pmid)
			delete(relevant, pmid)
		}
		ranked, err := c.rankSimilar(ctx, seeds)
		if err != nil {
			return nil, err
		}
		measures = append(measures, Evaluate(ranked, relevant))
	}
	return measures, nil
}

// rankSimilar returns the documents most similar to seeds, without the seeds.
func (c *Corpus) rankSimilar(ctx context.Context, seeds []record.PMID) (ranked []record.PMID, err error) {
	s := &rag.Searcher{Index: rag.NewCorpusIndex(c.Store, c.model.ID), Corpus: c.Store, Embedder: c.embedder, Second: c.second}
	answer, err := s.Search(ctx, "", rag.Options{TopK: depth, Seeds: rag.Seeds{Positive: seeds}})
	if err != nil {
		return nil, err
	}
	for _, r := range answer.Results {
		ranked = append(ranked, r.PMID)
	}
	return ranked, nil
}

// A wordless index returns no hits for word searches.
type wordless struct{ rag.Finder }

func (wordless) Words(context.Context, store.Query, store.Filter, int) ([]store.Hit, error) {
	return []store.Hit{}, nil
}

// values returns the values of one measure for each query.
func values(measures []Measures, of func(Measures) float64) []float64 {
	v := make([]float64, 0, len(measures))
	for _, m := range measures {
		v = append(v, of(m))
	}
	return v
}
