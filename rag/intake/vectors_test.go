package intake

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
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
