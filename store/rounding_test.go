package store

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"biomcp/entrez/record"
)

// vectorsOf returns what a corpus of documents 1 to n holds under a model.
func vectorsOf(t *testing.T, s *Store, model int64, n record.PMID) map[record.PMID]map[int][]float32 {
	t.Helper()
	var pmids []record.PMID
	for pmid := range n {
		pmids = append(pmids, pmid+1)
	}
	got, err := s.Vectors(t.Context(), model, pmids)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// checkExact compares the hits of a search of vectors of one chunk each with a plain
// comparison.
func checkExact(t *testing.T, s *Store, model int64, of map[record.PMID]map[int][]float32, v []float32) {
	t.Helper()
	hits, exact, err := s.Near(t.Context(), model, v, Filter{}, 20)
	if err != nil || !exact || len(hits) != min(20, len(of)) {
		t.Fatalf("%d hits of %d, exact %v, %v", len(hits), len(of), exact, err)
	}
	type near struct {
		pmid  record.PMID
		score float64
	}
	var want []near
	for pmid, list := range of {
		sum := 0.0
		for i := range v {
			sum += float64(v[i]) * float64(list[0][i])
		}
		want = append(want, near{pmid, sum})
	}
	slices.SortFunc(want, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	for i, h := range hits {
		if math.Abs(h.Score-want[i].score) > 2e-6 {
			t.Fatalf("hit %d is %+v, want %+v", i, h, want[i])
		}
	}
}

// vectorBytes is what the rows of a model take.
func vectorBytes(t *testing.T, s *Store, m Model) (n int) {
	t.Helper()
	if err := s.w.QueryRow("SELECT coalesce(sum(length(data)),0) FROM vector WHERE id>>32=?", m.ID).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// A model of the layout before bytes is searched, added to, revised and used next to a
// new one; the file may be read before any program has brought it to this layout.
func TestModelInHalvesGoesOn(t *testing.T) {
	const dim = 24
	dir := t.TempDir()
	ctx := t.Context()
	rng := rand.New(rand.NewPCG(1, 61))
	vector := func() []float32 { return randomUnit(rng, dim) }
	s := openTest(t, dir, Options{})
	old := newModelIn(t, s, "old", dim, inHalves)
	putVectors(t, s, old.ID, 1, 101, vector)
	if err := s.UseModel(ctx, old.ID, 0); err != nil {
		t.Fatal(err)
	}
	unfinished := newModelIn(t, s, "unfinished", dim, inHalves)
	if got, want := vectorBytes(t, s, old), 100*(2+2*dim); got != want {
		t.Errorf("100 vectors in halves take %d bytes, want %d", got, want)
	}
	before := vectorsOf(t, s, old.ID, 100)
	if _, err := s.w.Exec(withoutBytes + "PRAGMA user_version=8"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	reader := openTest(t, dir, Options{ReadOnly: true})
	if got := vectorsOf(t, reader, old.ID, 100); !reflect.DeepEqual(got, before) {
		t.Error("a reader of the old layout finds other vectors")
	}
	checkExact(t, reader, old.ID, before, vector())

	s = openTest(t, dir, Options{})
	for _, s := range []*Store{s, reader} { // it is open since before
		if got := vectorsOf(t, s, old.ID, 100); !reflect.DeepEqual(got, before) {
			t.Error("other vectors in the new layout")
		}
	}
	putVectors(t, s, old.ID, 96, 111, vector) // some are revised, some new
	now := vectorsOf(t, s, old.ID, 110)
	if got, want := vectorBytes(t, s, old), 110*(2+2*dim); got != want {
		t.Errorf("110 vectors in halves take %d bytes, want %d", got, want)
	}
	if !reflect.DeepEqual(now[95], before[95]) || reflect.DeepEqual(now[96], before[96]) || len(now) != 110 {
		t.Errorf("of %d vectors the wrong ones have changed", len(now))
	}
	if m := newModel(t, s, "unfinished", dim); m.ID != unfinished.ID || m.bytes != inHalves {
		t.Errorf("gone on with %+v, not %+v", m, unfinished)
	}

	fresh := newModel(t, s, "fresh", dim)
	given := map[record.PMID][]float32{}
	embedMissing(t, s, fresh.ID, func(c DocumentChunk) []float32 {
		given[c.PMID] = now[c.PMID][c.Ordinal]
		return given[c.PMID]
	})
	if got, want := vectorBytes(t, s, fresh), 110*(2+4+dim); got != want {
		t.Errorf("110 vectors in bytes take %d bytes, want %d", got, want)
	}
	if err := s.UseModel(ctx, fresh.ID, old.ID); err != nil {
		t.Fatal(err)
	}
	rounded := vectorsOf(t, s, fresh.ID, 110)
	for pmid, v := range given {
		if off := distance(v, rounded[pmid][0]); off == 0 || off > roundedBy {
			t.Errorf("pmid:%d is off by %g", pmid, off)
		}
	}
	for range 3 {
		v := vector()
		for _, s := range []*Store{s, reader} {
			checkExact(t, s, fresh.ID, rounded, v)
			checkExact(t, s, old.ID, now, v)
		}
	}
	if err := s.UseModel(ctx, fresh.ID, 0); err != nil {
		t.Fatal(err)
	}
	if n := vectorBytes(t, s, old); n != 0 {
		t.Errorf("%d bytes of the old model are left", n)
	}
}

// A repair, and one of what that made, saves the vectors of both kinds to the bit.
func TestRepairKeepsVectorsAsTheyAre(t *testing.T) {
	const dim = 40
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 62))
	s := openTest(t, dir, Options{})
	for id, bytes := range []int{inHalves, inBytes} {
		m := newModelIn(t, s, []string{"halves", "bytes"}[id], dim, bytes)
		putVectors(t, s, m.ID, record.PMID(1+200*id), record.PMID(201+200*id), func() []float32 { return randomUnit(rng, dim) })
	}
	models, err := s.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		embedMissing(t, s, m.ID, func(DocumentChunk) []float32 { return randomUnit(rng, dim) })
	}
	byName := func(s *Store) map[string]map[record.PMID]map[int][]float32 {
		models, err := s.Models(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]map[record.PMID]map[int][]float32{}
		for _, m := range models {
			got[m.Name] = vectorsOf(t, s, m.ID, 400)
			if want := map[string]int{"halves": inHalves, "bytes": inBytes}[m.Name]; m.bytes != want {
				t.Errorf("%s has %d bytes a dimension", m.Name, m.bytes)
			}
		}
		return got
	}
	want := byName(s)
	if len(want["halves"]) != 400 || len(want["bytes"]) != 400 {
		t.Fatalf("%d vectors in halves, %d in bytes", len(want["halves"]), len(want["bytes"]))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r := repairOf(dir)
		r.Force = true
		done, err := r.Run(t.Context())
		if err != nil || int(done.Saved.Vectors) != len(want["halves"])+len(want["bytes"]) {
			t.Fatalf("%+v, %v", done, err)
		}
		s := openTest(t, dir, Options{})
		if got := byName(s); !reflect.DeepEqual(got, want) {
			t.Error("other vectors after a repair")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// Rows of vectors with any content make no panic and no score that is no number, and a
// repair knows that they are none.
func TestDamagedVectors(t *testing.T) {
	const dim, n = 12, 60
	for _, bytes := range []int{inHalves, inBytes} {
		rng := rand.New(rand.NewPCG(1, 63))
		s := openTest(t, t.TempDir(), Options{})
		m := newModelIn(t, s, "a", dim, bytes)
		putVectors(t, s, m.ID, 1, n+1, func() []float32 { return randomUnit(rng, dim) })
		for round := range 12 {
			for pmid := range record.PMID(n) {
				row := make([]byte, 2+s.rounding(m).size()) // mostly ordinal 0
				if round%4 == 0 {
					row = make([]byte, rng.IntN(100))
				}
				for i := 2; i < len(row); i++ {
					if row[i] = byte(rng.Uint32()); rng.IntN(3) == 0 {
						row[i] = []byte{0, 0x7f, 0x80, 0xff}[rng.IntN(4)]
					}
				}
				if _, ok := m.restored(s.rounding(m), pmid+1, row); ok {
					t.Errorf("%x was taken for a vector", row)
				}
				if _, err := s.w.Exec("INSERT OR REPLACE INTO vector VALUES(?,?)", m.rowID(pmid+1), row); err != nil {
					t.Fatal(err)
				}
			}
			hits, _, err := s.Near(t.Context(), m.ID, randomUnit(rng, dim), Filter{}, 30)
			if err != nil && !IsKind(err, Corrupt) {
				t.Fatal(err)
			}
			for _, h := range hits {
				if math.IsNaN(h.Score) || math.IsInf(h.Score, 0) {
					t.Fatalf("score %v", h.Score)
				}
			}
			for _, list := range vectorsOf(t, s, m.ID, n) {
				for _, v := range list {
					if len(v) != dim {
						t.Fatalf("a vector of %d dimensions", len(v))
					}
				}
			}
		}
	}
}

// The code of what is stored is that of the vector that was put: partitions are tidied
// by comparing them.
func TestCodeOfAStoredVector(t *testing.T) {
	s := &Store{}
	rng := rand.New(rand.NewPCG(1, 64))
	for _, dim := range []int{1, 7, 64, 256, 1000} {
		for range 20 {
			for _, bytes := range []int{inHalves, inBytes} {
				p := s.rounding(Model{Dim: dim, bytes: bytes})
				stored, code := p.pack(randomUnit(rng, dim))
				if len(stored) != p.size() || !like(code, p.code(stored), dim) {
					t.Fatalf("dimension %d, %d bytes: another code", dim, bytes)
				}
				if bytes == inBytes && !reflect.DeepEqual(code, p.code(stored)) {
					t.Fatalf("dimension %d: another code", dim)
				}
			}
		}
	}
}
