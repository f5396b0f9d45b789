package weaviate_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/evaluate"
	"biomcp/rag/intake"
	"biomcp/rag/weaviate/weaviatetest"
	"biomcp/store"
)

// collection moves a real collection, with the vectors of the model fitted on it, and
// compares the results of both engines.
func collection(t *testing.T, node *weaviatetest.Node) {
	dir := realData(t, "retrieval", "med")
	questions, err := evaluate.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	corpus, err := store.Open(t.Context(), store.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer corpus.Close()
	if _, err := intake.Import(t.Context(), intake.Options{Store: corpus}, filepath.Join(dir, "corpus.xml.gz")); err != nil {
		t.Fatal(err)
	}
	embedder, model, err := intake.CurrentModel(t.Context(), corpus, nil, nil)
	if err != nil || embedder == nil {
		t.Fatalf("no model: %v", err)
	}
	c := config(node)
	c.Model, c.Dim = model.Name, model.Dim
	moved := connect(t, c)
	if _, err := intake.Move(t.Context(), intake.Options{Store: corpus, Index: moved}); err != nil {
		t.Fatal(err)
	}
	embedded := rag.NewCorpusIndex(corpus, model.ID)

	found, wanted := 0, 0
	for _, q := range questions {
		query := rag.ParseQuery(analyze.New(), q.Text)
		got, err := moved.Words(t.Context(), query.Lexical, store.Filter{}, rag.PartHits)
		if err != nil {
			t.Fatal(err)
		}
		want, err := embedded.Words(t.Context(), query.Lexical, store.Filter{}, rag.PartHits)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d hits, want %d", q.ID, len(got), len(want))
			continue
		}
		for i := range want {
			if math.Abs(got[i].Score-want[i].Score) > 1e-4*want[i].Score {
				t.Errorf("%s: hit %d has %g, want %g", q.ID, i, got[i].Score, want[i].Score)
				break
			}
		}
		v, err := embedder.Embed(t.Context(), []string{q.Text})
		if err != nil {
			t.Fatal(err)
		}
		near, _, err := moved.SearchVectors(t.Context(), v[0], store.Filter{}, rag.PartHits)
		if err != nil {
			t.Fatal(err)
		}
		nearest, _, err := embedded.SearchVectors(t.Context(), v[0], store.Filter{}, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range nearest {
			wanted++
			if i := slices.IndexFunc(near, func(g store.Hit) bool { return g.PMID == h.PMID && g.Ordinal == h.Ordinal }); i >= 0 && i < 11 && math.Abs(near[i].Score-h.Score) < 2e-3 {
				found++
			}
		}
	}
	t.Logf("%d of the %d nearest are found", found, wanted)
	if found < wanted*9/10 {
		t.Errorf("found %d of the %d nearest", found, wanted)
	}
	measure := func(index rag.Finder) float64 {
		s := &rag.Searcher{Index: index, Spare: notSearched{embedded}, Corpus: corpus, Embedder: embedder}
		each, err := questions.Measure(t.Context(), evaluate.Ranking(s))
		if err != nil {
			t.Fatal(err)
		}
		m := evaluate.Mean(each)
		t.Log(m)
		return m.MAP
	}
	if here, there := measure(embedded), measure(moved); math.Abs(here-there) > 0.005 {
		t.Errorf("MAP %.4f in Weaviate, %.4f embedded", there, here)
	}
}

// notSearched has the vectors of the corpus file, by which hits are compared again, and
// finds nothing.
type notSearched struct{ *rag.CorpusIndex }

func (notSearched) Words(context.Context, store.Query, store.Filter, int) ([]store.Hit, error) {
	return nil, errors.New("the spare index was searched by words")
}

func (notSearched) SearchVectors(context.Context, []float32, store.Filter, int) ([]store.Hit, bool, error) {
	return nil, false, errors.New("the spare index was searched by meaning")
}

// realData returns a folder of the real test data. It skips the test if there is
// none.
func realData(t *testing.T, folder ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	for !exists(filepath.Join(dir, "go.mod")) {
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(append([]string{dir, "..", "shared", "data"}, folder...)...)
	if !exists(path) {
		t.Skipf("SKIPPED: there is no real test data (%s) here", filepath.Join(folder...))
	}
	return path
}
