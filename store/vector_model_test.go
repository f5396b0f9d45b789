package store

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

func randomUnit(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	var sum float64
	for i := range v {
		v[i] = float32(rng.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func newModel(t *testing.T, s *Store, name string, dim int) Model {
	t.Helper()
	m, err := s.NewModel(t.Context(), name, dim)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// embedMissing computes every missing vector with f.
func embedMissing(t *testing.T, s *Store, model int64, f func(DocumentChunk) []float32) {
	t.Helper()
	var list []Vector
	for c, err := range s.MissingVectors(t.Context(), model) {
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Vector{c.PMID, c.Version, c.Ordinal, f(c)})
	}
	if n, err := s.AddVectors(t.Context(), model, list); err != nil || n != len(list) {
		t.Fatalf("%d of %d vectors taken: %v", n, len(list), err)
	}
}

// After any puts, revisions, deletions and embeddings in any order, the search finds the same
// chunks as a comparison with every vector.
func TestNearFindsWhatIsThereNow(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		rng := rand.New(rand.NewPCG(seed, 21))
		dir := t.TempDir()
		s := openTest(t, dir, Options{})
		other := openTest(t, dir, Options{ReadOnly: true, CodeBytes: 1}) // caches nothing
		dim := []int{3, 20, 70}[seed]
		m := newModel(t, s, "a", dim)
		want := plain{}
		revision := 1000
		for round := range 25 {
			b := s.Begin("q").WithModel(m.ID)
			for range rng.IntN(20) {
				pmid := record.PMID(1 + rng.IntN(100))
				if rng.IntN(6) == 0 {
					b.Delete(pmid, "")
					delete(want, pmid)
					continue
				}
				revision++
				doc := randomDocument(rng, pmid, revision)
				for i := range doc.Chunks {
					switch rng.IntN(4) {
					case 0: // left for later
					case 1:
						doc.Chunks[i].Vector = []float32{}
					default:
						doc.Chunks[i].Vector = randomUnit(rng, dim)
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
			if round%5 == 4 {
				embedMissing(t, s, m.ID, func(c DocumentChunk) []float32 {
					d := want[c.PMID]
					if d == nil || d.Chunks[c.Ordinal].Vector != nil || c.Chunk().ID != d.Chunks[c.Ordinal].ID {
						t.Fatalf("pmid:%d chunk %d is not missing", c.PMID, c.Ordinal)
					}
					d.Chunks[c.Ordinal].Vector = randomUnit(rng, dim)
					return d.Chunks[c.Ordinal].Vector
				})
			}
			missing := int64(0)
			for _, d := range want {
				for _, c := range d.Chunks {
					if c.Vector == nil {
						missing++
					}
				}
			}
			models, err := s.Models(t.Context())
			if err != nil || len(models) != 1 || models[0].Missing != missing {
				t.Fatalf("seed %d round %d: %+v %v, missing %d", seed, round, models, err, missing)
			}
			for _, s := range []*Store{s, other} {
				want.checkNear(t, rng, s, m.ID, dim, fmt.Sprintf("seed %d round %d", seed, round))
			}
		}
	}
}

// stored returns the vectors in the corpus, after checking that they equal those that were put
// except for rounding.
func (p plain) stored(t *testing.T, s *Store, model int64, what string) map[record.PMID]map[int][]float32 {
	t.Helper()
	got, err := s.Vectors(t.Context(), model, slices.Collect(maps.Keys(p)))
	if err != nil {
		t.Fatal(what, err)
	}
	for pmid, d := range p {
		have := 0
		for i, c := range d.Chunks {
			if len(c.Vector) == 0 {
				continue
			}
			have++
			if off := distance(c.Vector, got[pmid][i]); off > roundedBy {
				t.Fatalf("%s: the vector of chunk %d of pmid:%d is off by %g", what, i, pmid, off)
			}
		}
		if have != len(got[pmid]) {
			t.Fatalf("%s: %d vectors of pmid:%d, want %d", what, len(got[pmid]), pmid, have)
		}
	}
	return got
}

// roundedBy is the maximum change of a test vector by its storage as bytes. No component of a
// rotated vector exceeds 5/√dim, and each byte is off by at most 1/254 of that, so together they
// are off by at most 5/254.
const roundedBy = 5. / 254

// distance returns the length of a-b, or infinity if one is missing.
func distance(a, b []float32) float64 {
	if len(a) != len(b) {
		return math.Inf(1)
	}
	sum := 0.0
	for i := range a {
		d := float64(a[i]) - float64(b[i])
		sum += d * d
	}
	return math.Sqrt(sum)
}

func (p plain) checkNear(t *testing.T, rng *rand.Rand, s *Store, model int64, dim int, what string) {
	t.Helper()
	v := randomUnit(rng, dim)
	f := filters[rng.IntN(len(filters))]
	k := 1 + rng.IntN(20)
	hits, exact, err := s.NearestChunks(t.Context(), model, v, f.filter, k)
	if err != nil || !exact {
		t.Fatalf("%s: exact %v, %v", what, exact, err)
	}
	type near struct {
		pmid    record.PMID
		ordinal int
		score   float64
	}
	var all []near
	for pmid, list := range p.stored(t, s, model, what) {
		for i, w := range list {
			if !f.pass(p[pmid]) {
				continue
			}
			var sum float64
			for j := range v {
				sum += float64(v[j]) * float64(w[j])
			}
			all = append(all, near{pmid, i, sum})
		}
	}
	slices.SortFunc(all, func(a, b near) int { return cmp.Compare(b.score, a.score) })
	if len(hits) != min(k, len(all)) {
		t.Fatalf("%s: %d hits of %d, k %d, filter %+v", what, len(hits), len(all), k, f.filter)
	}
	for i, h := range hits {
		d := p[h.PMID]
		// 32-bit arithmetic may swap neighbours.
		if math.Abs(h.Score-all[i].score) > 2e-6 {
			t.Fatalf("%s: hit %d is %+v, want %+v", what, i, h, all[i])
		}
		if h.ChunkID != d.Chunks[h.Ordinal].ID || h.Facts != d.Facts || h.Date != int(wordindex.DayNumber(d.PDat)) {
			t.Fatalf("%s: hit %+v is not chunk %d of %+v", what, h, h.Ordinal, d)
		}
	}
}

// A larger corpus has more candidates, up to the maximum factor.
func TestCandidatesGrowWithTheCorpus(t *testing.T) {
	for n, want := range map[int64][2]int{0: {600, 600}, 50_000: {600, 600}, nearMany: {600, 600}, 4 * nearMany: {1200, 1200}, 16 * nearMany: {2400, 2400}, 25 * nearMany: {2400, 3000}, 400 * nearMany: {2400, 4800}} {
		if got := [2]int{scaleCandidates(600, n, 4), scaleCandidates(600, n, 8)}; got != want {
			t.Errorf("of %d chunks: %d, want %d", n, got, want)
		}
	}
}

// Beyond the number of chunks that are compared exactly, codes choose candidates: nine of the ten
// nearest must be among them, also with a filter.
func TestNearOfManyIsNearlyExact(t *testing.T) {
	t.Parallel()
	s := openTest(t, t.TempDir(), Options{})
	rng := rand.New(rand.NewPCG(1, 22))
	const n, dim = 3 * nearExact, 128
	m := newModel(t, s, "a", dim)
	centres := make([][]float32, 40)
	for i := range centres {
		centres[i] = randomUnit(rng, dim)
	}
	around := func() []float32 {
		v, c := randomUnit(rng, dim), centres[rng.IntN(len(centres))]
		for i := range v {
			v[i] = 0.7*v[i] + c[i]
		}
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		for i := range v {
			v[i] /= float32(math.Sqrt(sum))
		}
		return v
	}
	docs := map[record.PMID]*Document{}
	b := s.Begin("q").WithModel(m.ID)
	for i := range record.PMID(n) {
		doc := &Document{PMID: 1 + 2*i, Human: i%5 > 0, Chunks: []Chunk{{ID: "w0", Vector: around()}}}
		docs[doc.PMID] = doc
		if err := b.Put(doc); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, f := range []Filter{{}, {Humans: true}} {
		found, total := 0, 0
		for range 20 {
			v := around()
			hits, exact, err := s.NearestChunks(t.Context(), m.ID, v, f, 10)
			if err != nil || exact || len(hits) != 10 {
				t.Fatalf("%d hits, exact %v, %v", len(hits), exact, err)
			}
			score := map[record.PMID]float64{}
			for pmid, d := range docs {
				if d.Human || !f.Humans {
					for i := range v {
						score[pmid] += float64(v[i]) * float64(d.Chunks[0].Vector[i])
					}
				}
			}
			best := slices.SortedFunc(maps.Keys(score), func(a, b record.PMID) int { return cmp.Compare(score[b], score[a]) })
			for _, h := range hits {
				total++
				if slices.Contains(best[:10], h.PMID) {
					found++
				}
			}
		}
		t.Logf("%+v: %d of %d", f, found, total)
		if found*10 < total*9 {
			t.Errorf("%+v: %d of the %d nearest were found", f, found, total)
		}
	}
}

// Leaves stay within their size and in order, and lose nothing when they split.
func TestLeavesSplit(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	rng := rand.New(rand.NewPCG(1, 24))
	m := newModel(t, s, "a", 4)
	pmids := rng.Perm(3 * leafFull)
	for part := range slices.Chunk(pmids, 1000) {
		b := s.Begin("q").WithModel(m.ID)
		for _, p := range part {
			doc := &Document{PMID: record.PMID(p + 1), Chunks: []Chunk{{ID: "s0", Vector: randomUnit(rng, 4)}, {ID: "s1", Vector: randomUnit(rng, 4)}}}
			if err := b.Put(doc); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := b.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	var last wordindex.Key
	total, leaves := 0, 0
	err := s.db.Read(t.Context(), "test", func(r *rows.Conn) error {
		list, err := listLeaves(r, m.ID, loosePart)
		if err != nil {
			return err
		}
		for i, at := range list {
			l, err := readLeaf(r, at.id, 1)
			if err != nil {
				return err
			}
			leaves++
			total += len(l.pmids)
			if len(l.pmids) > leafFull+1 || int64(l.pmids[0]) < at.lo || i > 0 && int64(l.pmids[0]) != at.lo {
				t.Errorf("leaf %d from %d holds %d chunks from %d", i, at.lo, len(l.pmids), l.pmids[0])
			}
			for j := range l.pmids {
				k := wordindex.Key{PMID: l.pmids[j], Ordinal: l.ordinals[j]}
				if k.PMID < last.PMID || k.PMID == last.PMID && k.Ordinal <= last.Ordinal && k.Ordinal > 0 {
					t.Fatalf("%v after %v", k, last)
				}
				last = k
			}
		}
		return nil
	})
	if err != nil || total != 2*len(pmids) || leaves < 6 || leaves > 14 {
		t.Errorf("%d chunks in %d leaves: %v", total, leaves, err)
	}
}
