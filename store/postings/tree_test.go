package postings

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tree is a query as an iterator of the index and as a simple rule.
type tree struct {
	text  string
	build func(*testing.T, *View) Iterator
	rule  func(*sample) (int64, bool)
}

func (c *corpus) tree(t *testing.T, rng *rand.Rand, depth int) tree {
	word := fmt.Sprintf("w%d", int(math.Exp(rng.Float64()*4))-1)
	kind := rng.IntN(7)
	if depth == 0 {
		kind = rng.IntN(4)
	}
	switch kind {
	default:
		df := c.df(func(s *sample) bool { return s.counts[word] > 0 })
		return tree{word,
			func(t *testing.T, v *View) Iterator {
				l, err := v.Seg.Finder(v.Src).List([]byte(word))
				if err != nil {
					t.Fatal(err)
				}
				if l == nil {
					return NewOr()
				}
				it, err := NewTerm(v, WeightedTerm{l, IDF(c.n, df)}, c.model)
				if err != nil {
					t.Fatal(err)
				}
				return it
			},
			func(s *sample) (int64, bool) {
				tf := s.counts[word]
				return c.naive(1, df, tf, s.length), tf > 0
			}}
	case 2: // prefix
		if rng.IntN(2) == 0 {
			word = word[:len(word)-1]
		}
		begins := func(t string) bool { return strings.HasPrefix(t, word) }
		df := c.df(func(s *sample) bool { return count(s, begins) > 0 })
		return tree{word + "*",
			func(t *testing.T, v *View) Iterator {
				u, err := v.Prefix(t.Context(), []byte(word))
				if err != nil {
					t.Fatal(err)
				}
				return NewUnion(v, u, IDF(c.n, df), c.model)
			},
			func(s *sample) (int64, bool) {
				tf := count(s, begins)
				return c.naive(1, df, tf, s.length), tf > 0
			}}
	case 3: // phrase of two or three slots; the second may have alternatives
		slots := [][]string{{"w0"}, {word}}
		if rng.IntN(2) == 0 {
			slots[1] = append(slots[1], "w1")
		}
		if rng.IntN(3) == 0 {
			slots = append(slots, []string{"w2"})
		}
		at := []uint32{0, 1 + uint32(rng.IntN(2)), 3}
		return tree{fmt.Sprint(slots, at),
			func(t *testing.T, v *View) Iterator {
				var lists []SlotLists
				for i, slot := range slots {
					sl := SlotLists{At: at[i]}
					for _, w := range slot {
						l, err := v.Seg.Finder(v.Src).List([]byte(w))
						if err != nil {
							t.Fatal(err)
						}
						if l != nil {
							sl.Lists = append(sl.Lists, l)
						}
					}
					lists = append(lists, sl)
				}
				it, err := NewPhrase(v, lists, 2.5, c.model)
				if err != nil {
					t.Fatal(err)
				}
				return it
			},
			func(s *sample) (int64, bool) {
				begins := map[uint32]bool{}
				for i, w := range s.terms {
					if slices.Contains(slots[0], w) {
						begins[s.positions[i]] = true
					}
				}
				tf := 0
				for p := range begins {
					all := true
					for i, slot := range slots[1:] {
						here := false
						for j, w := range s.terms {
							here = here || slices.Contains(slot, w) && s.positions[j] == p+at[i+1]
						}
						all = all && here
					}
					if all {
						tf++
					}
				}
				norm := 1.2 * (1 - 0.4 + 0.4*float64(s.length)/c.avg)
				return int64(2.5*(float64(tf)/(float64(tf)+norm))*(1<<32) + 0.5), tf > 0
			}}
	case 4: // or
		a, b := c.tree(t, rng, depth-1), c.tree(t, rng, depth-1)
		return tree{"(" + a.text + " OR " + b.text + ")",
			func(t *testing.T, v *View) Iterator { return NewOr(a.build(t, v), b.build(t, v)) },
			func(s *sample) (int64, bool) {
				x, xok := a.rule(s)
				y, yok := b.rule(s)
				var sum int64
				if xok {
					sum += x
				}
				if yok {
					sum += y
				}
				return sum, xok || yok
			}}
	case 5: // and
		a, b := c.tree(t, rng, depth-1), c.tree(t, rng, depth-1)
		return tree{"(" + a.text + " AND " + b.text + ")",
			func(t *testing.T, v *View) Iterator {
				return NewAnd([]Iterator{a.build(t, v), b.build(t, v)}, nil)
			},
			func(s *sample) (int64, bool) {
				x, xok := a.rule(s)
				y, yok := b.rule(s)
				return x + y, xok && yok
			}}
	case 6: // and not
		a, b := c.tree(t, rng, depth-1), c.tree(t, rng, depth-1)
		if rng.IntN(3) == 0 {
			a = tree{"ALL", func(_ *testing.T, v *View) Iterator { return NewAll(v) }, func(*sample) (int64, bool) { return 0, true }}
		}
		return tree{"(" + a.text + " NOT " + b.text + ")",
			func(t *testing.T, v *View) Iterator {
				return NewAnd([]Iterator{a.build(t, v)}, []Iterator{b.build(t, v)})
			},
			func(s *sample) (int64, bool) {
				x, xok := a.rule(s)
				_, yok := b.rule(s)
				return x, xok && !yok
			}}
	}
}

func TestQueryTreesEqualExhaustiveEvaluation(t *testing.T) {
	for seed := range uint64(16) {
		rng := rand.New(rand.NewPCG(seed, 11))
		c := newCorpus(rng, []int{400, 1, 900}, 40)
		for range 8 {
			q := c.tree(t, rng, 3)
			k := []int{3, 50, 100000}[rng.IntN(3)]
			top := NewTop(k)
			for i := range c.segs {
				v := c.view(i)
				if err := Walk(t.Context(), v, q.build(t, v), i, top); err != nil {
					t.Fatal(err)
				}
			}
			compare(t, fmt.Sprintf("seed %d: %s k %d", seed, q.text, k), top.Hits(), c.exhaustive(k, q.rule))
		}
	}
}
