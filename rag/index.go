package rag

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

// A Finder searches chunks. A hit identifies a chunk and has the values that ranking needs
// (store.Hit).
//
// The methods may be called concurrently. They return *store.Error or a typed error of the
// engine, or the cause of a cancelled context.
type Finder interface {
	// Words returns the k chunks with the highest BM25 score for q, best first. Equal scores
	// are ordered by PMID and ordinal.
	Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error)

	VectorSearcher
}

// A VectorSearcher searches chunks by vectors.
type VectorSearcher interface {
	// SearchVectors returns the k chunks whose vectors have the greatest dot product with v, which has
	// length 1 and the dimension of the index. exact is false if the engine may have missed
	// some. Without a model, SearchVectors returns no hits.
	SearchVectors(ctx context.Context, v []float32, f store.Filter, k int) (hits []store.Hit, exact bool, err error)
}

// An Index is an external engine that stores documents with their chunks and terms
// (Cutter.Cut), and searches them. ragtest.Suite tests this contract.
type Index interface {
	Finder

	// Put stores documents and replaces all chunks of older versions, which differ in PMID
	// version, LR or content. Searches find them when Put returns. Repeating a call changes
	// nothing.
	Put(ctx context.Context, docs []*store.Document) error

	// Delete removes documents. It ignores PMIDs that are not stored.
	Delete(ctx context.Context, pmids []record.PMID) error

	// Documents returns the number of stored documents.
	Documents(ctx context.Context) (int64, error)

	// Chunks yields the place of every chunk with a PMID greater than after, ordered by PMID
	// and ordinal.
	Chunks(ctx context.Context, after record.PMID) iter.Seq2[Place, error]
}

// An Engine is an Index on a server.
type Engine interface {
	Index

	// Check compares the index with the one that this program creates. Its error is
	// ErrNoIndex if the server has none yet.
	Check(ctx context.Context) error

	// Local searches the vectors of the corpus's own model, if EngineConfig.Model is another.
	Local() VectorSearcher
}

// ErrNoIndex is returned by the methods of an Engine if the server has no index yet.
var ErrNoIndex = errors.New("the server has no index yet")

// An EngineConfig configures an Engine. Only URL is required.
type EngineConfig struct {
	URL      string            // http://host:port, or host:port
	APIKey   string            // "" if the server requires no authentication
	Class    string            // name of the index; "" means the engine's default
	Model    string            // name of the model of the vectors, or ""
	Dim      int               // dimension of the vectors; required with Model
	Local    string            // name of the corpus's own model beside Model, or ""
	LocalDim int               // dimension of its vectors; required with Local
	Timeout  time.Duration     // maximum time per call with retries; the first attempt gets a tenth; zero means 30 s
	HTTP     http.RoundTripper // nil means http.DefaultTransport with a time-out for connecting
}

// A Place identifies a chunk by its document, its position in the document from 0, and its ID.
type Place struct {
	PMID    record.PMID
	Ordinal int
	ChunkID string
}

// CorpusIndex searches the index in the corpus file.
type CorpusIndex struct {
	corpus *store.Store
	model  int64
}

// NewCorpusIndex returns the index of a corpus with the vectors of the model with this ID. Zero
// means no model.
func NewCorpusIndex(corpus *store.Store, model int64) *CorpusIndex {
	return &CorpusIndex{corpus, model}
}

func (e *CorpusIndex) Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error) {
	return e.corpus.Search(ctx, q, f, k)
}

func (e *CorpusIndex) SearchVectors(ctx context.Context, v []float32, f store.Filter, k int) ([]store.Hit, bool, error) {
	if e.model == 0 {
		return []store.Hit{}, true, nil
	}
	return e.corpus.NearestChunks(ctx, e.model, v, f, k)
}
