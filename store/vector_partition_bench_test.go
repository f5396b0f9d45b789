package store_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/storetest"
)

// The benchmarks search synthetic vectors in the nearest partitions and, alternating, in all. They
// report the share of the 200 nearest that each finds (recall, all-recall), the times, the first
// answer of a process that has just opened the corpus, and the share of the codes that is scanned.
// The corpus is built once: by a series of commits and one call of ArrangePartitions or, in the growth
// benchmarks, by commits that arrange; the build times are logged. Sizes above 100k must be
// selected by name, one at a time:
//
//	TMPDIR=/disk go test ./store -run=^$ -bench=Partitions_1M -benchtime=100x -timeout=2h
func BenchmarkPartitions_100k(b *testing.B)       { benchmarkPartitions(b, 100_000, "100k", false) }
func BenchmarkPartitions_1M(b *testing.B)         { benchmarkPartitions(b, 1_000_000, "1M", false) }
func BenchmarkPartitions_3M(b *testing.B)         { benchmarkPartitions(b, 3_000_000, "3M", false) }
func BenchmarkPartitionsGrowth_300k(b *testing.B) { benchmarkPartitions(b, 300_000, "300k", true) }
func BenchmarkPartitionsGrowth_1M(b *testing.B)   { benchmarkPartitions(b, 1_000_000, "1M", true) }

func benchmarkPartitions(b *testing.B, n int, name string, growing bool) {
	if asked := flag.Lookup("test.bench").Value.String(); n > 100_000 && !strings.HasSuffix(asked, name) {
		b.Skip("run it by its name: -bench=Partitions_" + name)
	}
	dir := vectorCorpus(b, n, growing)
	start := time.Now()
	s, err := store.Open(b.Context(), store.Options{Dir: dir, ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	models, err := s.Models(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	g := storetest.New(1)
	const queries, k = 40, 200
	near := func(i int) (time.Duration, []store.Hit) {
		start := time.Now()
		hits, _, err := s.NearestChunks(b.Context(), models[0].ID, g.Vector(5_000_000+i%queries, benchDim), store.Filter{}, k)
		if err != nil {
			b.Fatal(err)
		}
		return time.Since(start), hits
	}
	near(queries - 1)
	first := time.Since(start)
	var times, allTimes []time.Duration
	var found, allFound [queries][]store.Hit
	for i := 0; b.Loop(); i++ {
		d, hits := near(i)
		times, found[i%queries] = append(times, d), hits
		undo := s.ScanAll()
		d, hits = near(i)
		undo()
		allTimes, allFound[i%queries] = append(allTimes, d), hits
	}
	peak := peakMB() // measured before the exact answers
	exact := nearest(g, n, queries, k)
	recall := func(found [queries][]store.Hit) (r, lowest float64) {
		lowest, done := 1, 0
		for q, hits := range found {
			if hits == nil {
				continue
			}
			n := 0
			for _, h := range hits {
				if exact[q][h.PMID] {
					n++
				}
			}
			r, lowest, done = r+float64(n)/k, min(lowest, float64(n)/k), done+1
		}
		return r / float64(done), lowest
	}
	ms := func(d []time.Duration, q int) float64 {
		slices.Sort(d)
		return float64(d[len(d)*q/100].Microseconds()) / 1000
	}
	part, lowest := recall(found)
	all, _ := recall(allFound)
	b.ReportMetric(part, "recall")
	b.ReportMetric(lowest, "lowest-recall")
	b.ReportMetric(all, "all-recall")
	b.ReportMetric(ms(times, 50), "p50-ms")
	b.ReportMetric(ms(times, 95), "p95-ms")
	b.ReportMetric(ms(allTimes, 50), "all-p50-ms")
	b.ReportMetric(ms(allTimes, 95), "all-p95-ms")
	b.ReportMetric(float64(first.Milliseconds()), "first-ms")
	b.ReportMetric(peak, "peak-MB")
	b.ReportMetric(0, "ns/op")
}

// vectorCorpus returns the folder of a corpus of n vectors, which is built once and kept in the
// temporary folder.
func vectorCorpus(b *testing.B, n int, growing bool) string {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-partitions-1-%d-%v", n, growing))
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return dir
	}
	os.RemoveAll(dir)
	s, err := store.Open(b.Context(), store.Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	m, err := s.NewModel(b.Context(), "bench", benchDim)
	if err != nil {
		b.Fatal(err)
	}
	g := storetest.New(1)
	var storing time.Duration
	for i := 0; i < n; {
		batch := s.Begin("bench").WithModel(m.ID)
		for ; i < n && batch.Len() < batchSize; i++ {
			if err := batch.Put(&store.Document{PMID: record.PMID(i + 1), Chunks: []store.Chunk{{ID: "w0", Vector: g.Vector(i, benchDim)}}}); err != nil {
				b.Fatal(err)
			}
		}
		start := time.Now()
		if done, err := batch.Commit(b.Context()); err != nil || done.Unmerged != nil {
			b.Fatal(err, done.Unmerged)
		}
		if storing += time.Since(start); growing && i == batchSize {
			if err := s.UseModel(b.Context(), m.ID, 0); err != nil {
				b.Fatal(err)
			}
		}
	}
	start := time.Now()
	if err := s.ArrangePartitions(b.Context(), m.ID); err != nil {
		b.Fatal(err)
	}
	b.Logf("%d vectors: %v to store, %v to arrange, %.0f MB at most", n, storing.Round(time.Second), time.Since(start).Round(time.Second), peakMB())
	if err := s.UseModel(b.Context(), m.ID, 0); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "done"), nil, 0o644); err != nil {
		b.Fatal(err)
	}
	return dir
}

// nearest returns the k nearest of n vectors to each query, by comparing all.
func nearest(g *storetest.Generator, n, queries, k int) []map[record.PMID]bool {
	type scored struct {
		pmid  record.PMID
		score float32
	}
	asked, best := make([][]float32, queries), make([][]scored, queries)
	for q := range asked {
		asked[q] = g.Vector(5_000_000+q, benchDim)
	}
	sets := make([]map[record.PMID]bool, queries)
	cut := func(q int) {
		slices.SortFunc(best[q], func(a, b scored) int { return cmp.Compare(b.score, a.score) })
		best[q] = best[q][:min(k, len(best[q]))]
	}
	for i := range n {
		v := g.Vector(i, benchDim)
		for q, w := range asked {
			var s float32
			for j, x := range v {
				s += x * w[j]
			}
			if best[q] = append(best[q], scored{record.PMID(i + 1), s}); len(best[q]) == 10*k {
				cut(q)
			}
		}
	}
	for q := range sets {
		cut(q)
		sets[q] = map[record.PMID]bool{}
		for _, c := range best[q] {
			sets[q][c.pmid] = true
		}
	}
	return sets
}
