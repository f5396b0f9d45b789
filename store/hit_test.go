package store

import (
	"database/sql"
	"math/rand/v2"
	"reflect"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/postings"
)

func TestHitColumn(t *testing.T) {
	want := hit{20240229, 1<<32 - 1, 1<<31 | 7, 1<<24 - 1, 0xff}
	b := want.append(nil)
	if len(b) != hitWidth || readHit(b) != want {
		t.Errorf("%x: %+v", b, readHit(b))
	}
	if size := columnHit.Width * columnHit.PageLen; size > pageSize-50 || size < pageSize*9/10 {
		t.Errorf("a page is %d bytes, one of SQLite %d", size, pageSize)
	}
}

// withoutHits makes the segments what they were before columnHit.
func withoutHits(t *testing.T, s *Store) {
	t.Helper()
	err := s.write(t.Context(), "test", func(tx *sql.Conn) error {
		w := newReader(tx)
		defer w.close()
		ix, err := s.loadIndex(w)
		if err != nil {
			return err
		}
		for _, g := range ix.segments {
			values := map[postings.Column][]byte{}
			for chunk := range uint32(g.Chunks) {
				b, err := g.Value(source{s, w}, columnHit, chunk)
				if err != nil {
					return err
				}
				values[columnFacts] = append(values[columnFacts], b[4:8]...)
				values[columnChunk] = append(values[columnChunk], b[8:12]...)
			}
			for c, data := range values {
				for n := 0; n*c.PageLen*c.Width < len(data); n++ {
					if err := w.exec("INSERT INTO page VALUES(?,?)", pageID(g.ID, c.Stream, n), data[n*c.PageLen*c.Width:min(len(data), (n+1)*c.PageLen*c.Width)]); err != nil {
						return err
					}
				}
			}
		}
		if err := w.exec("DELETE FROM page WHERE id>>26&63 = ?", int(streamHit)); err != nil {
			return err
		}
		if err := w.exec(withoutBytes); err != nil {
			return err
		}
		return w.exec("PRAGMA user_version=5")
	})
	if err != nil {
		t.Fatal(err)
	}
}

// hitPages is how many pages of the new and of the old columns there are.
func hitPages(t *testing.T, s *Store) (now, old int) {
	t.Helper()
	err := s.w.QueryRow("SELECT count(*) FILTER (WHERE id>>26&63 = ?), count(*) FILTER (WHERE id>>26&63 IN (?,?)) FROM page", int(streamHit), int(streamFacts), int(streamChunk)).Scan(&now, &old)
	if err != nil {
		t.Fatal(err)
	}
	return now, old
}

// A corpus of before columnHit answers as it did, also where it cannot be written, and
// the next commit gives it the column.
func TestHitsOfAnOldCorpus(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	rng := rand.New(rand.NewPCG(1, 51))
	for part := range record.PMID(3) { // in PMID order they take turns
		var docs []*Document
		for i := range record.PMID(900) {
			docs = append(docs, randomDocument(rng, 1+3*i+part, 2020))
		}
		commitTest(t, s, "test", docs...)
	}
	queries := []Query{Term{Text: "w1"}, Or{Term{Text: "w0"}, Term{Text: "w7"}}, All{}}
	ask := func(s *Store) (all [][]Hit) {
		t.Helper()
		for _, q := range queries {
			hits, err := s.Search(t.Context(), q, Filter{From: "2019"}, 10_000)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, hits)
		}
		return all
	}
	want := ask(s)
	if len(want[2]) < 2000 {
		t.Fatalf("%d chunks: less than four pages", len(want[2]))
	}
	withoutHits(t, s)
	if now, old := hitPages(t, s); now != 0 || old != 6 {
		t.Fatalf("%d pages, %d of the old columns", now, old)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	reader := openTest(t, dir, Options{ReadOnly: true})
	if got := ask(reader); !reflect.DeepEqual(got, want) {
		t.Error("a reader finds other hits")
	}
	s = openTest(t, dir, Options{})
	if got := ask(s); !reflect.DeepEqual(got, want) {
		t.Error("a writer finds other hits")
	}
	commitTest(t, s, "test", &Document{PMID: 5000, Title: "another"})
	if now, old := hitPages(t, s); now < 5 || old != 0 {
		t.Errorf("after the next commit %d pages, %d of the old columns", now, old)
	}
	for _, s := range []*Store{s, reader} {
		if got := ask(s); !reflect.DeepEqual(got, want) {
			t.Error("other hits after the commit")
		}
	}
}

// A page that is missing is damage, not an old layout.
func TestMissingPageOfHits(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	commitTest(t, s, "test", &Document{PMID: 1, Chunks: []Chunk{{ID: "w0", Tokens: []Token{{Term: "a"}}}}})
	if _, err := s.w.Exec("DELETE FROM page WHERE id>>26&63 = ?", int(streamHit)); err != nil {
		t.Fatal(err)
	}
	if hits, err := s.Search(t.Context(), Term{Text: "a"}, Filter{}, 1); !IsKind(err, Corrupt) {
		t.Errorf("%v, %v", hits, err)
	}
}
