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

// Candidates offered in any order are kept as if all had been sorted by estimate, PMID and ordinal.
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
				if i%3 == 2 { // another chunk of the previous document with the same estimate
					c.estimate, c.pmid = all[i-1].estimate, all[i-1].pmid
				}
				all = append(all, c)
			}
			best := newTopCandidates(limit, float32(math.Inf(-1)))
			for _, i := range rng.Perm(len(all)) {
				if c := all[i]; c.estimate >= best.minEstimate {
					best.offer(candidate{rankOf(c.estimate, c.pmid), uint32(c.ordinal) / 8, uint32(c.ordinal) % 8})
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
				if got := (chunk{c.estimate(), c.pmid(), uint16(8*c.leaf + c.at)}); got != all[i] {
					t.Errorf("limit %d, place %d: %v, want %v", limit, i, got, all[i])
				}
			}
		})
	}
}
