package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"biomcp/entrez/record"
)

// vectorsOf returns the stored vectors of documents 1 to n under a model.
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

// A repair, and a second repair of its result, keeps vectors bit for bit.
func TestRepairKeepsVectorsAsTheyAre(t *testing.T) {
	const dim = 40
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 62))
	s := openTest(t, dir, Options{})
	for id, name := range []string{"one", "two"} {
		m := newModel(t, s, name, dim)
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
		}
		return got
	}
	want := byName(s)
	if len(want["one"]) != 400 || len(want["two"]) != 400 {
		t.Fatalf("%d and %d vectors", len(want["one"]), len(want["two"]))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		r := repairOf(dir)
		r.Force = true
		done, err := r.Run(t.Context())
		if err != nil || int(done.Saved.Vectors) != 800 {
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

// Rows of vectors with arbitrary contents cause neither a panic nor a NaN score, and a repair
// rejects them.
func TestDamagedVectors(t *testing.T) {
	const dim, n = 12, 60
	rng := rand.New(rand.NewPCG(1, 63))
	s := openTest(t, t.TempDir(), Options{})
	m := newModel(t, s, "a", dim)
	putVectors(t, s, m.ID, 1, n+1, func() []float32 { return randomUnit(rng, dim) })
	for round := range 12 {
		for pmid := range record.PMID(n) {
			row := make([]byte, 2+s.vectorCodec(m).ByteSize()) // ordinals are mostly 0
			if round%4 == 0 {
				row = make([]byte, rng.IntN(100))
			}
			for i := 2; i < len(row); i++ {
				if row[i] = byte(rng.Uint32()); rng.IntN(3) == 0 {
					row[i] = []byte{0, 0x7f, 0x80, 0xff}[rng.IntN(4)]
				}
			}
			if _, ok := m.decodeRow(s.vectorCodec(m), pmid+1, row); ok {
				t.Errorf("%x was taken for a vector", row)
			}
			if _, err := s.db.Writer.Exec("INSERT OR REPLACE INTO vector VALUES(?,?)", m.rowID(pmid+1), row); err != nil {
				t.Fatal(err)
			}
		}
		hits, _, err := s.NearestChunks(t.Context(), m.ID, randomUnit(rng, dim), Filter{}, 30)
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

// The stored form of a vector has the same code as the vector that was put, as partitions are
// tidied by comparing codes.
func TestCodeOfAStoredVector(t *testing.T) {
	s := &Store{}
	rng := rand.New(rand.NewPCG(1, 64))
	for _, dim := range []int{1, 7, 64, 256, 1000} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			for range 20 {
				p := s.vectorCodec(Model{Dim: dim})
				stored, code := p.pack(randomUnit(rng, dim))
				if len(stored) != p.ByteSize() || !reflect.DeepEqual(code, p.EncodeBytes(stored, nil)) {
					t.Fatalf("dimension %d: another code", dim)
				}
			}
		})
	}
}
