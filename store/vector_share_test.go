package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"testing"

	"biomcp/store/rows"
)

// Connections that share the work of a search read the same data as the search: nothing that was
// written, removed or put into use since it began. Each part is taken once, even if no other
// connection is free, and none is taken after the search has ended.
func TestSharedWork(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	const parts = 1000
	cases := map[string]struct {
		meanwhile func(t *testing.T, s *Store, m Model)
		sharing   int
		ended     bool
	}{
		"nothing happens": {func(*testing.T, *Store, Model) {}, maxSharing, false},
		"a document is written": {func(t *testing.T, s *Store, m Model) {
			putVectors(t, s, m.ID, 500, 501, func() []float32 { return []float32{1, 0, 0} })
		}, 1, false},
		"the model goes": {func(t *testing.T, s *Store, m Model) {
			if err := s.DropModel(t.Context(), m.ID); err != nil {
				t.Fatal(err)
			}
		}, 1, false},
		"another model is begun": {func(t *testing.T, s *Store, _ Model) { newModel(t, s, "b", 3) }, maxSharing, false},
		"all connections are in use": {func(t *testing.T, s *Store, _ Model) {
			for range 7 { // of eight
				r, err := s.db.Borrow(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { s.db.GiveBack(r, nil) })
			}
		}, 1, false},
		"the search is ended": {func(*testing.T, *Store, Model) {}, 0, true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := openTest(t, t.TempDir(), Options{})
			m := newModel(t, s, "a", 3)
			rng := rand.New(rand.NewPCG(1, 1))
			putVectors(t, s, m.ID, 1, 100, func() []float32 { return randomUnit(rng, 3) })
			ctx, end := context.WithCancel(t.Context())
			defer end()
			var mu sync.Mutex
			var taken []int
			sharing := map[*rows.Conn]bool{}
			err := s.db.Read(ctx, "share", func(r *rows.Conn) (err error) {
				n := &vectorSearch{ctx: ctx, s: s, r: r}
				if n.ix, err = s.words.Load(r); err != nil {
					return err
				}
				if n.model, err = s.modelOf(r, m.ID); err != nil {
					return err
				}
				c.meanwhile(t, s, m)
				if c.ended {
					end()
				}
				arrived := make(chan struct{}, parts)
				all := sync.OnceFunc(func() { // the first parts wait, so that every connection takes some
					for range c.sharing {
						<-arrived
					}
				})
				return n.share(parts, func(r *rows.Conn, part int) error {
					arrived <- struct{}{}
					all()
					mu.Lock()
					defer mu.Unlock()
					taken = append(taken, part)
					sharing[r] = true
					return nil
				})
			})
			if c.ended {
				if !errors.Is(err, context.Canceled) || len(taken) != 0 {
					t.Fatalf("%d parts were taken, %v", len(taken), err)
				}
				return
			}
			slices.Sort(taken)
			if err != nil || len(sharing) != c.sharing || len(taken) != parts || taken[0] != 0 || len(slices.Compact(taken)) != parts {
				t.Errorf("%d connections have taken %d parts, %v; want %d and %d", len(sharing), len(taken), err, c.sharing, parts)
			}
		})
	}
}

// An error of one connection ends the search with that error.
func TestSharedFailure(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	s := openTest(t, t.TempDir(), Options{})
	m := newModel(t, s, "a", 3)
	putVectors(t, s, m.ID, 1, 100, func() []float32 { return []float32{0, 1, 0} })
	err := s.db.Read(t.Context(), "share", func(r *rows.Conn) (err error) {
		n := &vectorSearch{ctx: t.Context(), s: s, r: r, model: m}
		if n.ix, err = s.words.Load(r); err != nil {
			return err
		}
		return n.share(100, func(_ *rows.Conn, part int) error {
			if part == 60 {
				return errVectorMissing
			}
			return nil
		})
	})
	if !errors.Is(err, errVectorMissing) {
		t.Errorf("%v, want %v", err, errVectorMissing)
	}
}
