package intake

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
)

// A history is a way in which a corpus got its final records.
type history struct {
	final   []pubmedRecord
	earlier []pubmedRecord // older revisions of some, and records that are deleted again
	deleted []int
}

// drawHistory draws up to 150 final records, which are sometimes too few for a model.
func drawHistory(rnd *rand.Rand) (h history) {
	h.final = topical(1, 30+rnd.IntN(120))
	for i := range h.final {
		h.final[i].lr = "2026-05-01"
		if rnd.IntN(4) == 0 {
			old := h.final[i]
			old.lr, old.title, old.abstract = "2026-02-01", "Synthetic lens", "Cornea retina "+old.abstract
			h.earlier = append(h.earlier, old)
		}
	}
	for _, r := range topical(1000, rnd.IntN(80)) {
		r.lr = "2026-02-01"
		h.earlier, h.deleted = append(h.earlier, r), append(h.deleted, r.pmid)
	}
	return h
}

// play imports the records in drawn parts and order, the deletions last, and makes all vectors.
func (h history) play(t *testing.T, o Options, rnd *rand.Rand) {
	all := slices.Concat(h.final, h.earlier)
	rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	dir, number := t.TempDir(), 0
	add := func(text string) {
		number++
		path := filepath.Join(dir, fmt.Sprintf("pubmed26n%04d.xml", number))
		noError(t, os.WriteFile(path, []byte(text), 0o644))
		importing(t, o, path)
	}
	for part := range slices.Chunk(all, 1+len(all)/(1+rnd.IntN(11))) {
		slices.SortStableFunc(part, func(a, b pubmedRecord) int { return strings.Compare(a.lr, b.lr) })
		add(set(part))
		if rnd.IntN(4) == 0 {
			_, err := UpdateVectors(t.Context(), o, false)
			noError(t, err)
		}
	}
	if len(h.deleted) > 0 {
		add(set(nil, h.deleted...))
	}
	_, err := UpdateVectors(t.Context(), o, false)
	noError(t, err)
}

// answers returns the first ten documents of some queries, with their scores.
func answers(t *testing.T, o Options) map[string][]rag.Result {
	t.Helper()
	by, m := inUse(t, o)
	s := &rag.Searcher{Index: rag.NewCorpusIndex(o.Store, m.ID), Corpus: o.Store, Embedder: by, Now: o.Now}
	found := map[string][]rag.Result{}
	for _, query := range []string{
		"insulin", "metformin for obesity", "lens surgery", "cancer AND kras", "heart NOT stroke", `"of record7"`,
		"coronary stent after infarction with statin and hypertension in patients with arrhythmia or angina",
	} {
		answer, err := s.Search(t.Context(), query, rag.Options{TopK: 10})
		noError(t, err)
		found[query] = answer.Results
	}
	return found
}

// After an update of the vectors, searches depend on the records alone, not on the order in
// which they came, or on older revisions and records that were deleted.
func TestAnswersDependOnTheRecordsAlone(t *testing.T) {
	eachHistory(t, 200, func(t *testing.T, seeds []uint64) {
		for _, seed := range seeds[:(len(seeds)+9)/10] {
			rnd := rand.New(rand.NewPCG(seed, 12))
			h := drawHistory(rnd)
			first, second := options(t), options(t)
			history{final: h.final}.play(t, first, rand.New(rand.NewPCG(0, 0)))
			h.play(t, second, rnd)
			_, m1 := inUse(t, first)
			_, m2 := inUse(t, second)
			wantEqual(t, fmt.Sprintf("seed %d, %d records: model", seed, len(h.final)), m2.Name, m1.Name)
			want, got := answers(t, first), answers(t, second)
			for query := range want {
				if !reflect.DeepEqual(got[query], want[query]) {
					t.Fatalf("seed %d, %d records, %s:\n%v, want\n%v", seed, len(h.final), query,
						places(got[query]), places(want[query]))
				}
			}
		}
	})
}

func places(results []rag.Result) (pmids []record.PMID) {
	for _, r := range results {
		pmids = append(pmids, r.PMID)
	}
	return pmids
}
