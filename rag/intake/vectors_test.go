package intake

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/vectors"
)

// topical is n records about a handful of subjects, so that there is something
// to learn.
func topical(from, n int) []pubmedRecord {
	subjects := [][]string{
		strings.Fields("insulin glucose diabetes metformin pancreas obesity hba1c glycemia ketosis lipid"),
		strings.Fields("cataract lens cornea retina surgery vision glaucoma ocular iris myopia"),
		strings.Fields("tumour cancer metastasis chemotherapy radiation biopsy lymphoma p53 kras survival"),
		strings.Fields("heart infarction coronary stent hypertension arrhythmia statin valve stroke angina"),
	}
	rng := rand.New(rand.NewPCG(1, uint64(from)))
	list := many(from, n)
	for i := range list {
		var words []string
		for range 40 {
			subject := subjects[list[i].pmid%len(subjects)]
			words = append(words, subject[rng.IntN(len(subject))])
		}
		list[i].title, list[i].abstract = "Synthetic "+strings.Join(words[:4], " "), fmt.Sprintf("%s record%d.", strings.Join(words, " "), list[i].pmid)
	}
	return list
}

// inUse is the model in use, and its embedder.
func inUse(t *testing.T, o Options) (rag.Embedder, store.Model) {
	t.Helper()
	by, m, err := CurrentModel(t.Context(), o.Store, o.Embedder, o.Table)
	if err != nil {
		t.Fatal(err)
	}
	return by, m
}

// near checks that every chunk has a vector under the model in use, and that what
// is near to a word is about it.
func near(t *testing.T, o Options) store.Model {
	t.Helper()
	by, m := inUse(t, o)
	stats, err := o.Store.Stats(t.Context())
	if err != nil || by == nil || m.Missing != 0 || m.Vectors != stats.Chunks {
		t.Fatalf("%+v of %d chunks, %v", m, stats.Chunks, err)
	}
	v, err := by.Embed(t.Context(), []string{"metformin for glucose in diabetes"})
	if err != nil {
		t.Fatal(err)
	}
	if local, ok := by.(*rag.Local); ok {
		areOfTexts(t, o, local, m)
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

// areOfTexts checks that each vector equals the one for the text of its chunk, rounded as
// it is stored, even if it was made from the word index.
func areOfTexts(t *testing.T, o Options, by *rag.Local, m store.Model) {
	t.Helper()
	var chunks []store.DocumentChunk
	var pmids []record.PMID
	for d, err := range o.Store.Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		pmids = append(pmids, d.PMID)
		for i := range d.Chunks {
			chunks = append(chunks, store.DocumentChunk{Document: d, Ordinal: i})
		}
	}
	want, err1 := by.EmbedChunks(t.Context(), chunks)
	got, err2 := o.Store.Vectors(t.Context(), m.ID, pmids)
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	space := vectors.NewSpace(m.Dim)
	for i, c := range chunks {
		v := got[c.PMID][c.Ordinal]
		if want[i] != nil {
			space.DecodeBytes(want[i], space.AppendBytes(nil, want[i]))
		}
		if !slices.EqualFunc(v, want[i], func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-3 }) {
			t.Fatalf("pmid %d chunk %d: %.3f, of its text %.3f", c.PMID, c.Ordinal, v, want[i])
		}
	}
}

func inFile(t *testing.T, records []pubmedRecord, deleted ...int) string {
	t.Helper()
	return filepath.Join(write(t, map[string]string{"f.xml": set(records, deleted...)}), "f.xml")
}

// A corpus gets its own model when it is large enough, its new documents get
// vectors on their way, and a new model when it has doubled.
func TestLocalModelIsFittedAndRefitted(t *testing.T) {
	o := options(t)
	r := importing(t, o, inFile(t, topical(1, LeastDocuments-1)))
	if by, _ := inUse(t, o); by != nil || !strings.Contains(r.Vectors, "search uses words only") {
		t.Fatalf("a model for too few documents: %q", r.Vectors)
	}
	r = importing(t, o, inFile(t, topical(1000, 100)))
	first := near(t, o)
	if !strings.HasPrefix(first.Name, "local-") || r.Vectors != "149 vectors of the new model "+first.Name {
		t.Errorf("%+v, %q", first, r.Vectors)
	}
	// Some more, some removed, one with words nobody knows, one without a word.
	strange := []pubmedRecord{{pmid: 4000, title: "Xyzzy", abstract: "plugh"}, {pmid: 4004, title: "-", abstract: "?"}}
	r = importing(t, o, inFile(t, append(topical(2000, 50), strange...), 1, 2))
	second := near(t, o)
	if second.ID != first.ID || r.Vectors != "199 vectors of the model "+first.Name {
		t.Errorf("%+v, %q", second, r.Vectors)
	}
	importing(t, o, inFile(t, topical(5000, 200)))
	third := near(t, o)
	if third.ID == first.ID {
		t.Errorf("the corpus has outgrown %s", third.Name)
	}
}

func TestVectorsLeftOutAreMadeByTheNextSync(t *testing.T) {
	o := options(t)
	o.NoVectors = true
	n := 3000
	if testing.Short() {
		n = 1200
	}
	path := inFile(t, topical(1, n))
	if r := importing(t, o, path); r.Vectors != "skipped, as requested" {
		t.Errorf("%q", r.Vectors)
	}
	if by, _ := inUse(t, o); by != nil {
		t.Fatal("a model nobody asked for")
	}
	o.NoVectors = false
	made, err := UpdateVectors(t.Context(), o, false)
	if m := near(t, o); err != nil || made.Model != m.Name || made.NewVectors != int64(n) || made.Vectors != int64(n) || made.FittedOn != n || made.Dimension != m.Dim {
		t.Errorf("%+v, %v", made, err)
	}
	// There is no more to do; a model of the same documents is the same.
	for _, refit := range []bool{false, true} {
		t.Run(fmt.Sprint(refit), func(t *testing.T) {
			again, err := UpdateVectors(t.Context(), o, refit)
			if err != nil || again.NewVectors != 0 || again.Model != made.Model || again.Replaced != "" {
				t.Errorf("%+v, %v", again, err)
			}
		})
	}
	importing(t, o, inFile(t, topical(5000, 10)))
	if again, err := UpdateVectors(t.Context(), o, true); err != nil || again.NewVectors != int64(n+10) || again.Replaced != made.Model {
		t.Errorf("%+v, %v", again, err)
	}
	near(t, o)
}

// What was embedded before a stop is not embedded again, and until the end the
// old model serves.
func TestReembedStopped(t *testing.T) {
	o := options(t)
	importing(t, o, inFile(t, topical(1, 2000)))
	old := near(t, o)
	provider := &service{dim: 8}
	o.Embedder = provider
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("Ctrl-C")
	o.Progress = func(p Progress) {
		if p.Vectors >= 1000 {
			cancel(reason)
		}
	}
	made, err := UpdateVectors(ctx, o, false)
	if !errors.Is(err, reason) && !errors.Is(err, context.Canceled) {
		t.Fatalf("%+v, %v", made, err)
	}
	o.Progress, o.Embedder = nil, nil
	if m := near(t, o); m.ID != old.ID {
		t.Errorf("%s serves, not %s", m.Name, old.Name)
	}
	o.Embedder = provider
	provider.texts.Store(0)
	made, err = UpdateVectors(t.Context(), o, false)
	if err != nil || made.Vectors != 2000 || made.NewVectors > 1000 || provider.texts.Load() > 1001 || made.Replaced != old.Name {
		t.Errorf("%+v, %d texts, %v", made, provider.texts.Load(), err)
	}
	if models, err := o.Store.Models(t.Context()); err != nil || len(models) != 2 || models[0].Missing+models[1].Missing != 0 || models[1].ID != old.ID || !models[1].IsSecond {
		t.Errorf("%+v, %v", models, err)
	}
}

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
