package store_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"biomcp/store"
	"biomcp/store/storetest"
)

const batchSize = 5000

// The benchmarks measure corpora that storetest generates. Of three million synthetic records each
// takes 0.59 KB, and its words and columns 0.56 KB: 1.17 KB without vectors and 1.59 KB with a
// vector of 256 dimensions; of ten million 1.64 KB. That is about 50 GB for the 40 million records
// of PubMed without vectors, and 70 GB with. Real records have longer bodies: the 163 at hand take
// 0.76 KB each, with a code trained on 2,000 others. Memory is limited by Options.CacheBytes and
// CodeBytes and by the batch, for any size of the corpus. Opening a corpus takes a millisecond.

// fill imports the documents from up to, but not including, to. It returns the time spent
// storing them, without the time spent generating them.
func fill(tb testing.TB, s *store.Store, from, to, dim int) time.Duration {
	tb.Helper()
	g := storetest.New(1)
	var model store.Model
	if dim > 0 {
		var err error
		if model, err = s.NewModel(context.Background(), "bench", dim); err != nil {
			tb.Fatal(err)
		}
	}
	var spent time.Duration
	for from < to {
		docs := make([]*store.Document, 0, batchSize)
		for ; from < to && len(docs) < batchSize; from++ {
			d := g.Document(from)
			for i := range d.Chunks {
				if dim > 0 {
					d.Chunks[i].Vector = g.Vector(from, dim)
				}
			}
			docs = append(docs, d)
		}
		start := time.Now()
		b := s.Begin("bench").WithModel(model.ID)
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
	if dim > 0 && from > 0 {
		if err := s.UseModel(context.Background(), model.ID, 0); err != nil {
			tb.Fatal(err)
		}
	}
	return spent
}

// benchDim is the dimension of the vectors in the benchmarks of searches. The local model
// has the same dimension.
const benchDim = 256

// corpus returns the folder of the synthetic corpus of n documents, with its vectors in partitions
// as after a sync. The corpus is built once and kept in the temporary folder.
func corpus(tb testing.TB, n int) string {
	tb.Helper()
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-bench-7-%d", n))
	if _, err := os.Stat(filepath.Join(dir, "done")); err == nil {
		return dir
	}
	os.RemoveAll(dir)
	s, err := store.Open(context.Background(), store.Options{Dir: dir})
	if err != nil {
		tb.Fatal(err)
	}
	defer s.Close()
	fill(tb, s, 0, n, benchDim)
	models, err := s.Models(context.Background())
	if err != nil {
		tb.Fatal(err)
	}
	if err := s.ArrangePartitions(context.Background(), models[0].ID); err != nil {
		tb.Fatal(err)
	}
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

func benchmarkImport(b *testing.B, n, dim int) {
	for b.Loop() {
		dir := b.TempDir()
		s, err := store.Open(b.Context(), store.Options{Dir: dir})
		if err != nil {
			b.Fatal(err)
		}
		spent := fill(b, s, 0, n, dim)
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(n)/spent.Seconds(), "docs/s")
		b.ReportMetric(float64(spent.Microseconds())/float64(n), "µs/doc")
		b.ReportMetric(float64(size(b, dir))/float64(n), "B/doc")
	}
}

func BenchmarkImport_10k(b *testing.B)         { benchmarkImport(b, 10_000, 0) }
func BenchmarkImport_100k(b *testing.B)        { benchmarkImport(b, 100_000, 0) }
func BenchmarkImportVectors_100k(b *testing.B) { benchmarkImport(b, 100_000, benchDim) }

// A million documents are imported only if the benchmark is selected by name, -bench 1M.
func BenchmarkImport_1M(b *testing.B) {
	if !strings.Contains(flag.Lookup("test.bench").Value.String(), "1M") {
		b.Skip("takes some minutes: ask for it by name")
	}
	benchmarkImport(b, 1_000_000, 0)
}

// benchmark measures question on the corpus of n documents: first in a process that has just opened
// it, then repeatedly.
func benchmark(b *testing.B, n int, question func(s *store.Store, g *storetest.Generator, i int) error) {
	if name := flag.Lookup("test.bench").Value.String(); n >= 1_000_000 && !strings.Contains(name, "1M") {
		b.Skip("builds 4 GB in some minutes: ask for it by name, -bench 1M")
	}
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
	if err := question(s, g, 1_000_000); err != nil {
		b.Fatal(err)
	}
	first := time.Since(start)
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		start := time.Now()
		if err := question(s, g, i); err != nil {
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
	b.ReportMetric(peakMB(), "peak-MB")
	b.ReportMetric(0, "ns/op")
}

// peakMB returns the peak resident memory of this process, or 0 if the system does not report it.
func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if kb, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.ParseFloat(strings.Fields(kb)[0], 64)
			return n / 1024
		}
	}
	return 0
}

// BenchmarkCheckDeep_100k measures a complete check of the corpus, as health --deep runs it.
func BenchmarkCheckDeep_100k(b *testing.B) {
	s, err := store.Open(b.Context(), store.Options{Dir: corpus(b, 100_000), ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if _, err := s.Check(b.Context(), store.CheckOptions{Deep: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkSearch(b *testing.B, n int, f store.Filter, query func(g *storetest.Generator, i int) store.Query) {
	benchmark(b, n, func(s *store.Store, g *storetest.Generator, i int) error {
		_, err := s.Search(b.Context(), query(g, i), f, 200)
		return err
	})
}

func benchmarkNear(b *testing.B, n int, f store.Filter) {
	benchmark(b, n, func(s *store.Store, g *storetest.Generator, i int) error {
		models, err := s.Models(b.Context())
		if err == nil {
			_, _, err = s.NearestChunks(b.Context(), models[0].ID, g.Vector(5_000_000+i, benchDim), f, 200)
		}
		return err
	})
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
func common3(g *storetest.Generator, i int) store.Query { return anyOf(g.CommonWords(i, 3)) }

func prefix(g *storetest.Generator, i int) store.Query {
	w := g.Query(i, 1)[0]
	return store.Prefix{Text: w[:4]}
}

func and2(g *storetest.Generator, i int) store.Query {
	w := g.Query(i, 2)
	return store.And{store.Term{Text: w[0]}, store.Term{Text: w[1]}}
}

func phrase2(g *storetest.Generator, i int) store.Query {
	w := g.CommonWords(i, 2)
	return store.Phrase{Slots: []store.Slot{{Terms: w[:1]}, {Terms: w[1:], At: 1}}}
}

var recent = store.Filter{From: "2020", HasPMC: true, ExcludeRetracted: true}

func BenchmarkSearchOR3_10k(b *testing.B)      { benchmarkSearch(b, 10_000, store.Filter{}, or3) }
func BenchmarkSearchOR3_100k(b *testing.B)     { benchmarkSearch(b, 100_000, store.Filter{}, or3) }
func BenchmarkSearchOR8_100k(b *testing.B)     { benchmarkSearch(b, 100_000, store.Filter{}, or8) }
func BenchmarkSearchCommon3_100k(b *testing.B) { benchmarkSearch(b, 100_000, store.Filter{}, common3) }
func BenchmarkSearchFilter_100k(b *testing.B)  { benchmarkSearch(b, 100_000, recent, or3) }
func BenchmarkSearchAnd_100k(b *testing.B)     { benchmarkSearch(b, 100_000, store.Filter{}, and2) }
func BenchmarkSearchPhrase_100k(b *testing.B)  { benchmarkSearch(b, 100_000, store.Filter{}, phrase2) }
func BenchmarkSearchPrefix_100k(b *testing.B)  { benchmarkSearch(b, 100_000, store.Filter{}, prefix) }
func BenchmarkNear_10k(b *testing.B)           { benchmarkNear(b, 10_000, store.Filter{}) }
func BenchmarkNear_100k(b *testing.B)          { benchmarkNear(b, 100_000, store.Filter{}) }
func BenchmarkNearFilter_100k(b *testing.B)    { benchmarkNear(b, 100_000, recent) }

// The corpus of a million documents takes some minutes to build and 4 GB in the temporary folder,
// so it is only built if one of these benchmarks is selected by name.
func BenchmarkSearchOR3_1M(b *testing.B)     { benchmarkSearch(b, 1_000_000, store.Filter{}, or3) }
func BenchmarkSearchOR8_1M(b *testing.B)     { benchmarkSearch(b, 1_000_000, store.Filter{}, or8) }
func BenchmarkSearchCommon3_1M(b *testing.B) { benchmarkSearch(b, 1_000_000, store.Filter{}, common3) }
func BenchmarkSearchFilter_1M(b *testing.B)  { benchmarkSearch(b, 1_000_000, recent, or3) }
func BenchmarkSearchAnd_1M(b *testing.B)     { benchmarkSearch(b, 1_000_000, store.Filter{}, and2) }
func BenchmarkSearchPhrase_1M(b *testing.B)  { benchmarkSearch(b, 1_000_000, store.Filter{}, phrase2) }
func BenchmarkSearchPrefix_1M(b *testing.B)  { benchmarkSearch(b, 1_000_000, store.Filter{}, prefix) }
func BenchmarkNear_1M(b *testing.B)          { benchmarkNear(b, 1_000_000, store.Filter{}) }
func BenchmarkNearFilter_1M(b *testing.B)    { benchmarkNear(b, 1_000_000, recent) }
