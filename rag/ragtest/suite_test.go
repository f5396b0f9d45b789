package ragtest

import (
	"context"
	"testing"

	"biomcp/rag"
	"biomcp/store"
)

func TestMemoryPassesTheSuite(t *testing.T) {
	Suite(t, Engine{Open: func(testing.TB) rag.Index { return &Memory{} }})
}

func TestEmbeddedPassesTheSuite(t *testing.T) {
	Suite(t, Engine{Open: func(t testing.TB) rag.Index {
		ctx := context.Background()
		corpus, err := store.Open(ctx, store.Options{Dir: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { corpus.Close() })
		model, err := corpus.NewModel(ctx, "suite", Dim)
		if err != nil {
			t.Fatal(err)
		}
		return rag.NewEmbedded(corpus, model.ID)
	}})
}
