package intake

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"biomcp/rag"
	"biomcp/store"
)

// secondOf checks that every chunk has a vector of the corpus's own model beside a service's.
// It returns that model.
func secondOf(t *testing.T, o Options) store.Model {
	t.Helper()
	local, m, err := SecondModel(t.Context(), o.Store)
	noError(t, err)
	if local == nil {
		t.Fatal("the corpus has no model of its own")
	}
	wantEqual(t, "chunks without a vector", m.Missing, 0)
	v, err := local.Embed(t.Context(), []string{"metformin for glucose in diabetes"})
	if err != nil {
		t.Fatal(err)
	}
	hits, _, err := o.Store.NearestChunks(t.Context(), m.ID, v[0], store.Filter{}, 10)
	noError(t, err)
	wantEqual(t, "nearest chunks", len(hits), 10)
	for _, h := range hits {
		if h.PMID%4 != 0 {
			t.Errorf("pmid %d (%.2f) is not about diabetes", h.PMID, h.Score)
		}
	}
	return m
}

// A corpus keeps its own model beside a service's. It is fitted if there is none, and again
// when the corpus has grown by half. New documents get its vectors even while the service is down.
// Without the service, it becomes the only model again, and nothing needs to be embedded.
func TestTwoModelsWithAService(t *testing.T) {
	o := options(t)
	provider := &service{dim: 8}
	o.Embedder = provider
	r := importing(t, o, inFile(t, topical(1, 100)))
	first := secondOf(t, o)
	wantEqual(t, "vectors", r.Vectors, "100 vectors of the new model openai test, and of "+first.Name)
	provider.limit = 1
	var incomplete *Incomplete
	if _, err := Import(t.Context(), o, inFile(t, topical(1000, 20))); !errors.As(err, &incomplete) {
		t.Fatalf("the service is down: %v", err)
	}
	m := secondOf(t, o)
	wantEqual(t, "second model", m.ID, first.ID)
	wantEqual(t, "vectors of the second model", m.Vectors, 120)
	provider.limit = 0
	importing(t, o, inFile(t, topical(3000, 100)))
	grown := secondOf(t, o)
	if grown.ID == first.ID {
		t.Errorf("the corpus has grown by half and still uses %s", grown.Name)
	}
	wantEqual(t, "vectors of the new second model", grown.Vectors, 220)
	o.Embedder = nil
	made, err := UpdateVectors(t.Context(), o, false)
	noError(t, err)
	wantEqual(t, "new vectors", made.NewVectors, 0)
	wantEqual(t, "model", made.Model, grown.Name)
	wantEqual(t, "replaced model", made.Replaced, "openai test")
	wantEqual(t, "second model", made.Second, "")
	wantEqual(t, "model in use", near(t, o).ID, grown.ID)
}

// service is an embedding service with meaningless vectors. It fails after limit texts, unless
// limit is zero.
type service struct {
	dim   int
	name  string
	limit int64
	texts atomic.Int64
}

func (s *service) Model() string { return "openai test" + s.name }
func (s *service) Dim() int      { return 0 } // unknown before the first reply

func (s *service) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if n := s.texts.Add(int64(len(texts))); s.limit > 0 && n > s.limit {
		return nil, &rag.EmbedError{Kind: rag.EmbedUnreachable, Service: "test", Message: "it does not answer"}
	}
	vectors := make([][]float32, len(texts))
	for i, text := range texts {
		vectors[i] = make([]float32, s.dim)
		vectors[i][len(text)%s.dim] = 1
	}
	return vectors, ctx.Err()
}

func TestVectorsOfAService(t *testing.T) {
	o := options(t)
	s := &service{dim: 8}
	o.Embedder = s
	importing(t, o, inFile(t, many(1, 300)))
	_, m := inUse(t, o)
	wantEqual(t, "model", m.Name, "openai test")
	wantEqual(t, "dimension", m.Dim, 8)
	wantEqual(t, "vectors", m.Vectors, 300)
	wantEqual(t, "chunks without a vector", m.Missing, 0)
	wantEqual(t, "texts sent", s.texts.Load(), 301)
	// Stored chunks are not embedded again.
	importing(t, o, inFile(t, many(1, 300)))
	wantEqual(t, "texts sent after a repeated import", s.texts.Load(), 301)
	var bad *ModelError
	for name, other := range map[string]rag.Embedder{"another": &service{dim: 8, name: "2"}, "local": nil} {
		t.Run(name, func(t *testing.T) {
			o.Embedder = other
			if _, err := Import(t.Context(), o, inFile(t, many(1000, 5))); !errors.As(err, &bad) {
				t.Fatalf("%s: got the error %v, want a *ModelError", name, err)
			}
			wantEqual(t, "suggested command", strings.Join(bad.Command, " "), "biomcp sync embeddings")
		})
	}
	o.Embedder = &service{dim: 9}
	if _, err := Import(t.Context(), o, inFile(t, many(1000, 5))); !errors.As(err, &bad) {
		t.Errorf("another dimension: %v", err)
	}
	if len(pmids(t, o.Store)) > 305 {
		t.Errorf("%d documents", len(pmids(t, o.Store)))
	}
	// Do what the suggested command does.
	o.Embedder = &service{dim: 9, name: "2"}
	made, err := UpdateVectors(t.Context(), o, false)
	noError(t, err)
	wantEqual(t, "model", made.Model, "openai test2")
	wantEqual(t, "replaced model", made.Replaced, "openai test")
	wantEqual(t, "dimension", made.Dimension, 9)
	importing(t, o, inFile(t, many(1000, 5)))
}

// If a service fails, all documents are stored and the watermark is kept. The next sync makes
// the absent vectors.
func TestVectorsOfAServiceThatFails(t *testing.T) {
	for _, limit := range []int64{1, 250} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			bubble(t, func(r *rig) {
				s := &service{dim: 8, limit: limit}
				if limit == 1 {
					s.texts.Store(1)
				}
				r.o.Embedder = s
				report, incomplete := r.fails()
				var failed *rag.EmbedError
				if !errors.As(incomplete, &failed) {
					t.Errorf("got the causes %v, want a *rag.EmbedError", incomplete.Causes)
				}
				wantEqual(t, "causes", len(incomplete.Causes), 1)
				wantEqual(t, "inserted by the failed sync", report.Inserted, 600)
				s.limit = 0
				r.fetchedIDs()
				report = r.sync()
				wantEqual(t, "inserted by the next sync", report.Inserted, 0)
				if n := len(r.fetchedIDs()); n > 1 {
					t.Errorf("the next sync fetched %d records, want at most 1", n)
				}
				_, m := inUse(t, r.o)
				wantEqual(t, "chunks without a vector", m.Missing, 0)
				wantEqual(t, "vectors", m.Vectors, 600)
				r.wantWatermark("2024-05-11T06:00:00Z")
			}, many(1, 600)...)
		})
	}
}
