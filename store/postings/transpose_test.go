package postings

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

func TestTransposeIsTheTermsOfEachChunk(t *testing.T) {
	for seed := range uint64(15) {
		rng := rand.New(rand.NewPCG(seed, 71))
		words := 1 + rng.IntN(400)
		c := newCorpus(rng, []int{1 + rng.IntN(1500)}, words)
		var terms []string
		for w := range words + 5 {
			if rng.IntN(3) > 0 {
				terms = append(terms, fmt.Sprint("w", w), fmt.Sprint("absent", w))
			}
		}
		slices.Sort(terms)
		chunks := c.chunks[0]
		for range 4 {
			from := rng.IntN(len(chunks))
			to := from + 1 + rng.IntN(len(chunks)-from)
			got, err := c.segs[0].Transpose(t.Context(), c.mem, terms, uint32(from), uint32(to))
			if err != nil || len(got) != to-from {
				t.Fatalf("seed %d: %d of %d chunks, %v", seed, len(got), to-from, err)
			}
			for i, list := range got {
				var want []TermCount
				for n, term := range terms {
					if count := chunks[from+i].counts[term]; count > 0 {
						want = append(want, NewTermCount(uint32(n), uint32(count)))
					}
				}
				if !slices.Equal(list, want) {
					t.Fatalf("seed %d, chunk %d of %d to %d: %v, want %v", seed, from+i, from, to, list, want)
				}
			}
		}
	}
}

func TestTransposeOfDamagedPagesIsAnError(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 72))
	c := newCorpus(rng, []int{2000}, 40)
	var terms []string
	for w := range 40 {
		terms = append(terms, fmt.Sprint("w", w))
	}
	slices.Sort(terms)
	want, err := c.segs[0].Transpose(t.Context(), c.mem, terms, 0, 2000)
	if err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.segs[0].Transpose(cancelled, c.mem, terms, 0, 2000); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	noticed := 0
	for key, page := range c.mem.pages {
		for range 6 {
			whole := slices.Clone(page)
			if len(page) == 0 {
				continue
			}
			page[rng.IntN(len(page))] ^= 1 << rng.IntN(8)
			seg := NewSegment(c.segs[0].ID, 2000)
			if got, err := seg.Transpose(t.Context(), c.mem, terms, 0, 2000); err != nil {
				noticed++
			} else if len(got) != len(want) {
				t.Fatal(len(got))
			}
			copy(page, whole)
		}
		c.mem.pages[key] = page
	}
	if got, err := c.segs[0].Transpose(t.Context(), c.mem, terms, 0, 2000); err != nil || !reflect.DeepEqual(got, want) || noticed == 0 {
		t.Errorf("%d errors of damaged pages; %v", noticed, err)
	}
}

func TestTermCount(t *testing.T) {
	for _, c := range []struct{ term, count, want uint32 }{{0, 1, 1}, {MaxTerm, MaxCount, MaxCount}, {7, MaxCount + 1, MaxCount}, {1, 1 << 31, MaxCount}} {
		t.Run(fmt.Sprint(c.term), func(t *testing.T) {
			if n := NewTermCount(c.term, c.count); n.Term() != c.term || n.Count() != c.want {
				t.Errorf("%v: %d, %d", c, n.Term(), n.Count())
			}
		})
	}
}
