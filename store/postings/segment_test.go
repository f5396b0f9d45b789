package postings

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// find finds each term of a segment with its df, and no term that differs by one letter.
func TestFindEqualsWhatTheChunksHave(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	c := newCorpus(rng, []int{1, 300, 600}, 4000)
	for i, seg := range c.segs {
		t.Run(fmt.Sprint(seg.Chunks), func(t *testing.T) {
			df := map[string]uint32{}
			for _, s := range c.chunks[i] {
				for term, n := range s.counts {
					if n > 0 {
						df[term]++
					}
				}
			}
			asked := map[string]bool{"": true, "a": true, "w": true, "zz": true}
			for term := range df {
				at := rng.IntN(len(term))
				asked[term], asked[term[:at]], asked[term+"0"], asked[term[:at]+":"+term[at+1:]] = true, true, true, true
			}
			first, _ := seg.index(c.mem)
			blocks := &reads{c.mem, map[Stream]int{}}
			ascending := seg.Finder(blocks)
			for _, term := range slices.Sorted(maps.Keys(asked)) {
				for name, one := range map[string]*Finder{"alone": seg.Finder(c.mem), "in order": ascending} {
					found, err := one.find([]byte(term))
					if err != nil || found != (df[term] > 0) || found && (one.df != df[term] || string(one.term) != term) {
						t.Errorf("%s: %q is found %v (%d, %q), %v; %d chunks have it", name, term, found, one.df, one.term, err, df[term])
					}
				}
			}
			if blocks.of[Dict] > len(first) {
				t.Errorf("of %d blocks %d were read", len(first), blocks.of[Dict])
			}
			if len(asked) < 2*len(df) {
				t.Errorf("only %d terms were asked for", len(asked))
			}
		})
	}
}

// reads counts the pages of each stream that are read.
type reads struct {
	Source
	of map[Stream]int
}

func (r *reads) GetPage(segment int64, s Stream, n int) ([]byte, error) {
	r.of[s]++
	return r.Source.GetPage(segment, s, n)
}

// On a damaged block find terminates. If the entries can be read and are in order, it finds the
// same as reading all of them, whatever was looked up before.
func FuzzFind(f *testing.F) {
	whole := newMemory(1)
	whole.write(1, samples(rand.New(rand.NewPCG(8, 8)), 40, 60, 0))
	f.Add(whole.pages[fmt.Sprint(1, Dict, 0)], "w6", "w7")
	f.Add([]byte{0, 2, 'a', 'b', 1, 0, 0, 3, 1, 'c', 1, 0, 0}, "ab", "abc")
	f.Add([]byte{0, 1, 'a', 200, 1, 1, 1, 1, 1}, "b", "a")
	f.Fuzz(func(t *testing.T, block []byte, earlier, term string) {
		m := newMemory(1)
		m.pages[fmt.Sprint(1, Dict, 0)] = block
		seg := &Segment{ID: 1, Chunks: 1 << 20, first: []string{""}}
		one := seg.Finder(m)
		one.find([]byte(earlier))
		found, err := one.find([]byte(term))
		d, before, want := dictReader{seg: seg, src: m}, "", false
		for n := 0; ; n++ {
			ok, failed := d.advance()
			if failed != nil || ok && n > 0 && string(d.term) <= before {
				return // the rest is undefined
			}
			if !ok {
				break
			}
			before = string(d.term)
			want = want || before == term
		}
		if err != nil || found != want || found && string(one.term) != term {
			t.Errorf("%q is found %v, %v; want %v", term, found, err, want)
		}
	})
}
