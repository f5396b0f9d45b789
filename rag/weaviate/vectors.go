package weaviate

import (
	"context"

	"biomcp/rag"
	"biomcp/store"
)

// vector is one of the two named vectors of a chunk.
type vector int

const (
	// passage is the vector under the model that is searched: that of an embedding
	// service, or the corpus's own without a service.
	passage vector = iota
	// local is the vector under the corpus's own model next to that of a service.
	local
)

func (v vector) String() string { return [...]string{"passage", "local"}[v] }

// property names the property that holds the model of the vector.
func (v vector) property() string { return [...]string{propModel, propLocalModel}[v] }

// model is a model of vectors, without a name if there is none.
type model struct {
	name string
	dim  int
}

// modelOf returns the model of this Index for a vector.
func (x *Index) modelOf(v vector) model {
	x.checking.Lock()
	defer x.checking.Unlock()
	return x.models[v]
}

// Local returns the search by the corpus's own vectors next to those of a service.
func (x *Index) Local() rag.Nearer { return localVectors{x} }

type localVectors struct{ x *Index }

func (l localVectors) Near(ctx context.Context, v []float32, f store.Filter, k int) ([]store.Hit, bool, error) {
	return l.x.near(ctx, local, v, f, k)
}
