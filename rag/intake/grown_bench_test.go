package intake

import (
	"cmp"
	"context"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/storetest"
)

// A search of the corpus that BenchmarkGrowth left in -bench-folder: the first answer of
// a process, p50 and p95 by words and by words and meaning, and how many of the 200
// chunks nearest to a query are found (recall), by the vectors as they are stored. Its
// file is read once by the latter, so it is warm when the times are taken.
//
//	go test ./rag/intake -run=^$ -bench=SearchGrown -benchtime=500x -timeout=2h -bench-folder /disk/corpus
func BenchmarkSearchGrown(b *testing.B) {
	if *benchFolder == "" {
		b.Skip("needs -bench-folder")
	}
	debug.SetGCPercent(100) // what the program has; TestMain sets another
	start := time.Now()
	s, err := store.Open(b.Context(), store.Options{Dir: *benchFolder, ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	embedder, model, err := CurrentModel(b.Context(), s, nil, nil)
	if err != nil || embedder == nil {
		b.Fatal("the corpus has no vectors", err)
	}
	words := &rag.Searcher{Corpus: s, Index: rag.NewCorpusIndex(s, 0)}
	hybrid := &rag.Searcher{Corpus: s, Index: rag.NewCorpusIndex(s, model.ID), Embedder: embedder}
	g := storetest.New(1)
	query := func(i int) string { return strings.Join(g.Query(i, 3), " ") }
	ask := func(s *rag.Searcher, i int) time.Duration {
		start := time.Now()
		if _, err := s.Search(b.Context(), query(i), rag.Options{TopK: 20, QualityBias: true}); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	ask(hybrid, 1_000_000)
	first := time.Since(start)
	share, lowest := recallOf(b, s, embedder, model.ID, query)
	var byWords, byBoth []time.Duration
	for i := 0; b.Loop(); i++ {
		byWords, byBoth = append(byWords, ask(words, i)), append(byBoth, ask(hybrid, i))
	}
	at := func(list []time.Duration, percent int) float64 {
		slices.Sort(list)
		return float64(list[len(list)*percent/100].Microseconds()) / 1000
	}
	b.ReportMetric(share, "recall")
	b.ReportMetric(lowest, "lowest-recall")
	b.ReportMetric(float64(first.Milliseconds()), "first-ms")
	b.ReportMetric(at(byWords, 50), "words-p50-ms")
	b.ReportMetric(at(byWords, 95), "words-p95-ms")
	b.ReportMetric(at(byBoth, 50), "hybrid-p50-ms")
	b.ReportMetric(at(byBoth, 95), "hybrid-p95-ms")
	b.ReportMetric(peakMB(), "peak-MB")
	b.ReportMetric(0, "ns/op")
}

// recallOf compares what Near finds with a comparison of all stored vectors, over 40
// queries: the share of the 200 nearest of all that is found, and of the worst query.
func recallOf(b *testing.B, s *store.Store, by rag.Embedder, model int64, query func(int) string) (share, lowest float64) {
	b.Helper()
	const queries, k = 40, 200
	type at struct {
		pmid    record.PMID
		ordinal int
	}
	type chunk struct {
		at
		score float32
	}
	var asked [queries][]float32
	var best [queries][]chunk
	for q := range asked {
		v, err := by.Embed(context.WithoutCancel(b.Context()), []string{query(2_000_000 + q)})
		if err != nil {
			b.Fatal(err)
		}
		asked[q] = v[0]
	}
	cut := func(q int) {
		slices.SortFunc(best[q], func(x, y chunk) int { return cmp.Compare(y.score, x.score) })
		best[q] = best[q][:min(k, len(best[q]))]
	}
	take := func(batch []record.PMID) {
		vectors, err := s.Vectors(b.Context(), model, batch)
		if err != nil {
			b.Fatal(err)
		}
		for pmid, chunks := range vectors {
			for ordinal, v := range chunks {
				for q, w := range asked {
					var sum float32
					for i, x := range v {
						sum += x * w[i]
					}
					if best[q] = append(best[q], chunk{at{pmid, ordinal}, sum}); len(best[q]) == 20*k {
						cut(q)
					}
				}
			}
		}
	}
	stats, err := s.Stats(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for i := 0; i < int(stats.Documents); i += 10_000 {
		var batch []record.PMID
		for j := i; j < min(i+10_000, int(stats.Documents)); j++ {
			batch = append(batch, record.PMID(1000+3*j)) // as the generator numbers them
		}
		take(batch)
	}
	lowest = 1
	for q := range asked {
		cut(q)
		hits, _, err := s.NearestChunks(b.Context(), model, asked[q], store.Filter{}, k)
		if err != nil {
			b.Fatal(err)
		}
		found := map[at]bool{}
		for _, h := range hits {
			found[at{h.PMID, h.Ordinal}] = true
		}
		n := 0
		for _, c := range best[q] {
			if found[c.at] {
				n++
			}
		}
		part := float64(n) / float64(len(best[q]))
		share, lowest = share+part/queries, min(lowest, part)
	}
	return share, lowest
}
