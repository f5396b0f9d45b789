package store_test

import (
	"database/sql"
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

	"biomcp/store"
	"biomcp/store/storetest"
)

// BenchmarkPeer asks the same questions of this index, of bleve v2 and of SQLite
// FTS5 in one run, turn by turn: the best 20 documents for any of three words, as
// a user asks and the commonest there are. All hold the same terms; the others
// are given them as words, one text a chunk, scored by BM25.
func BenchmarkPeer_10k(b *testing.B)  { benchmarkPeer(b, 10_000) }
func BenchmarkPeer_100k(b *testing.B) { benchmarkPeer(b, 100_000) }

func benchmarkPeer(b *testing.B, n int) {
	s, err := store.Open(b.Context(), store.Options{Dir: corpus(b, n), ReadOnly: true})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	peer := peerIndex(b, n)
	defer peer.Close()
	fts := peerTable(b, n)
	defer fts.Close()
	g := storetest.New(1)
	for _, kind := range []struct {
		name  string
		words func(i, n int) []string
	}{{"asked", g.Query}, {"common", g.Common}} {
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
				request := bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(parts...), 20, 0, false)
				start = time.Now()
				if _, err := peer.Search(request); err != nil {
					b.Fatal(err)
				}
				theirs = append(theirs, time.Since(start))
				match := `"` + strings.Join(words, `" OR "`) + `"`
				start = time.Now()
				if err := bestOf(fts, match); err != nil {
					b.Fatal(err)
				}
				sqlite = append(sqlite, time.Since(start))
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
			b.ReportMetric(ms(sqlite, 50), "fts5-p50-ms")
			b.ReportMetric(ms(sqlite, 95), "fts5-p95-ms")
			b.ReportMetric(ms(sqlite, 50)/ms(ours, 50), "fts5/ours")
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

// peerTexts yields the terms of each document's chunks as words, by the chunk's name.
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

// peerTable is the made-up corpus in a table of SQLite FTS5 without the texts.
func peerTable(b *testing.B, n int) *sql.DB {
	db, err := sql.Open("sqlite", filepath.Join(b.TempDir(), "fts5.db"))
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
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
	return db
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
