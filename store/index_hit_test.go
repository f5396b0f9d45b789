package store

import (
	"biomcp/store/rows"
	"testing"
)

func TestHitColumn(t *testing.T) {
	want := hit{20240229, 1<<32 - 1, 1<<31 | 7, 1<<24 - 1, 0xff}
	b := want.append(nil)
	if len(b) != hitWidth || readHit(b) != want {
		t.Errorf("%x: %+v", b, readHit(b))
	}
	if size := columnHit.Width * columnHit.PageLen; size > rows.PageSize-50 || size < rows.PageSize*9/10 {
		t.Errorf("a page is %d bytes, one of SQLite %d", size, rows.PageSize)
	}
}

// A page that is missing is damage.
func TestMissingPageOfHits(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	commitTest(t, s, "test", &Document{PMID: 1, Chunks: []Chunk{{ID: "w0", Tokens: []Token{{Term: "a"}}}}})
	if _, err := s.db.Writer.Exec("DELETE FROM page WHERE id>>26&63 = ?", int(streamHit)); err != nil {
		t.Fatal(err)
	}
	if hits, err := s.Search(t.Context(), Term{Text: "a"}, Filter{}, 1); !IsKind(err, Corrupt) {
		t.Errorf("%v, %v", hits, err)
	}
}
