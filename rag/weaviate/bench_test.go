package weaviate_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/weaviate/weaviatetest"
	"biomcp/store"
	"biomcp/store/storetest"
)

// BenchmarkServer stores a synthetic corpus with PubMed's word statistics and
// vectors of dimension 256 in one node, and searches it. It needs a server
// (weaviatetest), as the tests do:
//
//	BIOMCP_WEAVIATE_SERVER=… go test -run '^$' -bench Server -benchtime 100x ./rag/weaviate
func BenchmarkServer_10k(b *testing.B) {
	const n, dim = 10_000, 256
	node := weaviatetest.Start(b, 1)[0]
	c := config(node)
	c.Model, c.Dim = "bench", dim
	x := connect(b, c)
	g := storetest.New(1)
	chunks, began := 0, time.Now()
	for from := 0; from < n; from += 500 {
		var docs []*store.Document
		for i := from; i < from+500; i++ {
			d := g.Document(i)
			chunks += len(d.Chunks)
			for j := range d.Chunks {
				d.Chunks[j].Vector = g.Vector(i, dim)
			}
			docs = append(docs, d)
		}
		put(b, x, docs)
	}
	took := time.Since(began).Seconds()

	for name, query := range map[string]func(i int) string{
		"words":  func(i int) string { return strings.Join(g.Query(i, 3), " ") },
		"common": func(i int) string { return strings.Join(g.Common(i, 3), " ") },
		"strict": func(i int) string { return strings.Join(g.Query(i, 3), " AND ") },
		"phrase": func(i int) string { return `"` + strings.Join(g.Common(i, 2), " ") + `"` },
		"prefix": func(i int) string { return g.Query(i, 1)[0][:4] + "*" },
	} {
		b.Run(name, func(b *testing.B) {
			latencies(b, func(i int) error {
				_, err := x.Words(b.Context(), rag.ParseQuery(analyze.New(), query(i)).Lexical, store.Filter{}, rag.PartHits)
				return err
			})
		})
	}
	b.Run("near", func(b *testing.B) {
		latencies(b, func(i int) error {
			_, _, err := x.Near(b.Context(), g.Vector(i*7, dim), store.Filter{}, rag.PartHits)
			return err
		})
	})
	b.Run("put", func(b *testing.B) {
		for b.Loop() { // measured above
		}
		b.ReportMetric(n/took, "docs/s")
		b.ReportMetric(float64(chunks)/took, "chunks/s")
	})
}

func latencies(b *testing.B, ask func(i int) error) {
	var all []time.Duration
	for b.Loop() {
		began := time.Now()
		if err := ask(len(all)); err != nil {
			b.Fatal(err)
		}
		all = append(all, time.Since(began))
	}
	slices.Sort(all)
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*95/100].Microseconds())/1000, "p95-ms")
}
