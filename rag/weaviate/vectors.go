package weaviate

import (
	"context"

	"biomcp/rag"
	"biomcp/store"
)

// A vector is one of the two named vectors of a chunk.
type vector int

const (
	// passage is the vector of the model in use: a service's, or the corpus's own.
	passage vector = iota
	// local is the vector of the corpus's own model beside a service's.
	local
)

func (v vector) String() string { return [...]string{"passage", "local"}[v] }

// property returns the name of the property with the vector's model.
func (v vector) property() string { return [...]string{propModel, propLocalModel}[v] }

// A model is the embedding model that vectors were made with. Its name is "" if there are no vectors.
type model struct {
	name string
	dim  int
}

// modelOf returns the model of a vector in this Index.
func (x *Index) modelOf(v vector) model {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.models[v]
}

// Local returns the search by the corpus's own vectors beside a service's.
func (x *Index) Local() rag.VectorSearcher { return localVectors{x} }

type localVectors struct{ x *Index }

func (l localVectors) SearchVectors(ctx context.Context, v []float32, f store.Filter, k int) ([]store.Hit, bool, error) {
	return l.x.searchVectors(ctx, local, v, f, k)
}
