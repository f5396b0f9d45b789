package intake

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"biomcp/store"
)

// An external engine gets vectors with its chunks, and new ones when the
// model changes; a move gives it everything.
func TestEngineVectors(t *testing.T) {
	o := options(t)
	o.Embedder = &service{dim: 8}
	engine := newShelf(-1)
	o.Index = engine
	vectors := func(dim int) {
		t.Helper()
		holds(t, engine, o.Store)
		if _, m := inUse(t, o); engine.model != m.Name || engine.dim != dim {
			t.Errorf("the engine was given %s with %d numbers, %s serves", engine.model, engine.dim, m.Name)
		}
		_, second, err := SecondModel(t.Context(), o.Store)
		if err != nil || second.Dim == 0 || engine.second != second.Name {
			t.Errorf("the engine was given %q as the second model, %q serves, %v", engine.second, second.Name, err)
		}
		own, err := o.Store.Vectors(t.Context(), second.ID, slices.Collect(maps.Keys(engine.docs)))
		if err != nil || len(own) < 1000 {
			t.Fatalf("%d documents have a vector of the corpus's own, %v", len(own), err)
		}
		for pmid, d := range engine.docs {
			if len(d.Chunks[0].Vector) != dim || !slices.Equal(d.Chunks[0].SecondVector, own[pmid][0]) {
				t.Fatalf("pmid %d has vectors of %d and %d", pmid, len(d.Chunks[0].Vector), len(d.Chunks[0].SecondVector))
			}
		}
	}
	importing(t, o, inFile(t, many(1, 1200)))
	vectors(8)
	if engine.puts != 2400 { // when they are stored, and when their vectors are
		t.Errorf("given %d documents", engine.puts)
	}
	o.Embedder = &service{dim: 9, name: "2"}
	if _, err := UpdateVectors(t.Context(), o, false); err != nil {
		t.Fatal(err)
	}
	vectors(9)

	// Synced without the engine, then moved, with a stop on the way.
	o.Index = nil
	importing(t, o, inFile(t, append(many(2000, 10), pubmedRecord{pmid: 5, lr: "2025-01-01", abstract: "record5 anew"}), 7))
	o.Index = engine
	if n, err := CountMissing(t.Context(), o.Store, engine); err != nil || n != 12 {
		t.Errorf("the engine lacks %d documents, %v", n, err)
	}
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
	if err != nil || moved.Before != 2*moveBatch || moved.Documents != 1214-2*moveBatch || moved.Removed != 1 {
		t.Errorf("%+v, %v", moved, err)
	}
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
		if engine.model != m.Name || engine.dim != m.Dim || (m.Name == "") != (i == 0) {
			t.Errorf("the engine was given %q, %q serves", engine.model, m.Name)
		}
		for _, d := range engine.docs {
			if len(d.Chunks[0].Vector) != m.Dim {
				t.Fatalf("a vector of %d numbers, not %d", len(d.Chunks[0].Vector), m.Dim)
			}
		}
	}
}
