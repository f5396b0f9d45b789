package rag_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/storetest"
)

// The latency of a whole search (parse, words, meaning, fusion) over made-up
// corpora with PubMed's word statistics and vectors of 256 numbers: the first
// answer of a process that has just opened the corpus, then p50 and p95. The
// corpora are built once and kept in the temporary folder, and their vectors arranged in
// partitions if they are not; a million or more are built only when asked for by name:
//
//	TMPDIR=/disk go test ./rag -run=^$ -bench=SearchCorpusHybrid_3M -benchtime=300x -timeout=2h

const benchDim = 256

func benchCorpus(b *testing.B, n int, name string) string {
	if n >= 1_000_000 && !strings.HasSuffix(flag.Lookup("test.bench").Value.String(), name) {
		b.Skip("builds 2.2 GB a million in some minutes: ask for it by name, -bench " + name)
	}
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-search-bench-4-%d", n))
	done := filepath.Join(dir, "done")
	_, err := os.Stat(done)
	built := err == nil
	if !built {
		os.RemoveAll(dir)
	}
	s, err := store.Open(b.Context(), store.Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if !built {
		buildCorpus(b, s, n)
	}
	models, err := s.Models(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	// As a sync does before a model serves: without partitions all codes are compared.
	if err := s.ArrangePartitions(b.Context(), models[0].ID); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		b.Fatal(err)
	}
	return dir
}

func buildCorpus(b *testing.B, s *store.Store, n int) {
	model, err := s.NewModel(b.Context(), "bench", benchDim)
	if err != nil {
		b.Fatal(err)
	}
	g := storetest.New(1)
	for from := 0; from < n; from += 5000 {
		batch := s.Begin("bench").WithModel(model.ID)
		for i := from; i < min(from+5000, n); i++ {
			d := g.Document(i)
			for j := range d.Chunks {
				d.Chunks[j].Vector = g.Vector(i, benchDim)
			}
			if err := batch.Put(d); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := batch.Commit(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	if err := s.UseModel(b.Context(), model.ID, 0); err != nil {
		b.Fatal(err)
	}
}

// made embeds the i-th query as if it were a document of the corpus.
type made struct {
	g *storetest.Generator
	i int
}

func (m *made) Model() string { return "bench" }
func (m *made) Dim() int      { return benchDim }
func (m *made) Embed(_ context.Context, texts []string) ([][]float32, error) {
	m.i++
	return [][]float32{m.g.Vector(5_000_000+m.i, benchDim)}, nil
}

func benchmarkSearchCorpus(b *testing.B, n int, name string, meaning bool) {
	benchmarkSearchIn(b, benchCorpus(b, n, name), meaning)
}

func benchmarkSearchIn(b *testing.B, dir string, meaning bool) {
	start := time.Now()
	s, err := store.Open(b.Context(), store.Options{Dir: dir, ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	g := storetest.New(1)
	model := int64(0)
	searcher := &rag.Searcher{Corpus: s}
	if meaning {
		models, err := s.Models(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		model = models[0].ID
		searcher.Embedder = &made{g: storetest.New(2)}
	}
	searcher.Index = rag.NewCorpusIndex(s, model)
	opened := time.Since(start)
	ask := func(i int) time.Duration {
		query := strings.Join(g.Query(i, 3), " ")
		start := time.Now()
		if _, err := searcher.Search(b.Context(), query, rag.Options{TopK: 20, QualityBias: true}); err != nil {
			b.Fatal(err)
		}
		return time.Since(start)
	}
	first := ask(1_000_000)
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		times = append(times, ask(i))
	}
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(opened), "open-ms")
	b.ReportMetric(ms(first), "first-ms")
	b.ReportMetric(ms(times[len(times)/2]), "p50-ms")
	b.ReportMetric(ms(times[len(times)*95/100]), "p95-ms")
	b.ReportMetric(peakMB(), "peak-MB")
	b.ReportMetric(0, "ns/op")
}

func peakMB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kb float64
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &kb); err == nil {
			return kb / 1024
		}
	}
	return 0
}

// The time of a search for documents similar to five seeds: a query is made of their terms,
// vectors and headings, and the headings of all hits are read.
func BenchmarkSearchLikeFive_10k(b *testing.B) {
	s, err := store.Open(b.Context(), store.Options{Dir: benchCorpus(b, 10_000, "10k"), ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	models, err := s.Models(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	searcher := &rag.Searcher{
		Corpus: s, Index: rag.NewCorpusIndex(s, models[0].ID), Embedder: &made{g: storetest.New(2)},
	}
	var pmids []record.PMID
	for d, err := range s.Documents(b.Context(), 0) {
		if err != nil {
			b.Fatal(err)
		}
		if pmids = append(pmids, d.PMID); len(pmids) == 1000 {
			break
		}
	}
	for i := 0; b.Loop(); i++ {
		seeds := rag.Seeds{Positive: pmids[i%199*5 : i%199*5+5]}
		if _, err := searcher.Search(b.Context(), "", rag.Options{TopK: 20, Seeds: seeds}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSearchCorpusWords_10k(b *testing.B)   { benchmarkSearchCorpus(b, 10_000, "10k", false) }
func BenchmarkSearchCorpusHybrid_10k(b *testing.B)  { benchmarkSearchCorpus(b, 10_000, "10k", true) }
func BenchmarkSearchCorpusWords_100k(b *testing.B)  { benchmarkSearchCorpus(b, 100_000, "100k", false) }
func BenchmarkSearchCorpusHybrid_100k(b *testing.B) { benchmarkSearchCorpus(b, 100_000, "100k", true) }
func BenchmarkSearchCorpusWords_1M(b *testing.B)    { benchmarkSearchCorpus(b, 1_000_000, "1M", false) }
func BenchmarkSearchCorpusHybrid_1M(b *testing.B)   { benchmarkSearchCorpus(b, 1_000_000, "1M", true) }
func BenchmarkSearchCorpusWords_3M(b *testing.B)    { benchmarkSearchCorpus(b, 3_000_000, "3M", false) }
func BenchmarkSearchCorpusHybrid_3M(b *testing.B)   { benchmarkSearchCorpus(b, 3_000_000, "3M", true) }
