package weaviate_test

import (
	"math"
	"testing"

	"biomcp/rag/ragtest"
	"biomcp/rag/weaviate"
	"biomcp/rag/weaviate/weaviatetest"
	"biomcp/store"
)

// twoVectors stores chunks with both vectors, with either and with none, of different
// dimensions, and compares the hits of both searches with the reference.
func twoVectors(t *testing.T, node *weaviatetest.Node) {
	c := config(node)
	c.Local, c.LocalDim = "own", ragtest.Dim-1
	x := connect(t, c)
	docs, own := ragtest.Documents(60), ragtest.Documents(60)
	for i, d := range docs {
		for j := range d.Chunks {
			v := &d.Chunks[j]
			own[i].Chunks[j].Vector = nil
			if v.Vector != nil && i%3 > 0 {
				v.SecondVector = unit(v.Vector[1:])
				own[i].Chunks[j].Vector = v.SecondVector
			}
			if i%4 == 1 {
				v.Vector = nil
			}
		}
	}
	put(t, x, docs)
	put(t, x, docs) // nothing changes
	for name, of := range map[string]struct {
		docs []*store.Document
		near func(v []float32) ([]store.Hit, bool, error)
		dim  int
	}{
		"passage": {docs, func(v []float32) ([]store.Hit, bool, error) {
			return x.SearchVectors(t.Context(), v, store.Filter{}, 20)
		}, ragtest.Dim},
		"local": {own, func(v []float32) ([]store.Hit, bool, error) {
			return x.Local().SearchVectors(t.Context(), v, store.Filter{}, 20)
		}, ragtest.Dim - 1},
	} {
		ref := &ragtest.Memory{}
		put(t, ref, of.docs)
		v := make([]float32, of.dim)
		v[0] = 1
		got, _, err := of.near(v)
		if err != nil {
			t.Fatal(name, err)
		}
		want, _, err := ref.SearchVectors(t.Context(), v, store.Filter{}, 20)
		if err != nil || len(got) != len(want) || len(got) != 20 {
			t.Fatalf("%s: %d hits, want %d, %v", name, len(got), len(want), err)
		}
		for i := range want {
			if math.Abs(got[i].Score-want[i].Score) > 1e-3 {
				t.Errorf("%s: hit %d is %+v, want %+v", name, i, got[i], want[i])
			}
		}
	}
	// Another model of the corpus's own is refused, as another model of passage is.
	c.Local = "other"
	_, _, err := connect(t, c).Local().SearchVectors(t.Context(), unit(make([]float32, ragtest.Dim-1)), store.Filter{}, 5)
	wantKind(t, err, weaviate.Invariant)
}

// unit scales v to length 1, the zero vector to the first axis.
func unit(v []float32) []float32 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	out := make([]float32, len(v))
	if sum == 0 {
		out[0] = 1
		return out
	}
	for i, x := range v {
		out[i] = x / float32(math.Sqrt(sum))
	}
	return out
}
