package evaluate

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"biomcp/entrez/record"
)

// The expected values were computed by hand. Ranking r n r n n with relevant
// {1, 3, 9}: precision at the relevant ranks 1/1, 2/3; three relevant in all.
func TestMeasuresEqualValuesComputedByHand(t *testing.T) {
	binary := map[record.PMID]float64{1: 1, 3: 1, 9: 1}
	graded := map[record.PMID]float64{1: 1, 2: 3}
	eleven := []record.PMID{10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 1}
	for _, c := range []struct {
		name     string
		ranked   []record.PMID
		relevant map[record.PMID]float64
		want     Measures
	}{
		{"two of three", []record.PMID{1, 2, 3, 4, 5}, binary, Measures{(1 + 0.5) / (1 + 1/math.Log2(3) + 0.5), 2. / 3, (1 + 2./3) / 3, 1}},
		{"perfect", []record.PMID{9, 3, 1}, binary, Measures{1, 1, 1, 1}},
		{"none", []record.PMID{7, 8}, binary, Measures{}},
		{"nothing ranked", nil, binary, Measures{}},
		{"nothing relevant", []record.PMID{1}, nil, Measures{}},
		{"graded, lesser first", []record.PMID{1, 2}, graded, Measures{(1 + 3/math.Log2(3)) / (3 + 1/math.Log2(3)), 1, 1, 1}},
		{"past the tenth", eleven, binary, Measures{0, 1. / 3, 1. / 33, 1. / 11}},
	} {
		got := Evaluate(c.ranked, c.relevant)
		for _, d := range []float64{got.NDCG10 - c.want.NDCG10, got.Recall100 - c.want.Recall100, got.MAP - c.want.MAP, got.MRR - c.want.MRR} {
			if math.Abs(d) > 1e-12 {
				t.Errorf("%s: got %v, want %v", c.name, got, c.want)
				break
			}
		}
	}
}

// realData returns a folder of the real test data. It skips the test if there is
// none.
func realData(t *testing.T, folder string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for !exists(filepath.Join(dir, "go.mod")) {
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(dir, "..", "shared", "data", folder)
	if !exists(path) {
		t.Skipf("SKIPPED: there is no real test data (%s) here", folder)
	}
	return path
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Plain SQLite FTS5 reaches nDCG@10 0.977 on PubMedQA and MAP 0.514 on MED. The
// default must exceed both; the limits are a little below the figures in the
// package comment of rag.
func TestRetrievalQualityOfHybridSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: ranking is measured on two whole collections")
	}
	for _, c := range []struct {
		name         string
		ndcg, mapped float64
	}{
		{"pubmedqa", 0.987, 0.984},
		{"med", 0.75, 0.635},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(realData(t, "retrieval"), c.name)
			questions, err := Load(dir)
			if err != nil {
				t.Fatal(err)
			}
			ctx := t.Context()
			corpus, err := Import(ctx, t.TempDir(), dir, Vectors{})
			if err != nil {
				t.Fatal(err)
			}
			defer corpus.Close()
			systems := corpus.Systems()
			each, err := questions.Measure(ctx, systems[len(systems)-1].Rank)
			if err != nil {
				t.Fatal(err)
			}
			if m := Mean(each); m.NDCG10 < c.ndcg || m.MAP < c.mapped {
				t.Errorf("%v: below nDCG@10 %.3f or MAP %.3f", m, c.ndcg, c.mapped)
			}
		})
	}
}
