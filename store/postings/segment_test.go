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
			if len(asked) < 4*len(df)/2 {
				t.Errorf("only %d terms were asked for", len(asked))
			}
		})
	}
}
