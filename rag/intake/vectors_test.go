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

// topical returns n records about a few subjects, so that a model has something to learn.
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

// inUse returns the model in use and its embedder.
func inUse(t *testing.T, o Options) (rag.Embedder, store.Model) {
	t.Helper()
	by, m, err := CurrentModel(t.Context(), o.Store, o.Embedder, o.Table)
	if err != nil {
		t.Fatal(err)
	}
	return by, m
}

// near checks that every chunk has a vector of the model in use, and that the nearest chunks to
// a query are about its subject. It returns the model.
func near(t *testing.T, o Options) store.Model {
	t.Helper()
	by, m := inUse(t, o)
	stats, err := o.Store.Stats(t.Context())
	noError(t, err)
	if by == nil {
		t.Fatalf("the model %+v has no embedder", m)
	}
	wantEqual(t, "chunks without a vector", m.Missing, 0)
	wantEqual(t, "vectors", m.Vectors, stats.Chunks)
	v, err := by.Embed(t.Context(), []string{"metformin for glucose in diabetes"})
	if err != nil {
		t.Fatal(err)
	}
	if local, ok := by.(*rag.Local); ok {
		areOfTexts(t, o, local, m)
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
	noError(t, err1)
	noError(t, err2)
	space := vectors.NewSpace(m.Dim)
	for i, c := range chunks {
		v := got[c.PMID][c.Ordinal]
		if want[i] != nil {
			space.DecodeBytes(want[i], space.AppendBytes(nil, want[i]))
		}
		if !slices.EqualFunc(v, want[i], func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-3 }) {
			t.Fatalf("pmid %d chunk %d: got %.3f, want the vector of its text, %.3f", c.PMID, c.Ordinal, v, want[i])
		}
	}
}

func inFile(t *testing.T, records []pubmedRecord, deleted ...int) string {
	t.Helper()
	return filepath.Join(write(t, map[string]string{"f.xml": set(records, deleted...)}), "f.xml")
}

// A corpus gets its own model when it is large enough. New documents then get vectors as they
// are stored, and the corpus gets a new model when it has grown by half. Before, a sync reports
// how many documents have changed, and from a tenth of them how to fit the model again.
func TestLocalModelIsFittedAndRefitted(t *testing.T) {
	o := options(t)
	r := importing(t, o, inFile(t, topical(1, LeastDocuments-1)))
	if by, m := inUse(t, o); by != nil {
		t.Fatalf("too few documents: got the model %s, want none", m.Name)
	}
	if !strings.Contains(r.Vectors, "search uses words only") {
		t.Fatalf("too few documents: the report says %q", r.Vectors)
	}
	r = importing(t, o, inFile(t, topical(1000, 100)))
	first := near(t, o)
	if !strings.HasPrefix(first.Name, "local-") {
		t.Errorf("got the model %s, want one that begins with local-", first.Name)
	}
	wantEqual(t, "vectors", r.Vectors, "149 vectors of the new model "+first.Name)
	// Add some records and remove some. One has only unknown words, and one has no words.
	strange := []pubmedRecord{{pmid: 4000, title: "Xyzzy", abstract: "plugh"}, {pmid: 4004, title: "-", abstract: "?"}}
	r = importing(t, o, inFile(t, append(topical(2000, 50), strange...), 1, 2))
	second := near(t, o)
	wantEqual(t, "model in use", second.ID, first.ID)
	const changes = "54 documents added, replaced or removed since "
	wantEqual(t, "vectors", r.Vectors, "199 vectors of the model "+first.Name+" ("+changes+"it was fitted)")
	if want := changes + "the corpus's own model was fitted on 149: biomcp sync embeddings fits it again"; !slices.Contains(r.Warnings, want) {
		t.Errorf("got the warnings %q, want %q", r.Warnings, want)
	}
	importing(t, o, inFile(t, topical(5000, 25)))
	third := near(t, o)
	if third.ID == first.ID {
		t.Errorf("the corpus has grown by half and still uses %s", third.Name)
	}
	r = importing(t, o, inFile(t, topical(6000, 1)))
	wantEqual(t, "vectors", r.Vectors, "225 vectors of the model "+third.Name+" (1 document added, replaced or removed since it was fitted)")
	if strings.Contains(strings.Join(r.Warnings, "\n"), "sync embeddings") {
		t.Errorf("after a small change, the warnings are %q", r.Warnings)
	}
}

func TestVectorsLeftOutAreMadeByTheNextSync(t *testing.T) {
	t.Parallel()
	o := options(t)
	o.NoVectors = true
	n := 3000
	if testing.Short() {
		n = 1200
	}
	path := inFile(t, topical(1, n))
	wantEqual(t, "vectors of the import", importing(t, o, path).Vectors, "skipped, as requested")
	if by, m := inUse(t, o); by != nil {
		t.Fatalf("got the model %s, want none", m.Name)
	}
	o.NoVectors = false
	made, err := UpdateVectors(t.Context(), o, false)
	noError(t, err)
	m := near(t, o)
	wantEqual(t, "model", made.Model, m.Name)
	wantEqual(t, "dimension", made.Dimension, m.Dim)
	wantEqual(t, "new vectors", made.NewVectors, int64(n))
	wantEqual(t, "vectors", made.Vectors, int64(n))
	wantEqual(t, "documents of the fit", made.FittedOn, n)
	// Nothing is left to do: a model fitted again on equal documents is equal.
	for _, refit := range []bool{false, true} {
		t.Run(fmt.Sprint(refit), func(t *testing.T) {
			again, err := UpdateVectors(t.Context(), o, refit)
			noError(t, err)
			wantEqual(t, "new vectors", again.NewVectors, 0)
			wantEqual(t, "model", again.Model, made.Model)
			wantEqual(t, "replaced model", again.Replaced, "")
		})
	}
	importing(t, o, inFile(t, topical(5000, 10)))
	again, err := UpdateVectors(t.Context(), o, true)
	noError(t, err)
	wantEqual(t, "new vectors after a refit", again.NewVectors, int64(n+10))
	wantEqual(t, "replaced model", again.Replaced, made.Model)
	near(t, o)
}

// Texts that were embedded before a stop are not embedded again. The old model serves until
// the end.
func TestReembedStopped(t *testing.T) {
	t.Parallel()
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
	wantEqual(t, "model in use after the stop", near(t, o).Name, old.Name)
	o.Embedder = provider
	provider.texts.Store(0)
	made, err = UpdateVectors(t.Context(), o, false)
	noError(t, err)
	wantEqual(t, "vectors", made.Vectors, 2000)
	wantEqual(t, "replaced model", made.Replaced, old.Name)
	if made.NewVectors > 1000 {
		t.Errorf("the second run made %d vectors, want at most 1000", made.NewVectors)
	}
	if n := provider.texts.Load(); n > 1001 {
		t.Errorf("the second run sent %d texts, want at most 1001", n)
	}
	models, err := o.Store.Models(t.Context())
	noError(t, err)
	if len(models) != 2 {
		t.Fatalf("got the models %+v, want two", models)
	}
	wantEqual(t, "chunks without a vector", models[0].Missing+models[1].Missing, 0)
	wantEqual(t, "second model", models[1].ID, old.ID)
	wantEqual(t, "the second model is in use", models[1].IsSecond, true)
}
