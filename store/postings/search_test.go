package postings

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	_ "biomcp/build/testgc"
)

// corpus holds several segments and their contents in plain form.
type corpus struct {
	mem    *memory
	segs   []*Segment
	chunks [][]sample
	accept []Bits // by segment; never nil
	model  *BM25
	n      int64
	avg    float64
}

func newCorpus(rng *rand.Rand, sizes []int, words int) *corpus {
	c := &corpus{mem: newMemory(rng.Uint64())}
	total := 0
	for i, size := range sizes {
		chunks := samples(rng, size, words, rng.IntN(1000))
		accept := NewBits(size)
		some := rng.IntN(4)
		for j := range chunks {
			chunks[j].dead = some == 0 && rng.IntN(3) == 0 || some == 1 && rng.IntN(100) > 0
			if !chunks[j].dead {
				accept.Set(uint32(j))
				c.n++
				total += int(chunks[j].length)
			}
		}
		c.segs = append(c.segs, c.mem.write(int64(i+1), chunks))
		c.chunks = append(c.chunks, chunks)
		c.accept = append(c.accept, accept)
	}
	c.avg = max(1, float64(total)/float64(max(1, c.n)))
	c.model = NewBM25(c.avg)
	return c
}

func (c *corpus) view(i int) *View {
	return &View{Seg: c.segs[i], Src: c.mem, Accept: c.accept[i]}
}

// naive returns the score of one term in one chunk, computed by the formula.
func (c *corpus) naive(weight float64, df int64, tf int, length uint16) int64 {
	idf := math.Log1p((float64(c.n-df) + 0.5) / (float64(df) + 0.5))
	norm := 1.2 * (1 - 0.4 + 0.4*float64(length)/c.avg)
	return int64(weight*idf*(float64(tf)/(float64(tf)+norm))*(1<<32) + 0.5)
}

func (c *corpus) df(has func(*sample) bool) int64 {
	n := int64(0)
	for _, chunks := range c.chunks {
		for i := range chunks {
			if s := &chunks[i]; !s.dead && has(s) {
				n++
			}
		}
	}
	return n
}

func count(s *sample, is func(string) bool) int {
	n := 0
	for t, tf := range s.counts {
		if is(t) {
			n += tf
		}
	}
	return n
}

// exhaustive scores every chunk.
func (c *corpus) exhaustive(k int, score func(*sample) (int64, bool)) []Hit {
	hits := []Hit{}
	for i, chunks := range c.chunks {
		for j := range chunks {
			s := &chunks[j]
			if s.dead {
				continue
			}
			if v, ok := score(s); ok {
				hits = append(hits, Hit{v, s.id, uint32(j), i})
			}
		}
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		if a.Score != b.Score {
			return int(math.Copysign(1, float64(b.Score-a.Score)))
		}
		if a.ID != b.ID {
			return int(a.ID) - int(b.ID)
		}
		if a.Chunk != b.Chunk {
			return int(a.Chunk) - int(b.Chunk)
		}
		return a.Segment - b.Segment
	})
	return hits[:min(k, len(hits))]
}

// liveDF returns the number of live chunks with a term according to the index.
func (c *corpus) liveDF(t *testing.T, term string) int64 {
	t.Helper()
	var n int64
	for i := range c.segs {
		v := c.view(i)
		l, err := v.Seg.Finder(v.Src).List([]byte(term))
		if err != nil {
			t.Fatal(err)
		}
		if l == nil {
			continue
		}
		dead := NewBits(v.Seg.Chunks)
		for j, s := range c.chunks[i] {
			if s.dead {
				dead.Set(uint32(j))
			}
		}
		live, err := v.LiveDF(l, dead)
		if err != nil {
			t.Fatal(err)
		}
		n += live
	}
	return n
}

// A search that skips chunks finds the same top hits as scoring every chunk.
func TestTopOfAnyTermsEqualsExhaustiveScoring(t *testing.T) {
	for seed := range uint64(25) {
		rng := rand.New(rand.NewPCG(seed, 7))
		sizes := [][]int{{1}, {5000}, {9000}, {4500, 300, 1, 4096}, {130, 128, 127}}[seed%5]
		c := newCorpus(rng, sizes, []int{5, 300, 5000}[rng.IntN(3)])
		for range 6 {
			var words []string
			var weights []float64
			for range 1 + rng.IntN(8) {
				if w := fmt.Sprintf("w%d", int(math.Exp(rng.Float64()*6))-1); !slices.Contains(words, w) {
					words = append(words, w)
					weights = append(weights, []float64{1, 1, 1, 0.1, 5 * rng.Float64()}[rng.IntN(5)])
				}
			}
			k := []int{1, 3, 10, 200, 100000}[rng.IntN(5)]
			dfs := make([]int64, len(words))
			for i, w := range words {
				dfs[i] = c.df(func(s *sample) bool { return s.counts[w] > 0 })
				if got := c.liveDF(t, w); got != dfs[i] {
					t.Fatalf("seed %d: df of %s is %d, want %d", seed, w, got, dfs[i])
				}
			}
			want := c.exhaustive(k, func(s *sample) (int64, bool) {
				var sum int64
				found := false
				for i, w := range words {
					if tf := s.counts[w]; tf > 0 {
						sum += c.naive(weights[i], dfs[i], tf, s.length)
						found = true
					}
				}
				return sum, found
			})
			top := NewTop(k)
			var parts []func() error // in any order
			for i := range c.segs {
				v := c.view(i)
				var terms []WeightedTerm
				for j, w := range words {
					l, err := v.Seg.Finder(v.Src).List([]byte(w))
					if err != nil {
						t.Fatal(err)
					}
					if l != nil {
						terms = append(terms, WeightedTerm{l, weights[j] * IDF(c.n, dfs[j])})
					}
				}
				size := windowLen * uint32(1+rng.IntN(4))
				for from := uint32(0); from < uint32(v.Seg.Chunks); from += size {
					parts = append(parts, func() error { return Or(t.Context(), c.view(i), from, from+size, terms, c.model, i, top) })
				}
			}
			for _, i := range rng.Perm(len(parts)) {
				if err := parts[i](); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, fmt.Sprintf("seed %d: %v k %d", seed, words, k), top.Hits(), want)
		}
	}
}

func compare(t *testing.T, what string, got, want []Hit) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d hits, want %d", what, len(got), len(want))
	}
	for i := range got {
		if got[i] != want[i] {
			t.Fatalf("%s: hit %d is %+v, want %+v", what, i, got[i], want[i])
		}
	}
}

// A merged segment holds the contents of its parts without dead chunks, and its bytes equal those
// of a segment of the same chunks written at once.
func TestMergedSegmentEqualsOneWrittenAtOnce(t *testing.T) {
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 13))
		c := newCorpus(rng, []int{1 + rng.IntN(3000), 1 + rng.IntN(3000), 1 + rng.IntN(18000)}, 400)
		var parts []Part
		var all []sample
		base := uint32(0)
		for i, chunks := range c.chunks {
			dead := NewBits(len(chunks))
			for j := range chunks {
				if seed%2 == 0 { // consecutive parts, as imports create them
					chunks[j].id += base
				} else { // interleaved parts, as updates create them; no document is in two parts
					chunks[j].id = chunks[j].id*3 + uint32(i)
				}
				if chunks[j].dead {
					dead.Set(uint32(j))
				} else {
					all = append(all, chunks[j])
				}
			}
			base = chunks[len(chunks)-1].id + 1
			parts = append(parts, Part{Seg: c.mem.write(int64(i+10), chunks), Src: c.mem, Dead: dead})
		}
		slices.SortStableFunc(all, func(a, b sample) int { return int(a.id) - int(b.id) })
		want := newMemory(1)
		want.write(99, all)

		plan, err := NewPlan(t.Context(), parts)
		if err != nil {
			t.Fatal(err)
		}
		got := newMemory(2)
		got.segment = 99
		if _, err := plan.Merge(t.Context(), got); err != nil {
			t.Fatal(err)
		}
		if len(plan.Origins) != len(all) {
			t.Fatalf("seed %d: %d chunks, want %d", seed, len(plan.Origins), len(all))
		}
		if !reflect.DeepEqual(got.pages, want.pages) {
			t.Fatalf("seed %d: the pages differ: %d, want %d", seed, len(got.pages), len(want.pages))
		}
	}
}

func TestDamagedPagesAreErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	whole := &corpus{mem: newMemory(1), model: NewBM25(30)}
	whole.mem.write(1, samples(rng, 3000, 50, 1))
	for key, page := range whole.mem.pages {
		for range 10 {
			c := *whole
			c.mem = newMemory(3)
			for k, p := range whole.mem.pages {
				c.mem.pages[k] = p
			}
			harmed := slices.Clone(page)
			switch rng.IntN(3) {
			case 0:
				harmed = harmed[:rng.IntN(len(harmed))]
			case 1:
				harmed[rng.IntN(len(harmed))] ^= byte(1 + rng.IntN(255))
			case 2:
				harmed[rng.IntN(min(8, len(harmed)))] = 0xff
			}
			c.mem.pages[key] = harmed
			v := &View{Seg: NewSegment(1, 3000), Src: c.mem}
			run := func(f func() error) { _ = f() } // any result is fine except a panic
			run(func() error {
				var terms []WeightedTerm
				for i := range 20 {
					l, err := v.Seg.Finder(v.Src).List(fmt.Appendf(nil, "w%d", i))
					if err != nil {
						return err
					}
					if l != nil {
						terms = append(terms, WeightedTerm{l, 1})
					}
				}
				return Or(context.Background(), v, 0, 3000, terms, c.model, 0, NewTop(10))
			})
			run(func() error {
				_, err := (&View{Seg: v.Seg, Src: c.mem}).Prefix(context.Background(), []byte("w"))
				return err
			})
			run(func() error {
				var slots []SlotLists
				for i := range 2 {
					l, err := v.Seg.Finder(v.Src).List(fmt.Appendf(nil, "w%d", i))
					if l == nil || err != nil {
						return err
					}
					slots = append(slots, SlotLists{[]*List{l}, uint32(i)})
				}
				it, err := NewPhrase(v, slots, 1, c.model)
				if err != nil {
					return err
				}
				return Walk(context.Background(), v, it, 0, NewTop(10))
			})
			run(func() error {
				plan, err := NewPlan(context.Background(), []Part{{Seg: NewSegment(1, 3000), Src: c.mem}})
				if err == nil {
					_, err = plan.Merge(context.Background(), newMemory(4))
				}
				return err
			})
		}
	}
}

func TestSearchesStopWhenCancelled(t *testing.T) {
	c := newCorpus(rand.New(rand.NewPCG(1, 1)), []int{20000}, 50)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	v := &View{Seg: c.segs[0], Src: c.mem}
	l, err := v.Seg.Finder(v.Src).List([]byte("w0"))
	if err != nil {
		t.Fatal(err)
	}
	if err := Or(ctx, v, 0, 20000, []WeightedTerm{{l, 1}}, c.model, 0, NewTop(1)); err != context.Canceled {
		t.Errorf("Or: %v", err)
	}
	if err := Walk(ctx, v, NewAll(v), 0, NewTop(1)); err != context.Canceled {
		t.Errorf("Walk: %v", err)
	}
	if _, err := v.Prefix(ctx, []byte("w")); err != context.Canceled {
		t.Errorf("Prefix: %v", err)
	}
}
