package store

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// Candidates are compared until the rest are unlikely to be among the nearest. The result is the
// same as when all are compared, although the last ones are not.
func TestUnlikelyCandidatesAreNotCompared(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	rng := rand.New(rand.NewPCG(1, 25))
	const n, dim = 3 * compareBatch, 128
	m := newModel(t, s, "a", dim)
	b := s.Begin("q").WithModel(m.ID)
	for i := range record.PMID(n) {
		if err := b.Put(&Document{PMID: 1 + i, Chunks: []Chunk{{ID: "w0", Vector: randomUnit(rng, dim)}}}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	query := randomUnit(rng, dim)
	candidates := func(r *rows.Conn) (*vectorSearch, []candidate) {
		ix, err := s.words.Load(r)
		if err != nil {
			t.Fatal(err)
		}
		m, err := s.modelOf(r, m.ID)
		if err != nil {
			t.Fatal(err)
		}
		search := &vectorSearch{ctx: t.Context(), s: s, r: r, src: s.words.Source(r), ix: ix, model: m, space: s.space(m.Dim)}
		search.query = search.space.Query(query)
		list, all, err := search.candidates(n)
		if err != nil || !all || len(list) != n {
			t.Fatalf("%d candidates, all %v, %v", len(list), all, err)
		}
		for i := range list { // as refine does
			l := &search.rows[list[i].leaf]
			list[i].rank = rankOf(l.base+search.query.Refine(l.codes.code(int(list[i].at))), list[i].pmid())
		}
		return search, list
	}
	read := func(f func(r *rows.Conn)) {
		t.Helper()
		if err := s.db.Read(t.Context(), "test", func(r *rows.Conn) error { f(r); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	var last []record.PMID // the third of the candidates that would be compared last
	read(func(r *rows.Conn) {
		for _, k := range []int{10, 200, 1000} {
			search, list := candidates(r)
			want, err := search.compare(slices.Clone(list), k, true)
			if err != nil || len(want) != k {
				t.Fatalf("%d hits, %v", len(want), err)
			}
			got, err := search.compare(list, k, false)
			if err != nil || len(got) != k {
				t.Fatalf("%d hits, %v", len(got), err)
			}
			found := 0
			for _, h := range want {
				if slices.ContainsFunc(got, func(g Hit) bool { return g.PMID == h.PMID && g.Score == h.Score }) {
					found++
				}
			}
			if found*100 < k*99 {
				t.Errorf("%d of the %d nearest are found", found, k)
			}
		}
		_, list := candidates(r)
		selectClosest(list, 2*compareBatch)
		for _, c := range list[2*compareBatch:] {
			last = append(last, c.pmid())
		}
	})
	for _, pmid := range last {
		if _, err := s.db.Writer.Exec("DELETE FROM vector WHERE id=?", m.rowID(pmid)); err != nil {
			t.Fatal(err)
		}
	}
	read(func(r *rows.Conn) {
		for _, c := range []struct {
			k    int
			all  bool
			want error
		}{{200, false, nil}, {200, true, errVectorMissing}, {2*compareBatch + 1, false, errVectorMissing}} {
			search, list := candidates(r)
			if _, err := search.compare(list, c.k, c.all); !errors.Is(err, c.want) {
				t.Errorf("the %d nearest, all %v: %v, want %v", c.k, c.all, err, c.want)
			}
		}
	})
}

// A chunk with an old code beside its new one is one hit.
func TestAChunkIsOneHit(t *testing.T) {
	var p products
	a, b := product{score: 0.5}, product{score: 0.7}
	a.PMID, b.PMID = 1, 2
	p.add(products{list: []product{a, b}, rooms: [][]byte{nil}}, 3)
	p.add(products{list: []product{a}, rooms: [][]byte{nil}}, 3)
	if hits := p.hits(); len(hits) != 2 || hits[0].PMID != 2 || hits[1].PMID != 1 {
		t.Errorf("%+v", hits)
	}
}

func TestReachOf(t *testing.T) {
	if got := errorBound([]float64{1, 3, 1, 3}); got != 2+maxDeviations {
		t.Errorf("mean 2, deviation 1: %v", got)
	}
	if got := errorBound(nil); !math.IsNaN(got) {
		t.Errorf("without errors: %v", got)
	}
}
