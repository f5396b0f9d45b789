package weaviate_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/rag/weaviate"
	"biomcp/rag/weaviate/weaviatetest"
)

func TestMain(m *testing.M) { os.Exit(weaviatetest.Main(m)) }

var classes atomic.Int32

// open makes an index in a class of its own.
func open(t testing.TB, node *weaviatetest.Node) *weaviate.Index {
	t.Helper()
	x, err := weaviate.New(weaviate.Config{URL: node.URL, Class: fmt.Sprint("Test", classes.Add(1)), Model: "suite", Dim: ragtest.Dim})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.Ensure(context.Background()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Drop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return x
}

func TestServer(t *testing.T) {
	nodes := weaviatetest.Start(t, 1)
	t.Run("Suite", func(t *testing.T) {
		ragtest.Suite(t, ragtest.Engine{Open: func(t testing.TB) rag.Index { return open(t, nodes[0]) }, Approximate: true})
	})
}

func TestCluster(t *testing.T) {
	nodes := weaviatetest.Start(t, 3)
	pool := make(chan *weaviate.Index, 20)
	for range cap(pool) {
		pool <- open(t, nodes[0])
	}
	nodes[2].Stop(t)
	t.Run("Suite", func(t *testing.T) {
		ragtest.Suite(t, ragtest.Engine{Open: func(t testing.TB) rag.Index { return <-pool }, Approximate: true})
	})
}
