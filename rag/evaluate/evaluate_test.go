package evaluate

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "biomcp/build/testgc"
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
		t.Run(c.name, func(t *testing.T) {
			got := Evaluate(c.ranked, c.relevant)
			for _, d := range []float64{got.NDCG10 - c.want.NDCG10, got.Recall100 - c.want.Recall100, got.MAP - c.want.MAP, got.MRR - c.want.MRR} {
				if math.Abs(d) > 1e-12 {
					t.Errorf("%s: got %v, want %v", c.name, got, c.want)
					break
				}
			}
		})
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

// tolerance is by how much a measure may be below the documented one.
const tolerance = 0.003

// documented returns the measures in the tables of RESULTS.md by "set search".
func documented(t *testing.T) map[string]Measures {
	t.Helper()
	figures := map[string]Measures{}
	for line := range strings.Lines(Results) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 6 {
			continue
		}
		var m Measures
		if _, err := fmt.Sscan(strings.Join(cells[2:], " "), &m.NDCG10, &m.MAP, &m.Recall100, &m.MRR); err == nil {
			figures[strings.TrimSpace(cells[0])+" "+strings.TrimSpace(cells[1])] = m
		}
	}
	return figures
}

// Every search reaches the figures in RESULTS.md on the real collections.
func TestRetrievalQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: ranking is measured on whole collections")
	}
	figures := documented(t)
	var table io.Writer = io.Discard
	if path := os.Getenv("BIOMCP_RANKING_TABLE"); path != "" { // .ci/run shows it
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		table = f
	}
	for _, c := range []struct {
		documents string
		queries   map[string]string // by the name in the table
	}{
		{"pubmedqa", map[string]string{"PubMedQA": "pubmedqa"}},
		{"med", map[string]string{"MED": "med"}},
		{"cohen", map[string]string{"Cohen": "cohen", "Cohen-long": "cohen-long"}},
	} {
		t.Run(c.documents, func(t *testing.T) {
			folder := realData(t, "retrieval")
			ctx := t.Context()
			corpus, err := Import(ctx, t.TempDir(), filepath.Join(folder, c.documents), Vectors{})
			if err != nil {
				t.Fatal(err)
			}
			defer corpus.Close()
			if c.documents == "cohen" {
				titlesAreFirst(t, corpus)
				similarToSeeds(t, corpus, filepath.Join(folder, c.documents))
			}
			for name, queries := range c.queries {
				questions, err := Load(filepath.Join(folder, queries))
				if err != nil {
					t.Fatal(err)
				}
				for _, s := range corpus.Systems() {
					each, err := questions.Measure(ctx, s.Rank)
					if err != nil {
						t.Fatal(err)
					}
					got, want := Mean(each), figures[name+" "+s.Name]
					t.Logf("%-10s %-8s %v", name, s.Name, got)
					fmt.Fprintf(table, "%-10s %-8s %v\n", name, s.Name, got)
					if want.NDCG10 == 0 || min(got.NDCG10-want.NDCG10, got.MAP-want.MAP, got.Recall100-want.Recall100, got.MRR-want.MRR) < -tolerance {
						t.Errorf("%s, %s: below the documented %v", name, s.Name, want)
					}
				}
			}
		})
	}
}

// titlesAreFirst pastes 165 titles of a corpus: all but two find their document first. Some
// are titles of several documents.
func titlesAreFirst(t *testing.T, c *Corpus) {
	const pasted, first = 165, 163
	systems := c.Systems()
	rank, found := systems[len(systems)-1].Rank, 0
	stats, err := c.Store.Stats(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	every, i := int(stats.Documents)/pasted, 0
	for d, err := range c.Store.Documents(t.Context(), 0) {
		if i++; err != nil || i > pasted*every {
			break
		}
		if i%every != 0 {
			continue
		}
		ranked, err := rank(t.Context(), d.Title)
		if err != nil {
			t.Fatal(err)
		}
		if len(ranked) > 0 && ranked[0] == d.PMID {
			found++
		} else {
			t.Logf("not first: %d %s", d.PMID, d.Title)
		}
	}
	if found < first {
		t.Errorf("%d of %d pasted titles find their document first", found, pasted)
	}
}

// The document from which a query was taken is neither ranked nor relevant.
func TestSeedsAreLeftOut(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"queries.jsonl": `{"_id": "Statins-12", "text": "statins"}`,
		"qrels.tsv":     "query-id\tcorpus-id\tscore\nStatins-12\t12\t1\nStatins-12\t7\t1\n",
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	questions, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	each, err := questions.Measure(t.Context(), func(context.Context, string) ([]record.PMID, error) { return []record.PMID{12, 7}, nil })
	if err != nil || each[0] != (Measures{1, 1, 1, 1}) {
		t.Errorf("%v, %v", each, err)
	}
}
