package store

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/wordindex"
)

var errVectorMissing = fmt.Errorf("a vector is missing: %w", postings.ErrDamaged)

// compare computes the dot products of candidates and returns the k greatest.
func (n *near) compare(candidates []candidate, k int) ([]Hit, error) {
	loose := make(map[wordindex.Key]bool, len(candidates)) // or in a partition
	pmids := make([]record.PMID, len(candidates))
	for i, c := range candidates {
		row := &n.scanned[c.leaf]
		at := wordindex.Key{PMID: c.pmid(), Ordinal: row.codes.ordinals[c.at]}
		loose[at] = loose[at] || row.loose
		pmids[i] = at.PMID
	}
	slices.Sort(pmids)
	hits, err := n.greatest(slices.Compact(pmids), k, func(at wordindex.Key) bool {
		_, ok := loose[at]
		delete(loose, at)
		return ok
	})
	for _, l := range loose { // what is left in a partition may have been removed since
		if l && err == nil {
			err = errVectorMissing
		}
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
	return n.greatest(pmids, k, func(wordindex.Key) bool { return true })
}

// greatest returns the chunks of documents with the k greatest dot products, of the ones
// that are wanted.
func (n *near) greatest(pmids []record.PMID, k int, wanted func(wordindex.Key) bool) ([]Hit, error) {
	type scored struct { // small, to be sorted
		wordindex.Key
		score float32
		from  int // in room
	}
	stored := n.s.rounding(n.model)
	list, room := make([]scored, 0, len(pmids)), make([]byte, 0, len(pmids)*stored.ByteSize())
	err := n.model.rows(n.r, pmids, func(pmid record.PMID, row []byte) error {
		for ordinal, b := range stored.each(row) {
			if at := (wordindex.Key{PMID: pmid, Ordinal: ordinal}); wanted(at) {
				list = append(list, scored{at, n.query.Dot(b), len(room)})
				room = append(room, b...)
			}
		}
		return n.ctx.Err()
	})
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	hits := make([]Hit, min(k, len(list)))
	for i := range hits {
		c := list[i]
		hits[i] = Hit{PMID: c.PMID, Ordinal: int(c.Ordinal), Score: float64(c.score), Vector: room[c.from:][:stored.ByteSize()]}
	}
	return hits, err
}
