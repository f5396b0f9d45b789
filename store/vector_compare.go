package store

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/postings"
)

var errVectorMissing = fmt.Errorf("a vector is missing: %w", postings.ErrDamaged)

// place is a chunk: its PMID, then its ordinal.
type place uint64

func placeOf(pmid record.PMID, ordinal uint16) place { return place(pmid)<<16 | place(ordinal) }
func (p place) pmid() record.PMID                    { return record.PMID(p >> 16) }

// compare computes the dot products of candidates and returns the k greatest.
func (n *near) compare(candidates []candidate, k int) ([]Hit, error) {
	type wanted struct {
		place
		loose, found bool // loose: in no partition
	}
	list, pmids := make([]wanted, len(candidates)), make([]record.PMID, len(candidates))
	for i, c := range candidates {
		l := &n.scanned[c.leaf]
		list[i] = wanted{place: placeOf(c.pmid(), l.ordinals[c.at]), loose: l.loose}
	}
	slices.SortFunc(list, func(a, b wanted) int { return cmp.Compare(a.place, b.place) })
	for i := range list {
		pmids[i] = list[i].pmid()
	}
	hits, err := n.greatest(slices.Compact(pmids), k, func(at place) bool {
		i, ok := slices.BinarySearchFunc(list, at, func(w wanted, at place) int { return cmp.Compare(w.place, at) })
		ok = ok && !list[i].found
		for ; i < len(list) && list[i].place == at; i++ { // or in a partition as well
			list[i].found = true
		}
		return ok
	})
	// What is left in a partition may have been removed since.
	if err == nil && slices.ContainsFunc(list, func(w wanted) bool { return w.loose && !w.found }) {
		err = errVectorMissing
	}
	return hits, err
}

// compareAll computes the dot products of all chunks that pass.
func (n *near) compareAll(k int) ([]Hit, error) {
	var pmids []record.PMID
	for i, word := range n.pass {
		for ; word != 0; word &= word - 1 {
			pmids = append(pmids, record.PMID(64*i+bits.TrailingZeros64(word)))
		}
	}
	return n.greatest(pmids, k, func(place) bool { return true })
}

// greatest returns the chunks of documents with the k greatest dot products, of the ones
// that are wanted.
func (n *near) greatest(pmids []record.PMID, k int, want func(place) bool) ([]Hit, error) {
	type scored struct {
		place
		score float32
		room  uint32
	}
	stored := n.s.rounding(n.model)
	list, room := make([]scored, 0, len(pmids)), make([]byte, 0, len(pmids)*stored.ByteSize())
	err := n.model.rows(n.r, pmids, func(pmid record.PMID, row []byte) error {
		for ordinal, b := range stored.each(row) {
			if at := placeOf(pmid, ordinal); want(at) {
				list = append(list, scored{at, n.query.Dot(b), uint32(len(room))})
				room = append(room, b...)
			}
		}
		return n.ctx.Err()
	})
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.place, b.place))
	})
	list = list[:min(k, len(list))]
	hits := make([]Hit, len(list))
	for i, c := range list {
		vector := room[c.room:][:stored.ByteSize()]
		hits[i] = Hit{PMID: c.pmid(), Ordinal: int(uint16(c.place)), Score: float64(c.score), Vector: vector}
	}
	return hits, err
}
