package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"biomcp/store"
	"biomcp/store/storetest"
)

const batchSize = 5000

// fill imports documents from up to to, and returns the time spent storing: not
// that of making them up.
func fill(tb testing.TB, s *store.Store, from, to int) time.Duration {
	tb.Helper()
	g := storetest.New(1)
	var spent time.Duration
	for from < to {
		docs := make([]*store.Document, 0, batchSize)
		for ; from < to && len(docs) < batchSize; from++ {
			docs = append(docs, g.Document(from))
		}
		start := time.Now()
		b := s.Begin("bench")
		for _, d := range docs {
			if err := b.Put(d); err != nil {
				tb.Fatal(err)
			}
		}
		done, err := b.Commit(context.Background())
		if err != nil || done.Unmerged != nil {
			tb.Fatal(err, done.Unmerged)
		}
		spent += time.Since(start)
	}
	return spent
}

// corpus opens the made-up corpus of n documents, which is built once and kept
// in the temporary folder.
func corpus(tb testing.TB, n int) string {
	tb.Helper()
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-bench-1-%d", n))
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return dir
	}
	os.RemoveAll(dir)
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	fill(tb, s, 0, n)
	if err := os.WriteFile(filepath.Join(dir, "done"), nil, 0o644); err != nil {
		tb.Fatal(err)
	}
	return dir
}

func size(tb testing.TB, dir string) (bytes int64) {
	files, err := filepath.Glob(filepath.Join(dir, store.FileName+"*"))
	if err != nil {
		tb.Fatal(err)
	}
	for _, f := range files {
		if fi, err := os.Stat(f); err == nil {
			bytes += fi.Size()
		}
	}
	return bytes
}

func benchmarkImport(b *testing.B, n int) {
	for b.Loop() {
		dir := b.TempDir()
		s, err := store.Open(b.Context(), store.Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		spent := fill(b, s, 0, n)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/spent.Seconds(), "docs/s")
		b.ReportMetric(float64(spent.Microseconds())/float64(n), "µs/doc")
		b.ReportMetric(float64(size(b, dir))/float64(n), "B/doc")
	}
}

func BenchmarkImport_10k(b *testing.B)  { benchmarkImport(b, 10_000) }
func BenchmarkImport_100k(b *testing.B) { benchmarkImport(b, 100_000) }

func benchmarkSearch(b *testing.B, n int, query func(g *storetest.Generator, i int) store.Query) {
	dir := corpus(b, n)
	start := time.Now()
	s, err := store.Open(b.Context(), store.Options{Dir: dir, ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	opened := time.Since(start)
	g := storetest.New(1)
	start = time.Now()
	if _, err := s.Search(b.Context(), query(g, 1_000_000), store.Filter{}, 200); err != nil {
		b.Fatal(err)
	}
	first := time.Since(start)
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		q := query(g, i)
		start := time.Now()
		if _, err := s.Search(b.Context(), q, store.Filter{}, 200); err != nil {
			b.Fatal(err)
		}
		times = append(times, time.Since(start))
	}
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(times[len(times)/2]), "p50-ms")
	b.ReportMetric(ms(times[len(times)*95/100]), "p95-ms")
	b.ReportMetric(ms(opened), "open-ms")
	b.ReportMetric(ms(first), "first-ms")
	b.ReportMetric(0, "ns/op")
}

func anyOf(words []string) store.Query {
	var q store.Or
	for _, w := range words {
		q = append(q, store.Term{Text: w})
	}
	return q
}

func or3(g *storetest.Generator, i int) store.Query     { return anyOf(g.Query(i, 3)) }
func or8(g *storetest.Generator, i int) store.Query     { return anyOf(g.Query(i, 8)) }
func common3(g *storetest.Generator, i int) store.Query { return anyOf(g.Common(i, 3)) }

func BenchmarkSearchOR3_10k(b *testing.B)      { benchmarkSearch(b, 10_000, or3) }
func BenchmarkSearchOR3_100k(b *testing.B)     { benchmarkSearch(b, 100_000, or3) }
func BenchmarkSearchOR8_100k(b *testing.B)     { benchmarkSearch(b, 100_000, or8) }
func BenchmarkSearchCommon3_100k(b *testing.B) { benchmarkSearch(b, 100_000, common3) }

// The corpus of a million documents takes some minutes and 3 GB of the temporary
// folder: it is built when one of these is asked for by name.
func BenchmarkSearchOR3_1M(b *testing.B)     { benchmarkSearch(b, 1_000_000, or3) }
func BenchmarkSearchOR8_1M(b *testing.B)     { benchmarkSearch(b, 1_000_000, or8) }
func BenchmarkSearchCommon3_1M(b *testing.B) { benchmarkSearch(b, 1_000_000, common3) }
