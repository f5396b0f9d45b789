package rag

import (
	"context"
	"iter"

	"biomcp/entrez/record"
	"biomcp/store"
)

// Index is an engine that finds chunks. Hits say which chunk of which document,
// and carry what ranking needs (store.Hit). The suite ragtest.Suite says what
// every engine must do; documents are given to it cut and analysed (Cutter.Cut).
//
// Implementations answer any number of callers at once. Their failures are
// *store.Error, or the engine's own typed error; a cancelled context is returned
// as its cause.
type Index interface {
	// Words returns the k chunks that score highest for q by BM25, best first,
	// equal scores in the order of PMID and ordinal.
	Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error)

	// Near returns the k chunks whose vectors have the greatest dot product with
	// v, which has length 1 and the dimension of the index. exact says that none
	// was overlooked. Without a model there are no hits.
	Near(ctx context.Context, v []float32, f store.Filter, k int) (hits []store.Hit, exact bool, err error)

	// Put stores documents, in place of all chunks of those that are there
	// already in an older state (PMID version, LR, content). All are found when
	// it returns, none is there twice if it is repeated.
	Put(ctx context.Context, docs []*store.Document) error

	// Delete removes documents; that one is not there is no error.
	Delete(ctx context.Context, pmids []record.PMID) error

	// Chunks yields every chunk after the given PMID by its place, in the order
	// of PMID and ordinal.
	Chunks(ctx context.Context, after record.PMID) iter.Seq2[Place, error]
}

// Place is where a chunk belongs.
type Place struct {
	PMID    record.PMID
	Ordinal int
	ChunkID string
}

// Embedded is the index in the corpus file itself.
type Embedded struct {
	corpus *store.Store
	model  int64
}

// NewEmbedded makes an index of a corpus with the vectors of one of its models,
// 0 for none.
func NewEmbedded(corpus *store.Store, model int64) *Embedded { return &Embedded{corpus, model} }

func (e *Embedded) Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error) {
	return e.corpus.Search(ctx, q, f, k)
}

func (e *Embedded) Near(ctx context.Context, v []float32, f store.Filter, k int) ([]store.Hit, bool, error) {
	if e.model == 0 {
		return []store.Hit{}, true, nil
	}
	return e.corpus.Near(ctx, e.model, v, f, k)
}

func (e *Embedded) Put(ctx context.Context, docs []*store.Document) error {
	b := e.corpus.Begin("").WithModel(e.model)
	for _, d := range docs {
		if err := b.Put(d); err != nil {
			return err
		}
	}
	_, err := b.Commit(ctx)
	return err
}

func (e *Embedded) Delete(ctx context.Context, pmids []record.PMID) error {
	b := e.corpus.Begin("")
	for _, pmid := range pmids {
		b.Delete(pmid, "")
	}
	_, err := b.Commit(ctx)
	return err
}

func (e *Embedded) Chunks(ctx context.Context, after record.PMID) iter.Seq2[Place, error] {
	return func(yield func(Place, error) bool) {
		for d, err := range e.corpus.Documents(ctx, after) {
			if err != nil {
				yield(Place{}, err)
				return
			}
			for i, c := range d.Chunks {
				if !yield(Place{d.PMID, i, c.ID}, nil) {
					return
				}
			}
		}
	}
}
