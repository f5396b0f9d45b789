package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// smallPartitions are sizes by which a corpus of a hundred documents has partitions,
// all of which are searched.
var smallPartitions = partitionSizes{first: 60, loose: 20, full: 8, rows: 3, chunksPerStep: 40, means: 5, maxScanned: 1 << 40, minScanned: 1 << 40}

// Whatever was put, revised, deleted and embedded, and wherever arranging was stopped:
// with all partitions searched, a plain comparison finds the same nearest chunks.
func TestPartitionsHoldWhatIsThereNow(t *testing.T) {
	seeds := uint64(3)
	if testing.Short() {
		seeds = 1
	}
	for seed := range seeds {
		rng := rand.New(rand.NewPCG(seed, 41))
		dir := t.TempDir()
		s := openTest(t, dir, Options{})
		other := openTest(t, dir, Options{ReadOnly: true, CodeBytes: 1})
		s.sizes, other.sizes = smallPartitions, smallPartitions
		dim := []int{3, 20, 70}[seed]
		m := newModel(t, s, "a", dim)
		want := plain{}
		revision, had := 1000, 0
		for round := range 40 {
			b := s.Begin("q").WithModel(m.ID)
			for range rng.IntN(40) {
				pmid := record.PMID(1 + rng.IntN(200))
				if rng.IntN(8) == 0 || round > 30 && rng.IntN(2) == 0 {
					b.Delete(pmid, "")
					delete(want, pmid)
					continue
				}
				revision++
				doc := randomDocument(rng, pmid, revision)
				for i := range doc.Chunks {
					if doc.Chunks[i].Vector = randomUnit(rng, dim); rng.IntN(9) == 0 {
						doc.Chunks[i].Vector = []float32{}
					} else if old := want[pmid]; old != nil && i < len(old.Chunks) && len(old.Chunks[i].Vector) > 0 && rng.IntN(2) == 0 {
						doc.Chunks[i].Vector = old.Chunks[i].Vector // the text has not changed
					}
				}
				if err := b.Put(doc); err != nil {
					t.Fatal(err)
				}
				want[pmid] = doc
			}
			if _, err := b.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			a := arrangement{s: s, ctx: t.Context(), model: m}
			for range rng.IntN(5) {
				if more, err := a.step(); err != nil {
					t.Fatal(err)
				} else if !more {
					break
				}
			}
			if round%7 == 6 {
				if err := s.Arrange(t.Context(), m.ID); err != nil {
					t.Fatal(err)
				}
				var great int
				if err := s.db.Writer.QueryRow("SELECT count(*) FROM (SELECT sum(n) n FROM vector_code WHERE part>0 GROUP BY part) WHERE n>?", 2*s.sizes.full).Scan(&great); err != nil || great > 0 && dim > 3 { // codes of three bits are alike
					t.Errorf("seed %d round %d: %d partitions are too great, %v", seed, round, great, err)
				}
			}
			done := int64(0)
			for _, d := range want {
				done += int64(len(d.Chunks))
			}
			models, err := s.Models(t.Context())
			if err != nil || models[0].Missing != 0 || models[0].Vectors != done {
				t.Fatalf("seed %d round %d: %+v %v, want %d", seed, round, models, err, done)
			}
			for c, err := range s.MissingVectors(t.Context(), m.ID) {
				t.Fatalf("seed %d round %d: %+v is missing, %v", seed, round, c, err)
			}
			for _, s := range []*Store{s, other} {
				want.checkNear(t, rng, s, m.ID, dim, fmt.Sprintf("seed %d round %d", seed, round))
			}
			var n int
			if err := s.db.Writer.QueryRow("SELECT count(DISTINCT part) FROM vector_code WHERE part>0").Scan(&n); err != nil {
				t.Fatal(err)
			}
			had = max(had, n)
		}
		if had < 8 {
			t.Errorf("seed %d: there were %d partitions at most", seed, had)
		}
	}
}

// clusters makes vectors around centres of a few dimensions more than the others.
func clusters(rng *rand.Rand, dim int) func() []float32 {
	centres := make([][]float32, 40)
	for i := range centres {
		centres[i] = randomUnit(rng, dim)
	}
	return func() []float32 {
		v, c := randomUnit(rng, dim), centres[rng.IntN(len(centres))]
		sum := 0.0
		for i := range v {
			v[i] = 0.7*v[i] + c[i]
			sum += float64(v[i]) * float64(v[i])
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
		return v
	}
}

// putVectors puts documents of one chunk each, the vectors of which f makes.
func putVectors(t *testing.T, s *Store, model int64, from, to record.PMID, f func() []float32) {
	t.Helper()
	b := s.Begin("q").WithModel(model)
	for pmid := from; pmid < to; pmid++ {
		if err := b.Put(&Document{PMID: pmid, Human: pmid%5 > 0, Animal: pmid%5 == 0, LR: fmt.Sprint(2000 + to%1000), Chunks: []Chunk{{ID: "w0", Vector: f()}}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// A search looks at the nearest partitions alone, and finds nearly all; under a filter
// that few pass, all.
func TestSearchOfTheNearestPartitions(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	s.sizes = partitionSizes{first: 2000, loose: 400, full: 50, rows: 3, chunksPerStep: 1000, means: 20, maxScanned: 1200}
	const n, dim = 4000, 64
	vector := clusters(rand.New(rand.NewPCG(1, 42)), dim)
	m := newModel(t, s, "a", dim)
	for from := record.PMID(1); from < n; from += n / 4 {
		putVectors(t, s, m.ID, from, from+n/4, vector)
		if err := s.UseModel(t.Context(), m.ID, 0); err != nil { // from now on commits arrange
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		filter Filter
		exact  bool
	}{"all": {}, "most": {filter: Filter{Humans: true}}, "few": {Filter{Animals: true}, true}} {
		t.Run(name, func(t *testing.T) {
			found, total, most := 0, 0, 0
			for range 10 {
				v := vector()
				s.sizes.minScanned, s.sizes.maxScanned = 0, 1200
				hits, exact, err := s.Near(t.Context(), m.ID, v, c.filter, 50)
				if err != nil || exact != c.exact || len(hits) != 50 {
					t.Fatalf("%s: %d hits, exact %v, %v", name, len(hits), exact, err)
				}
				most = max(most, seenNear(t, s, m, v, c.filter))
				s.sizes.minScanned, s.sizes.maxScanned = 1<<40, 1<<40
				all, _, err := s.Near(t.Context(), m.ID, v, c.filter, 50)
				if err != nil {
					t.Fatal(err)
				}
				best := map[record.PMID]bool{}
				for _, h := range all {
					best[h.PMID] = true
				}
				for _, h := range hits {
					if total++; best[h.PMID] {
						found++
					}
				}
			}
			t.Logf("%s: %d of %d, %d chunks looked at", name, found, total, most)
			if found*100 < total*95 || c.exact && found < total {
				t.Errorf("%s: %d of the %d nearest were found", name, found, total)
			}
			if !c.exact && most > 2000 {
				t.Errorf("%s: %d chunks were looked at", name, most)
			}
		})
	}
}

// A search that fails has no hits: some would lack what is known of their documents.
func TestNearWithoutAVectorHasNoHits(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	m := newModel(t, s, "a", 16)
	vector := clusters(rand.New(rand.NewPCG(3, 42)), 16)
	putVectors(t, s, m.ID, 1, 11, vector)
	if _, err := s.db.Writer.Exec("DELETE FROM vector WHERE id&255=3"); err != nil {
		t.Fatal(err)
	}
	if hits, _, err := s.Near(t.Context(), m.ID, vector(), Filter{}, 20); !IsKind(err, Corrupt) || hits != nil {
		t.Errorf("%v, %v", hits, err)
	}
}

// Of a small model half of the chunks are looked at, or the least number.
func TestSearchLooksAtHalfOfASmallModel(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	s.sizes = partitionSizes{first: 1000, loose: 400, full: 50, rows: 3, chunksPerStep: 1000, means: 20, maxScanned: 1 << 17}
	const n, dim = 2000, 16
	vector := clusters(rand.New(rand.NewPCG(2, 42)), dim)
	m := newModel(t, s, "a", dim)
	putVectors(t, s, m.ID, 1, n+1, vector)
	if err := s.Arrange(t.Context(), m.ID); err != nil {
		t.Fatal(err)
	}
	m.Vectors = n
	for _, c := range []struct{ least, from, to int64 }{{0, n / 2, n/2 + 200}, {n / 4, n / 2, n/2 + 200}, {n * 3 / 4, n * 3 / 4, n*3/4 + 200}, {n, n, n}, {1 << 20, n, n}} {
		s.sizes.minScanned = c.least
		if seen := int64(seenNear(t, s, m, vector(), Filter{})); seen < c.from || seen > c.to {
			t.Errorf("least %d: %d chunks were looked at, want %d to %d", c.least, seen, c.from, c.to)
		}
	}
}

// seenNear is how many chunks that pass a search looks at.
func seenNear(t *testing.T, s *Store, m Model, v []float32, f Filter) (seen int) {
	t.Helper()
	filter, err := f.Compile()
	if err != nil {
		t.Fatal(err)
	}
	err = s.db.Read(t.Context(), "test", func(r *rows.Conn) error {
		ix, err := s.words.Load(r)
		if err != nil {
			return err
		}
		n := &vectorSearch{ctx: t.Context(), s: s, r: r, src: s.words.Source(r), ix: ix, model: m, space: s.space(m.Dim), query: s.space(m.Dim).Query(v)}
		if n.pass, err = ix.PMIDs(n.src, filter); err != nil {
			return err
		}
		list, _, err := n.candidates(1 << 20) // all that it looks at
		seen = len(list)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return seen
}

// The same history makes the same partitions.
func TestPartitionsAreTheSameEachTime(t *testing.T) {
	var layouts []string
	for range 2 {
		s := openTest(t, t.TempDir(), Options{})
		s.sizes = smallPartitions
		rng := rand.New(rand.NewPCG(1, 43))
		m := newModel(t, s, "a", 16)
		putVectors(t, s, m.ID, 1, 300, clusters(rng, 16))
		if err := s.UseModel(t.Context(), m.ID, 0); err != nil {
			t.Fatal(err)
		}
		putVectors(t, s, m.ID, 1000, 1001, func() []float32 { return randomUnit(rng, 16) })
		layouts = append(layouts, layoutOf(t, s))
	}
	if layouts[0] == "" || layouts[0] != layouts[1] {
		t.Errorf("%s, then %s", layouts[0], layouts[1])
	}
}

// Whatever was placed, joined and split: the codes of a partition are what its vectors
// give, relative to its mean.
func TestCodesOfPartitionsAreOfTheirVectors(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	s.sizes = smallPartitions
	m := newModel(t, s, "a", 16)
	vector := clusters(rand.New(rand.NewPCG(1, 45)), 16)
	putVectors(t, s, m.ID, 1, 100, vector)
	if err := s.UseModel(t.Context(), m.ID, 0); err != nil {
		t.Fatal(err)
	}
	putVectors(t, s, m.ID, 100, 200, vector)
	first := compareCodes(t, s)
	for from := record.PMID(200); from < 900; from += 100 {
		putVectors(t, s, m.ID, from, from+100, vector)
	}
	last := compareCodes(t, s)
	if t.Logf("%d partitions, then %d", first, last); first == 0 || last < 3*first {
		t.Errorf("%d partitions, then %d: none was split", first, last)
	}
}

// compareCodes compares the codes of all partitions with their vectors, and returns how
// many partitions there are.
func compareCodes(t *testing.T, s *Store) (partitions int) {
	t.Helper()
	err := s.db.Read(t.Context(), "test", func(r *rows.Conn) error {
		models, err := s.models(r)
		for _, m := range models {
			rounds := s.vectorCodec(m)
			p, err := readPartitions(r, rounds.Space, m.ID, 0, math.MaxInt64)
			if err != nil {
				return err
			}
			partitions += len(p.parts)
			for i, part := range p.parts {
				leaves, err := listLeaves(r, m.ID, part)
				if err != nil {
					return err
				}
				for _, at := range leaves {
					got, err := readLeaf(r, at.id, rounds.Words)
					if err != nil {
						return err
					}
					want, err := rounds.recode(r, m, got, p.means.Mean(i))
					if err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("partition %d has other codes than its vectors: %v", part, err)
					}
				}
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return partitions
}

// layoutOf is which chunks are in which partition.
func layoutOf(t *testing.T, s *Store) (layout string) {
	t.Helper()
	err := s.db.Writer.QueryRow("SELECT coalesce(group_concat(part || ':' || hex(keys), ' '), '') FROM (SELECT * FROM vector_code WHERE part>0 ORDER BY part, lo)").Scan(&layout)
	if err != nil {
		t.Fatal(err)
	}
	return layout
}

// What was removed or changed leaves the partitions when it is much.
func TestPartitionsForgetWhatWasRemoved(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	s.sizes = smallPartitions
	rng := rand.New(rand.NewPCG(1, 44))
	vector := clusters(rng, 16)
	m := newModel(t, s, "a", 16)
	putVectors(t, s, m.ID, 1, 400, vector)
	if err := s.UseModel(t.Context(), m.ID, 0); err != nil {
		t.Fatal(err)
	}
	putVectors(t, s, m.ID, 1, 400, vector)
	b := s.Begin("q")
	for pmid := record.PMID(1); pmid < 395; pmid++ {
		b.Delete(pmid, "")
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	var inside int
	if err := s.db.Writer.QueryRow("SELECT sum(n) FROM vector_code WHERE part>0").Scan(&inside); err != nil || inside > 30 {
		t.Errorf("partitions hold %d chunks of a corpus of 5, %v", inside, err)
	}
	hits, _, err := s.Near(t.Context(), m.ID, vector(), Filter{}, 20)
	if err != nil || len(hits) != 5 {
		t.Errorf("%d hits, %v", len(hits), err)
	}
}

// Of chunks that are known to have no vector there are no partitions.
func TestNoPartitionsWithoutVectors(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	s.sizes = smallPartitions
	m := newModel(t, s, "a", 16)
	putVectors(t, s, m.ID, 1, 200, func() []float32 { return []float32{} })
	if err := s.Arrange(t.Context(), m.ID); err != nil {
		t.Fatal(err)
	}
	if layout := layoutOf(t, s); layout != "" {
		t.Errorf("there are partitions: %s", layout)
	}
}
