package rag_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/store"
	"biomcp/store/vectors"
)

// vectorSource is an index in memory. Its vectors come with the hits or on request, as for the
// corpus of an external engine.
type vectorSource struct {
	*ragtest.Memory
	of     map[record.PMID][]float32
	onHits bool
}

func (v vectorSource) SearchVectors(ctx context.Context, q []float32, f store.Filter, k int) ([]store.Hit, bool, error) {
	hits, exact, err := v.Memory.SearchVectors(ctx, q, f, k)
	for i, h := range hits {
		if v.onHits {
			hits[i].Vector = vectors.NewSpace(len(q)).AppendBytes(nil, v.of[h.PMID])
		}
	}
	return hits, exact, err
}

func (v vectorSource) Vectors(_ context.Context, pmids []record.PMID) (map[record.PMID]map[int][]float32, error) {
	found := map[record.PMID]map[int][]float32{}
	for _, pmid := range pmids {
		found[pmid] = map[int][]float32{0: v.of[pmid]}
	}
	return found, nil
}

// A document near the first documents by words and vectors is ranked above one that is equally
// near to the query, whether vectors come with the hits or from the corpus.
func TestHitsAreComparedWithTheFirstDocuments(t *testing.T) {
	for name, c := range map[string]struct {
		onHits bool
		spare  bool
		query  string
		want   []record.PMID
	}{
		"with the hits":    {true, false, "aspirin", []record.PMID{1, 3, 2}},
		"of the corpus":    {false, true, "aspirin", []record.PMID{1, 3, 2}},
		"not at hand":      {false, false, "aspirin", []record.PMID{1, 2, 3}},
		"by meaning alone": {true, false, "apple", []record.PMID{1, 2, 3}},
	} {
		t.Run(name, func(t *testing.T) {
			index := vectorSource{&ragtest.Memory{}, map[record.PMID][]float32{1: {0.8, 0.6}, 2: {0.6, -0.8}, 3: {0.6, 0.8}}, c.onHits}
			cutter := rag.NewCutter()
			for i, title := range []string{"Aspirin", "Placebo", "Statins"} {
				d := &store.Document{PMID: record.PMID(i + 1), Title: title}
				cutter.Cut(d)
				d.Chunks[0].Vector = index.of[d.PMID]
				if err := index.Put(t.Context(), []*store.Document{d}); err != nil {
					t.Fatal(err)
				}
			}
			s := &rag.Searcher{Index: index, Corpus: index, Embedder: &compass{}}
			if c.spare {
				s.Spare = index
			}
			for _, k := range []int{3, 1} {
				answer, pmids := ask(t, s, c.query, rag.Options{TopK: k})
				if !slices.Equal(pmids, c.want[:k]) {
					t.Errorf("the first %d: %v of %+v", k, pmids, answer.Results)
				}
				want := 0.8
				if c.want[1] == 3 { // what is first alone has a score, so it is the mean
					want = (0.8 + 1) / 2
				}
				if sim := *answer.Results[0].Sim; math.Abs(sim-want) > 0.001 {
					t.Errorf("similarity %v, not %v", sim, want)
				}
			}
		})
	}
}
