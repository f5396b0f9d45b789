package store

import (
	"context"
	"iter"
)

// Model is one version of an embedding model: its vectors, and the rows it
// keeps for itself. One model at most is in use; others are being computed
// beside it.
type Model struct {
	ID      int64
	Name    string // provider, model and version, in the caller's words
	Dim     int
	InUse   bool
	Vectors int64 // chunks that have one
	Missing int64 // chunks that have none
	Created string
}

// Models returns what there is, the one in use first.
func (s *Store) Models(ctx context.Context) ([]Model, error) { return nil, unbuilt }

// NewModel begins a model beside the one in use, or returns the unfinished one
// of that name and dimension.
func (s *Store) NewModel(ctx context.Context, name string, dim int) (Model, error) {
	return Model{}, unbuilt
}

// UseModel makes a model the one in use, in one step, and removes the others.
// It is refused with ModelMismatch while chunks are missing vectors.
func (s *Store) UseModel(ctx context.Context, id int64) error { return unbuilt }

// DropModel removes a model that is not in use, with its vectors and rows.
func (s *Store) DropModel(ctx context.Context, id int64) error { return unbuilt }

// PutModelRows stores data of a model under keys of the caller's, in place of
// what was there: a vector for each term, say.
func (s *Store) PutModelRows(ctx context.Context, id int64, rows iter.Seq2[string, []byte]) error {
	return unbuilt
}

// ModelRows returns the rows of the given keys that exist.
func (s *Store) ModelRows(ctx context.Context, id int64, keys []string) (map[string][]byte, error) {
	return nil, unbuilt
}

// StoredChunk is a chunk as it was stored, with what an embedder needs. Version
// is that of its document: a vector is refused once the document has another.
type StoredChunk struct {
	PMID    int64
	Version int
	Ordinal int
	Title   string
	Chunk
}

// MissingVectors yields, in the order of PMID, the chunks that have no vector
// under a model. It may be left and begun again at any time.
func (s *Store) MissingVectors(ctx context.Context, model int64) iter.Seq2[StoredChunk, error] {
	return func(func(StoredChunk, error) bool) {}
}

// Vector is the embedding of one chunk, of length 1.
type Vector struct {
	PMID    int64
	Version int
	Ordinal int
	Values  []float32
}

// AddVectors stores vectors of chunks that are in the corpus and returns how
// many it took: those of a document that has changed meanwhile are left out.
func (s *Store) AddVectors(ctx context.Context, model int64, vectors []Vector) (int, error) {
	return 0, unbuilt
}

// Near returns the k chunks whose vectors under model have the greatest dot
// product with v, and that pass the filter; Score is that product. exact says
// that every candidate was compared in full.
func (s *Store) Near(ctx context.Context, model int64, v []float32, f Filter, k int) (hits []Hit, exact bool, err error) {
	return []Hit{}, false, unbuilt
}

var unbuilt = newError(Failed, "vectors", "not available in this build")
