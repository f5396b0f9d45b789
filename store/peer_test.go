package store_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/custom"
	"github.com/blevesearch/bleve/v2/analysis/tokenizer/whitespace"
	"github.com/blevesearch/bleve/v2/search/query"

	"biomcp/store"
	"biomcp/store/storetest"
)

// BenchmarkPeer_100k asks the same questions of this index and of bleve v2 in
// one run, turn by turn: the best 20 of 100,000 documents for three words side by
// side, as a user asks and the commonest there are. Both hold the same terms;
// bleve is given them as words, one text a chunk, scored by BM25.
func BenchmarkPeer_100k(b *testing.B) {
	const n = 100_000
	s, err := store.Open(b.Context(), store.Options{Dir: corpus(b, n), ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	peer := peerIndex(b, n)
	defer peer.Close()
	g := storetest.New(1)
	for _, kind := range []struct {
		name  string
		words func(i, n int) []string
	}{{"asked", g.Query}, {"common", g.Common}} {
		b.Run(kind.name, func(b *testing.B) {
			var ours, theirs []time.Duration
			for i := 0; b.Loop(); i++ {
				words := kind.words(i, 3)
				or := store.Or{}
				parts := make([]query.Query, len(words))
				for j, w := range words {
					or = append(or, store.Term{Text: w})
					q := bleve.NewTermQuery(w)
					q.SetField("terms")
					parts[j] = q
				}
				start := time.Now()
				if _, err := s.Search(b.Context(), or, store.Filter{}, 20); err != nil {
					b.Fatal(err)
				}
				ours = append(ours, time.Since(start))
				request := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(parts...), 20, 0, false)
				start = time.Now()
				if _, err := peer.Search(request); err != nil {
					b.Fatal(err)
				}
				theirs = append(theirs, time.Since(start))
			}
			ms := func(d []time.Duration, q int) float64 {
				slices.Sort(d)
				return float64(d[len(d)*q/100].Microseconds()) / 1000
			}
			b.ReportMetric(ms(ours, 50), "p50-ms")
			b.ReportMetric(ms(ours, 95), "p95-ms")
			b.ReportMetric(ms(theirs, 50), "bleve-p50-ms")
			b.ReportMetric(ms(theirs, 95), "bleve-p95-ms")
			b.ReportMetric(ms(theirs, 50)/ms(ours, 50), "bleve/ours")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// peerIndex is the made-up corpus in bleve, built once and kept in the temporary
// folder.
func peerIndex(b *testing.B, n int) bleve.Index {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-peer-1-%d", n))
	done := filepath.Join(dir, "done")
	if _, err := os.Stat(done); err == nil {
		index, err := bleve.Open(filepath.Join(dir, "index"))
		if err != nil {
			b.Fatal(err)
		}
		return index
	}
	os.RemoveAll(dir)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	m := bleve.NewIndexMapping()
	m.ScoringModel = "bm25"
	if err := m.AddCustomAnalyzer("terms", map[string]any{"type": custom.Name, "tokenizer": whitespace.Name}); err != nil {
		b.Fatal(err)
	}
	m.DefaultAnalyzer = "terms"
	text := bleve.NewTextFieldMapping()
	text.Store, text.IncludeTermVectors, text.IncludeInAll, text.DocValues = false, false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("terms", text)
	m.DefaultMapping = doc
	index, err := bleve.New(filepath.Join(dir, "index"), m)
	if err != nil {
		b.Fatal(err)
	}
	g := storetest.New(1)
	batch := index.NewBatch()
	for i := range n {
		d := g.Document(i)
		for j, c := range d.Chunks {
			words := make([]string, len(c.Tokens))
			for k, t := range c.Tokens {
				words[k] = t.Term
			}
			if err := batch.Index(fmt.Sprintf("%d:%d", d.PMID, j), map[string]any{"terms": strings.Join(words, " ")}); err != nil {
				b.Fatal(err)
			}
		}
		if batch.Size() >= 1000 || i == n-1 {
			if err := index.Batch(batch); err != nil {
				b.Fatal(err)
			}
			batch.Reset()
		}
	}
	if err := os.WriteFile(done, nil, 0o644); err != nil {
		b.Fatal(err)
	}
	return index
}
