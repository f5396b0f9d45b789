package rag

import (
	"context"
	"iter"

	"biomcp/entrez/record"
	"biomcp/store"
)

// Finder searches chunks. A hit identifies a chunk and has the values that ranking
// needs (store.Hit).
//
// The methods may be called concurrently. They fail with *store.Error or a typed
// error of the engine; a cancelled context is returned as its cause.
type Finder interface {
	// Words returns the k chunks that score highest for q by BM25, best first,
	// equal scores in the order of PMID and ordinal.
	Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error)

	Nearer
}

// Nearer searches chunks by vectors.
type Nearer interface {
	// Near returns the k chunks whose vectors have the greatest dot product with
	// v, which has length 1 and the dimension of the index. exact is false if the
	// engine may have missed some. Without a model there are no hits.
	Near(ctx context.Context, v []float32, f store.Filter, k int) (hits []store.Hit, exact bool, err error)
}

// Index is an external engine, which is given the documents that it searches, with their
// chunks and terms (Cutter.Cut). ragtest.Suite tests whether an engine meets this contract.
type Index interface {
	Finder

	// Put stores documents and replaces all chunks of older versions (PMID
	// version, LR, content). Searches find them when it returns. Repeating it
	// changes nothing.
	Put(ctx context.Context, docs []*store.Document) error

	// Delete removes documents. A PMID that is not stored is no error.
	Delete(ctx context.Context, pmids []record.PMID) error

	// Documents returns the number of documents that are stored.
	Documents(ctx context.Context) (int64, error)

	// Chunks yields the place of every chunk with a PMID above after, in the order
	// of PMID and ordinal.
	Chunks(ctx context.Context, after record.PMID) iter.Seq2[Place, error]
}

// Place identifies a chunk: its document, its position in it from 0, and its id.
type Place struct {
	PMID    record.PMID
	Ordinal int
	ChunkID string
}

// Embedded searches the index in the corpus file.
type Embedded struct {
	corpus *store.Store
	model  int64
}

// NewEmbedded returns the index of a corpus with the vectors of the model with this
// id, 0 for none.
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
