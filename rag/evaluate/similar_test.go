package evaluate

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

// A draw is a review with seeds that were drawn from its included studies. The remaining ones are
// relevant.
type draw struct {
	review   string
	seeds    []record.PMID
	relevant map[record.PMID]float64
}

// drawSeeds draws n seeds of each review of Cohen, times over. Reviews with fewer than twice n
// included studies are left out.
func drawSeeds(t testing.TB, dir string, n, times int) (draws []draw) {
	f, err := os.Open(filepath.Join(dir, "screening.tsv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	included := map[string][]record.PMID{}
	for lines := bufio.NewScanner(unpacked); lines.Scan(); {
		field := strings.Split(lines.Text(), "\t")
		if pmid, err := record.ParsePMID(field[1]); err == nil && field[2] == "1" {
			included[field[0]] = append(included[field[0]], pmid)
		}
	}
	for i, review := range slices.Sorted(maps.Keys(included)) {
		pmids := included[review]
		if len(pmids) < 2*n {
			continue
		}
		for j := range times {
			random := rand.New(rand.NewPCG(uint64(i), uint64(j)))
			slices.SortFunc(pmids, func(a, b record.PMID) int { return cmp.Compare(a, b) })
			random.Shuffle(len(pmids), func(a, b int) { pmids[a], pmids[b] = pmids[b], pmids[a] })
			d := draw{review, slices.Clone(pmids[:n]), map[record.PMID]float64{}}
			for _, pmid := range pmids[n:] {
				d.relevant[pmid] = 1
			}
			draws = append(draws, d)
		}
	}
	return draws
}

// similarToSeeds measures the search for documents similar to five drawn seeds of each review of
// Cohen. before holds the measures of the same draws when only the best hits were compared with
// the headings of the seeds.
func similarToSeeds(t *testing.T, c *Corpus, dir string) {
	before := Measures{NDCG10: 0.4125, MAP: 0.2230}
	for _, n := range []int{1, 3, 5} {
		var each []Measures
		for _, d := range drawSeeds(t, dir, n, 4) {
			ranked, err := c.rankSimilar(t.Context(), d.seeds)
			if err != nil {
				t.Fatal(err)
			}
			for _, seed := range d.seeds {
				if slices.Contains(ranked, seed) {
					t.Errorf("%s: got the seed %d in the ranking, want it left out", d.review, seed)
				}
			}
			each = append(each, Evaluate(ranked, d.relevant))
		}
		got := Mean(each)
		t.Logf("similar to %d seeds, %d draws: %v", n, len(each), got)
		if n == 5 && (got.NDCG10 < before.NDCG10+0.005 || got.MAP < before.MAP+0.015) {
			t.Errorf("similar to %d seeds: got %v, want at least .005 nDCG@10 and .015 MAP above %v", n, got, before)
		}
	}
}
