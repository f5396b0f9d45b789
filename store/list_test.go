package store

import (
	"cmp"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"biomcp/store/wordindex"
)

// list returns the documents with chunks that pass, in the order of Store.List.
func (p plain) list(pass func(*Document) bool) []Hit {
	hits := []Hit{}
	for _, d := range p {
		if len(d.Chunks) > 0 && pass(d) {
			hits = append(hits, Hit{PMID: d.PMID, ChunkID: d.Chunks[0].ID, Facts: d.Facts, Date: int(wordindex.DayNumber(d.PDat))})
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int { return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(b.PMID, a.PMID)) })
	return hits
}

// checkList compares a random page of a random list with the documents.
func checkList(t *testing.T, rng *rand.Rand, s *Store, want plain, what string) {
	t.Helper()
	f := filters[rng.IntN(len(filters))]
	all := want.list(f.pass)
	offset, limit := rng.IntN(len(all)+3), []int{0, 1, 10, 1000}[rng.IntN(4)]
	expected := all[min(offset, len(all)):min(offset+limit, len(all))]
	got, total, err := s.List(t.Context(), f.filter, offset, limit)
	if err != nil || total != len(all) || !reflect.DeepEqual(got, append([]Hit{}, expected...)) {
		t.Fatalf("%s: %+v, offset %d, limit %d: %v, total %d, want %d:\ngot  %+v\nwant %+v", what, f.filter, offset, limit, err, total, len(all), got, expected)
	}
}

// A missing page counts as damage, and a filter that is not valid as such.
func TestListFailures(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	commitTest(t, s, "test", &Document{PMID: 1, Chunks: []Chunk{{ID: "w0", Tokens: []Token{{Term: "a"}}}}})
	if hits, n, err := s.List(t.Context(), Filter{From: "soon"}, 0, 1); !IsKind(err, Invalid) {
		t.Errorf("%v, %d, %v", hits, n, err)
	}
	if _, err := s.db.Writer.Exec("DELETE FROM page"); err != nil {
		t.Fatal(err)
	}
	if hits, n, err := s.List(t.Context(), Filter{}, 0, 1); !IsKind(err, Corrupt) {
		t.Errorf("%v, %d, %v", hits, n, err)
	}
}
