package weaviate_test

import (
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/rag/weaviate"
	"biomcp/rag/weaviate/weaviatetest"
	"biomcp/store"
)

// Three nodes have a copy each, and one of them is down.
func TestClusterWorksWithOneNodeDown(t *testing.T) {
	nodes := weaviatetest.Start(t, 3)
	pool := make(chan *weaviate.Index, 12) // all nodes must be up to create a class with three copies
	for range cap(pool) {
		pool <- open(t, nodes[0])
	}
	x := open(t, nodes[0])
	docs := ragtest.Documents(60)
	put(t, x, docs[:30])
	nodes[2].Stop(t)
	t.Run("Suite", func(t *testing.T) {
		ragtest.Suite(t, ragtest.Engine{Open: func(testing.TB) rag.Index { return <-pool }, Approximate: true})
	})
	put(t, x, docs[30:])
	if got := places(t, x); !slices.Equal(got, placesOf(docs)) {
		t.Errorf("with one node down: %d chunks, want %d", len(got), len(placesOf(docs)))
	}

	// It restarts, and another one is killed.
	nodes[2].Restart(t)
	nodes[1].Kill(t)
	if err := x.Delete(t.Context(), []record.PMID{docs[0].PMID}); err != nil {
		t.Error(err)
	}
	put(t, x, []*store.Document{ragtest.RevisedDocument(1)})
	want := placesOf(append([]*store.Document{ragtest.RevisedDocument(1)}, docs[2:]...))
	if got := places(t, x); !slices.Equal(got, want) {
		t.Errorf("with another one down: %d chunks, want %d", len(got), len(want))
	}
}
