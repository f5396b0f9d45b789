package store

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"biomcp/entrez/record"
)

// Candidates are kept as if all had been sorted by estimate, PMID and ordinal, in
// whatever order they come.
func TestClosestCandidatesAreKept(t *testing.T) {
	type chunk struct {
		estimate float32
		pmid     record.PMID
		ordinal  uint16
	}
	rng := rand.New(rand.NewPCG(8, 1))
	for _, limit := range []int{1, 7, 50} {
		t.Run(fmt.Sprint(limit), func(t *testing.T) {
			var all []chunk
			for i := range 1000 {
				c := chunk{[]float32{0, float32(math.Copysign(0, -1)), rng.Float32() - 0.5, float32(rng.IntN(5)-2) / 8}[rng.IntN(4)], record.PMID(rng.Uint32()), uint16(i)}
				if i%3 == 2 { // another chunk of the document before, as near
					c.estimate, c.pmid = all[i-1].estimate, all[i-1].pmid
				}
				all = append(all, c)
			}
			best := newChosen(limit, float32(math.Inf(-1)))
			for _, c := range all {
				if c.estimate >= best.least {
					best.offer(newCandidate(c.estimate, 0, &leaf{pmids: []record.PMID{c.pmid}, ordinals: []uint16{c.ordinal}}, 0))
				}
			}
			best.cut()
			slices.SortFunc(best.list, func(a, b candidate) int {
				if closer(&a, &b) {
					return -1
				}
				return 1
			})
			slices.SortFunc(all, func(a, b chunk) int {
				return cmp.Or(cmp.Compare(b.estimate, a.estimate), cmp.Compare(a.pmid, b.pmid), cmp.Compare(a.ordinal, b.ordinal))
			})
			if len(best.list) != limit {
				t.Fatalf("%d are kept, want %d", len(best.list), limit)
			}
			for i, c := range best.list {
				if want := all[i]; c.pmid() != want.pmid || c.ordinal != want.ordinal || c.estimate() != want.estimate {
					t.Errorf("limit %d, place %d: %v %d/%d, want %v", limit, i, c.estimate(), c.pmid(), c.ordinal, want)
				}
			}
		})
	}
}
