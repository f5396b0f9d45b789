package store

import (
	"cmp"
	"math"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/vectors"
)

// candidate is a chunk chosen by its code. Searches offer and move many of them, so it is small and
// contains no pointers.
type candidate struct {
	rank uint64 // see rankOf
	leaf uint32 // index in near.rows
	at   uint32 // index in that leaf
}

// rankOf returns a sort key that grows with the estimate and, for equal estimates, with falling
// PMIDs.
func rankOf(estimate float32, pmid record.PMID) uint64 {
	return uint64(vectors.Sortable(estimate))<<32 | uint64(^uint32(pmid))
}

// estimate returns the estimate passed to rankOf. It loses the sign of zero.
func (c candidate) estimate() float32 {
	b := uint32(c.rank >> 32)
	if b>>31 == 1 {
		return math.Float32frombits(b &^ (1 << 31))
	}
	return math.Float32frombits(^b)
}

func (c *candidate) pmid() record.PMID { return record.PMID(^uint32(c.rank)) }

// closer reports whether a sorts before b, by estimate and PMID. Chunks of one document with equal
// estimates keep the order in which they are scanned.
func closer(a, b *candidate) bool {
	if a.rank != b.rank {
		return a.rank > b.rank
	}
	return a.leaf < b.leaf || a.leaf == b.leaf && a.at < b.at
}

// refine keeps the limit candidates with the greatest fine estimates.
func (n *vectorSearch) refine(candidates []candidate, limit int) []candidate {
	if len(candidates) <= limit {
		return candidates
	}
	for i := range candidates {
		c, l := &candidates[i], &n.rows[candidates[i].leaf]
		c.rank = rankOf(l.base+n.query.Refine(l.codes.code(int(c.at))), c.pmid())
	}
	selectClosest(candidates, limit)
	return candidates[:limit]
}

// topCandidates keeps the closest candidates.
type topCandidates struct {
	limit       int
	list        []candidate
	minEstimate float32 // smaller estimates need not be offered
	seen        int
}

func newTopCandidates(limit int, minEstimate float32) *topCandidates {
	return &topCandidates{limit: limit, list: make([]candidate, 0, min(2*limit, 4*nearCoarse)),
		minEstimate: minEstimate}
}

func (c *topCandidates) offer(x candidate) {
	if c.list = append(c.list, x); len(c.list) >= 2*c.limit {
		c.cut()
	}
}

// cut drops all but the closest limit candidates.
func (c *topCandidates) cut() {
	if len(c.list) <= c.limit {
		return
	}
	selectClosest(c.list, c.limit)
	c.list = c.list[:c.limit]
	c.minEstimate = slices.MinFunc(c.list, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) }).estimate()
}

// selectClosest moves the n closest candidates to the front, unsorted (Hoare's quickselect).
func selectClosest(list []candidate, n int) {
	for len(list) > 1 {
		pivot := list[len(list)/2]
		i, j := 0, len(list)-1
		for i <= j {
			for closer(&list[i], &pivot) {
				i++
			}
			for closer(&pivot, &list[j]) {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			list = list[:j+1]
		case n > i:
			list, n = list[i:], n-i
		default:
			return
		}
	}
}
