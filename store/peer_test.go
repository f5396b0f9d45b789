package store_test

import (
	"database/sql"
	"flag"
	"fmt"
	"iter"
	"maps"
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
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"

	"biomcp/store"
	"biomcp/store/storetest"
)

// BenchmarkPeer compares this index with bleve v2 (except for a million documents) and SQLite FTS5
// in one run, alternating between them: the best 20 documents for any of three words, both of
// typical queries and the commonest words. All index the same terms. The others receive them as
// words, one text per chunk, and score by BM25. A search by meaning for the best 200 is compared
// with computing the dot products of all vectors, held in memory as float32. The benchmark of a
// million documents must be selected by name:
//
//	TMPDIR=/disk go test ./store -run=^$ -bench=Peer_1M -benchtime=200x -timeout=2h
func BenchmarkPeer_10k(b *testing.B)  { benchmarkPeer(b, 10_000) }
func BenchmarkPeer_100k(b *testing.B) { benchmarkPeer(b, 100_000) }
func BenchmarkPeer_1M(b *testing.B)   { benchmarkPeer(b, 1_000_000) }

func benchmarkPeer(b *testing.B, n int) {
	if n >= 1_000_000 && !strings.Contains(flag.Lookup("test.bench").Value.String(), "1M") {
		b.Skip("run it by its name: -bench=Peer_1M")
	}
	s, err := store.Open(b.Context(), store.Options{Dir: corpus(b, n), ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	var peer bleve.Index
	if n < 1_000_000 {
		peer = peerIndex(b, n)
		defer peer.Close()
	}
	fts := peerTable(b, n)
	defer fts.Close()
	g := storetest.New(1)
	for _, kind := range []struct {
		name  string
		words func(i, n int) []string
	}{{"asked", g.Query}, {"common", g.CommonWords}} {
		b.Run(kind.name, func(b *testing.B) {
			var ours, theirs, sqlite []time.Duration
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
				if peer != nil {
					request := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(parts...), 20, 0, false)
					start = time.Now()
					if _, err := peer.Search(request); err != nil {
						b.Fatal(err)
					}
					theirs = append(theirs, time.Since(start))
				}
				match := `"` + strings.Join(words, `" OR "`) + `"`
				start = time.Now()
				if err := bestOf(fts, match); err != nil {
					b.Fatal(err)
				}
				sqlite = append(sqlite, time.Since(start))
			}
			reportPeer(b, ours, "bleve", theirs)
			reportPeer(b, ours, "fts5", sqlite)
		})
	}
	b.Run("meaning", func(b *testing.B) {
		models, err := s.Models(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		all := make([]float32, 0, n*benchDim)
		for i := range n {
			all = append(all, g.Vector(i, benchDim)...)
		}
		var ours, scan []time.Duration
		for i := 0; b.Loop(); i++ {
			q := g.Vector(5_000_000+i, benchDim)
			start := time.Now()
			if _, _, err := s.NearestChunks(b.Context(), models[0].ID, q, store.Filter{}, 200); err != nil {
				b.Fatal(err)
			}
			ours = append(ours, time.Since(start))
			start = time.Now()
			scores := make([]float32, n)
			blas32.Gemv(blas.NoTrans, 1, blas32.General{Rows: n, Cols: benchDim, Stride: benchDim, Data: all},
				blas32.Vector{N: benchDim, Data: q, Inc: 1}, 0, blas32.Vector{N: n, Data: scores, Inc: 1})
			best, least := scores[:0:0], float32(-2)
			for _, v := range scores {
				if v <= least {
					continue
				}
				if best = append(best, v); len(best) == 400 {
					slices.Sort(best)
					best = append(best[:0], best[200:]...)
					least = best[0]
				}
			}
			scan = append(scan, time.Since(start))
		}
		reportPeer(b, ours, "scan", scan)
	})
}

func reportPeer(b *testing.B, ours []time.Duration, name string, theirs []time.Duration) {
	if len(theirs) == 0 {
		return
	}
	ms := func(d []time.Duration, q int) float64 {
		slices.Sort(d)
		return float64(d[len(d)*q/100].Microseconds()) / 1000
	}
	b.ReportMetric(ms(ours, 50), "p50-ms")
	b.ReportMetric(ms(ours, 95), "p95-ms")
	b.ReportMetric(ms(theirs, 50), name+"-p50-ms")
	b.ReportMetric(ms(theirs, 95), name+"-p95-ms")
	b.ReportMetric(ms(theirs, 50)/ms(ours, 50), name+"/ours")
	b.ReportMetric(0, "ns/op")
}

// peerIndex returns the synthetic corpus as a bleve index, which is built once and kept in the
// temporary folder.
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
	batch := index.NewBatch()
	for i, chunks := range peerTexts(n) {
		for name, text := range chunks {
			if err := batch.Index(name, map[string]any{"terms": text}); err != nil {
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

// peerTexts yields the terms of each document's chunks as words, by the name of the chunk.
func peerTexts(n int) iter.Seq2[int, map[string]string] {
	return func(yield func(int, map[string]string) bool) {
		g := storetest.New(1)
		for i := range n {
			d := g.Document(i)
			chunks := make(map[string]string, len(d.Chunks))
			for j, c := range d.Chunks {
				words := make([]string, len(c.Tokens))
				for k, t := range c.Tokens {
					words[k] = t.Term
				}
				chunks[fmt.Sprintf("%d:%d", d.PMID, j)] = strings.Join(words, " ")
			}
			if !yield(i, chunks) {
				return
			}
		}
	}
}

// peerTable returns the synthetic corpus as a contentless SQLite FTS5 table, which is built once
// and kept in the temporary folder.
func peerTable(b *testing.B, n int) *sql.DB {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("biomcp-fts5-1-%d.db", n))
	open := func(path string) *sql.DB {
		db, err := sql.Open("sqlite", path)
		if err != nil {
			b.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		return db
	}
	if _, err := os.Stat(path); err == nil {
		return open(path)
	}
	parts := path + ".new"
	os.Remove(parts)
	db := open(parts)
	exec := func(query string, args ...any) {
		if _, err := db.Exec(query, args...); err != nil {
			b.Fatal(err)
		}
	}
	exec("PRAGMA synchronous=OFF")
	exec("CREATE VIRTUAL TABLE chunk USING fts5(terms, content='')")
	exec("BEGIN")
	for _, chunks := range peerTexts(n) {
		for _, name := range slices.Sorted(maps.Keys(chunks)) {
			exec("INSERT INTO chunk(terms) VALUES(?)", chunks[name])
		}
	}
	exec("COMMIT")
	exec("INSERT INTO chunk(chunk) VALUES('optimize')")
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	if err := os.Rename(parts, path); err != nil {
		b.Fatal(err)
	}
	return open(path)
}

func bestOf(db *sql.DB, match string) error {
	rows, err := db.Query("SELECT rowid, rank FROM chunk WHERE chunk MATCH ? ORDER BY rank LIMIT 20", match)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var rank float64
		if err := rows.Scan(&id, &rank); err != nil {
			return err
		}
	}
	return rows.Err()
}
