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

// secondOf checks that every chunk has a vector under the corpus's own model next to
// that of a service.
func secondOf(t *testing.T, o Options) store.Model {
	t.Helper()
	local, m, err := SecondModel(t.Context(), o.Store)
	if err != nil || local == nil || m.Missing != 0 {
		t.Fatalf("%+v, %v", m, err)
	}
	v, err := local.Embed(t.Context(), []string{"metformin for glucose in diabetes"})
	if err != nil {
		t.Fatal(err)
	}
	hits, _, err := o.Store.NearestChunks(t.Context(), m.ID, v[0], store.Filter{}, 10)
	if err != nil || len(hits) != 10 {
		t.Fatalf("%v, %v", hits, err)
	}
	for _, h := range hits {
		if h.PMID%4 != 0 {
			t.Errorf("pmid %d (%.2f) is not about diabetes", h.PMID, h.Score)
		}
	}
	return m
}

// Next to the model of a service the corpus keeps its own: it is fitted where there
// was none, new documents get its vectors on their way, also while the service is
// down, it is fitted again when the corpus has doubled, and serves alone again
// without embedding anything once the service is given up.
func TestTwoModelsWithAService(t *testing.T) {
	o := options(t)
	provider := &service{dim: 8}
	o.Embedder = provider
	r := importing(t, o, inFile(t, topical(1, 100)))
	first := secondOf(t, o)
	if r.Vectors != "100 vectors of the new model openai test, and of "+first.Name {
		t.Errorf("%q", r.Vectors)
	}
	provider.limit = 1
	var incomplete *Incomplete
	if _, err := Import(t.Context(), o, inFile(t, topical(1000, 20))); !errors.As(err, &incomplete) {
		t.Fatalf("the service is down: %v", err)
	}
	if m := secondOf(t, o); m.ID != first.ID || m.Vectors != 120 {
		t.Errorf("%+v", m)
	}
	provider.limit = 0
	importing(t, o, inFile(t, topical(3000, 100)))
	grown := secondOf(t, o)
	if grown.ID == first.ID || grown.Vectors != 220 {
		t.Errorf("the corpus has outgrown its model: %+v", grown)
	}
	o.Embedder = nil
	made, err := UpdateVectors(t.Context(), o, false)
	if err != nil || made.NewVectors != 0 || made.Model != grown.Name || made.Replaced != "openai test" || made.Second != "" {
		t.Errorf("%+v, %v", made, err)
	}
	if m := near(t, o); m.ID != grown.ID {
		t.Errorf("%+v", m)
	}
}

// service is an embedding service that fails after so many texts, where that is
// given. Its vectors mean nothing.
type service struct {
	dim   int
	name  string
	limit int64
	texts atomic.Int64
}

func (s *service) Model() string { return "openai test" + s.name }
func (s *service) Dim() int      { return 0 } // it was not asked yet

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
	r := importing(t, o, inFile(t, many(1, 300)))
	_, m := inUse(t, o)
	if m.Name != "openai test" || m.Dim != 8 || m.Vectors != 300 || m.Missing != 0 || s.texts.Load() != 301 {
		t.Errorf("%+v, %d texts, %q", m, s.texts.Load(), r.Vectors)
	}
	// What is stored already is not paid for again.
	importing(t, o, inFile(t, many(1, 300)))
	if n := s.texts.Load(); n != 301 {
		t.Errorf("%d texts", n)
	}
	var bad *ModelError
	for name, other := range map[string]rag.Embedder{"another": &service{dim: 8, name: "2"}, "local": nil} {
		t.Run(name, func(t *testing.T) {
			o.Embedder = other
			if _, err := Import(t.Context(), o, inFile(t, many(1000, 5))); !errors.As(err, &bad) || strings.Join(bad.Command, " ") != "biomcp sync embeddings" {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	o.Embedder = &service{dim: 9}
	if _, err := Import(t.Context(), o, inFile(t, many(1000, 5))); !errors.As(err, &bad) {
		t.Errorf("another dimension: %v", err)
	}
	if len(pmids(t, o.Store)) > 305 {
		t.Errorf("%d documents", len(pmids(t, o.Store)))
	}
	// The command that the error names.
	o.Embedder = &service{dim: 9, name: "2"}
	made, err := UpdateVectors(t.Context(), o, false)
	if err != nil || made.Model != "openai test2" || made.Replaced != "openai test" || made.Dimension != 9 {
		t.Errorf("%+v, %v", made, err)
	}
	importing(t, o, inFile(t, many(1000, 5)))
}

// A service that fails costs no document and no watermark; the next sync makes
// the vectors that are missing.
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
				if !errors.As(incomplete, &failed) || report.Inserted != 600 || len(incomplete.Causes) != 1 {
					t.Errorf("%s, %v", counts(report), incomplete.Causes)
				}
				s.limit = 0
				r.fetchedIDs()
				report = r.sync()
				if n := len(r.fetchedIDs()); report.Inserted != 0 || n > 1 {
					t.Errorf("%s, %d fetched", counts(report), n)
				}
				if _, m := inUse(t, r.o); m.Missing != 0 || m.Vectors != 600 {
					t.Errorf("%+v", m)
				}
				r.wantWatermark("2024-05-11T06:00:00Z")
			}, many(1, 600)...)
		})
	}
}
