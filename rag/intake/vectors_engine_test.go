package intake

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"biomcp/store"
)

// An external engine gets vectors with its chunks, and new ones when the model changes. A move
// gives it everything.
func TestEngineVectors(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.Embedder = &service{dim: 8}
	engine := newShelf(-1)
	o.Index = engine
	vectors := func(dim int) {
		t.Helper()
		holds(t, engine, o.Store)
		_, m := inUse(t, o)
		wantEqual(t, "model of the engine", engine.model, m.Name)
		wantEqual(t, "dimension of the engine", engine.dim, dim)
		_, second, err := SecondModel(t.Context(), o.Store)
		noError(t, err)
		if second.Dim == 0 {
			t.Error("the corpus has no model of its own")
		}
		wantEqual(t, "second model of the engine", engine.second, second.Name)
		own, err := o.Store.Vectors(t.Context(), second.ID, slices.Collect(maps.Keys(engine.docs)))
		noError(t, err)
		if len(own) < 1000 {
			t.Fatalf("%d documents have a vector of the corpus's own model, want at least 1000", len(own))
		}
		for pmid, d := range engine.docs {
			first := d.Chunks[0]
			if len(first.Vector) != dim {
				t.Fatalf("pmid %d has a vector of dimension %d, want %d", pmid, len(first.Vector), dim)
			}
			if !slices.Equal(first.SecondVector, own[pmid][0]) {
				t.Fatalf("pmid %d has the second vector %v, want %v", pmid, first.SecondVector, own[pmid][0])
			}
		}
	}
	importing(t, o, inFile(t, many(1, 1200)))
	vectors(8)
	// The engine gets each document when it is stored, and again with its vectors.
	wantEqual(t, "documents put", engine.puts, 2400)
	o.Embedder = &service{dim: 9, name: "2"}
	if _, err := UpdateVectors(t.Context(), o, false); err != nil {
		t.Fatal(err)
	}
	vectors(9)

	// Sync without the engine, then move, with a stop on the way.
	o.Index = nil
	importing(t, o, inFile(t, append(many(2000, 10), pubmedRecord{pmid: 5, lr: "2025-01-01", abstract: "record5 anew"}), 7))
	o.Index = engine
	n, err := CountMissing(t.Context(), o.Store, engine)
	noError(t, err)
	wantEqual(t, "documents that the engine lacks", n, 12)
	if r := importing(t, o, inFile(t, many(3000, 5))); strings.Contains(strings.Join(r.Warnings, " "), "lacks") {
		t.Errorf("warnings %q", r.Warnings)
	}
	vectors(9)
	engine.docs[99999] = &store.Document{PMID: 99999, Chunks: []store.Chunk{{ID: "w0"}}}
	engine.left = 3
	if _, err := Move(t.Context(), o); !errors.Is(err, errGone) {
		t.Errorf("stopped: %v", err)
	}
	engine.left = -1
	moved, err := Move(t.Context(), o)
	noError(t, err)
	wantEqual(t, "result of the move", moved, MoveResult{Before: 2 * moveBatch, Documents: 1214 - 2*moveBatch, Removed: 1})
	vectors(9)
}

// A corpus with an external engine outgrows its own model.
func TestEngineGetsARefittedModel(t *testing.T) {
	o := options(t)
	engine := newShelf(-1)
	o.Index = engine
	for i, n := range []int{20, 60, 200} {
		importing(t, o, inFile(t, topical(1000*i+1, n)))
		holds(t, engine, o.Store)
		_, m := inUse(t, o)
		wantEqual(t, "model of the engine", engine.model, m.Name)
		wantEqual(t, "dimension of the engine", engine.dim, m.Dim)
		wantEqual(t, "the corpus has no model", m.Name == "", i == 0)
		for _, d := range engine.docs {
			if len(d.Chunks[0].Vector) != m.Dim {
				t.Fatalf("got a vector of dimension %d, want %d", len(d.Chunks[0].Vector), m.Dim)
			}
		}
	}
}
