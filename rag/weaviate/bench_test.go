package weaviate_test

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/rag"
	"biomcp/rag/analyze"
	"biomcp/rag/weaviate"
	"biomcp/rag/weaviate/weaviatetest"
	"biomcp/store"
	"biomcp/store/storetest"
)

var (
	serverProfile = flag.String("server.profile", "", "write to this file what the server spends its processor time on while it stores")
	serverSeconds = flag.Int("server.seconds", 20, "how many seconds the profile is of")
	serverEnv     = flag.String("server.env", "", "settings of the server, such as GOGC=400")
)

// The benchmarks store a synthetic corpus with PubMed's word statistics and vectors of
// dimension 256 in one node, and search it. They need a server (weaviatetest), as the
// tests do:
//
//	BIOMCP_WEAVIATE_SERVER=… go test -run '^$' -bench Server_10k -benchtime 100x ./rag/weaviate
//
// put reports documents a second, the processor time that a document takes in the
// server and here, and the recall of the 200 nearest. Each size is run by its name only.
func BenchmarkServer_10k(b *testing.B)  { benchmarkServer(b, 10_000, "10k") }
func BenchmarkServer_30k(b *testing.B)  { benchmarkServer(b, 30_000, "30k") }
func BenchmarkServer_300k(b *testing.B) { benchmarkServer(b, 300_000, "300k") }

func benchmarkServer(b *testing.B, n int, name string) {
	if asked, _, _ := strings.Cut(flag.Lookup("test.bench").Value.String(), "/"); !strings.HasSuffix(asked, name) {
		b.Skip("run it by its name: -bench Server_" + name)
	}
	const dim = 256
	env := append(strings.Fields(*serverEnv), fmt.Sprint("GO_PROFILING_DISABLE=", *serverProfile == ""))
	node := weaviatetest.Start(b, 1, env...)[0]
	c := config(node)
	c.Model, c.Dim = "bench", dim
	x := connect(b, c)
	g := storetest.New(1)
	if err := x.Ensure(b.Context()); err != nil {
		b.Fatal(err)
	}
	profiled := profile(b)
	var vectors [][]float32 // by chunk
	var took time.Duration
	var server, here time.Duration
	for from := 0; from < n; from += 500 {
		var docs []*store.Document
		for i := from; i < from+500; i++ {
			d := g.Document(i)
			v := g.Vector(i, dim)
			for j := range d.Chunks {
				d.Chunks[j].Vector = v
				vectors = append(vectors, v)
			}
			docs = append(docs, d)
		}
		began, serverBefore, before := time.Now(), node.Processor(b), weaviatetest.Processor(b)
		put(b, x, docs)
		took += time.Since(began)
		server += node.Processor(b) - serverBefore
		here += weaviatetest.Processor(b) - before
	}
	profiled()

	for name, query := range map[string]func(i int) string{
		"words":  func(i int) string { return strings.Join(g.Query(i, 3), " ") },
		"common": func(i int) string { return strings.Join(g.CommonWords(i, 3), " ") },
		"strict": func(i int) string { return strings.Join(g.Query(i, 3), " AND ") },
		"phrase": func(i int) string { return `"` + strings.Join(g.CommonWords(i, 2), " ") + `"` },
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
			_, _, err := x.SearchVectors(b.Context(), g.Vector(i*7, dim), store.Filter{}, rag.PartHits)
			return err
		})
	})
	b.Run("put", func(b *testing.B) {
		for b.Loop() { // measured above
		}
		b.ReportMetric(float64(n)/took.Seconds(), "docs/s")
		b.ReportMetric(float64(len(vectors))/took.Seconds(), "chunks/s")
		b.ReportMetric(float64(server.Microseconds())/float64(n), "server-µs/doc")
		b.ReportMetric(float64(here.Microseconds())/float64(n), "own-µs/doc")
		b.ReportMetric(recall(b, x, vectors, func(i int) []float32 { return g.Vector(n+i, dim) }), "recall")
	})
}

// profile begins a profile of the server, if one was asked for. The function that it
// returns waits until it is written.
func profile(b *testing.B) (profiled func()) {
	if *serverProfile == "" {
		return func() {}
	}
	done := make(chan error)
	go func() {
		reply, err := http.Get(fmt.Sprint("http://127.0.0.1:6060/debug/pprof/profile?seconds=", *serverSeconds))
		if err != nil {
			done <- err
			return
		}
		defer reply.Body.Close()
		all, err := io.ReadAll(reply.Body)
		done <- errors.Join(err, os.WriteFile(*serverProfile, all, 0o600))
	}()
	return func() {
		if err := <-done; err != nil {
			b.Fatal(err)
		}
	}
}

// recall returns the share of the 200 nearest chunks that SearchVectors finds, over 20 vectors.
func recall(b *testing.B, x *weaviate.Index, vectors [][]float32, query func(i int) []float32) float64 {
	const queries, k = 20, 200
	found := 0
	for i := range queries {
		q := query(i)
		scores := make([]float64, len(vectors))
		for j, v := range vectors {
			scores[j] = dot(q, v)
		}
		slices.Sort(scores)
		least := scores[len(scores)-k] - 1e-5 // the server computes with 32 bits
		hits, _, err := x.SearchVectors(b.Context(), q, store.Filter{}, k)
		if err != nil {
			b.Fatal(err)
		}
		for _, h := range hits {
			if h.Score >= least {
				found++
			}
		}
	}
	return float64(found) / (queries * k)
}

func dot(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i] * b[i])
	}
	return sum
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
