package postings

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// find finds each term of a segment with its df, and none that differs by a letter.
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
			for term := range asked {
				e, found, err := seg.find(c.mem, []byte(term))
				if err != nil || found != (df[term] > 0) || found && (e.df != df[term] || string(e.term) != term) {
					t.Errorf("%q is found %v (%d, %q), %v; %d chunks have it", term, found, e.df, e.term, err, df[term])
				}
			}
			if len(asked) < 2*len(df) {
				t.Errorf("only %d terms were asked for", len(asked))
			}
		})
	}
}

// On a damaged block find comes to an end, and where the entries can be read and are in
// order it finds what reading all of them does.
func FuzzFind(f *testing.F) {
	whole := newMemory(1)
	whole.write(1, samples(rand.New(rand.NewPCG(8, 8)), 40, 60, 0))
	f.Add(whole.pages[fmt.Sprint(1, Dict, 0)], "w7")
	f.Add([]byte{0, 2, 'a', 'b', 1, 0, 0, 3, 1, 'c', 1, 0, 0}, "abc")
	f.Add([]byte{0, 1, 'a', 200, 1, 1, 1, 1, 1}, "a")
	f.Fuzz(func(t *testing.T, block []byte, term string) {
		m := newMemory(1)
		m.pages[fmt.Sprint(1, Dict, 0)] = block
		seg := &Segment{ID: 1, Chunks: 1 << 20, first: []string{""}}
		e, found, err := seg.find(m, []byte(term))
		d, before, want := dictReader{seg: seg, src: m}, "", false
		for n := 0; ; n++ {
			ok, failed := d.advance()
			if failed != nil || ok && n > 0 && string(d.term) <= before {
				return // what follows is not known
			}
			if !ok {
				break
			}
			before = string(d.term)
			want = want || before == term
		}
		if err != nil || found != want || found && string(e.term) != term {
			t.Errorf("%q is found %v, %v; want %v", term, found, err, want)
		}
	})
}
