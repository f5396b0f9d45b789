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
	for i := range candidates {
		c := &candidates[i]
		at := wordindex.Key{PMID: c.pmid(), Ordinal: c.ordinal}
		loose[at] = loose[at] || c.leaf.loose
		pmids[i] = at.PMID
	}
	slices.Sort(pmids)
	hits := make([]Hit, 0, len(candidates))
	err := n.scores(slices.Compact(pmids), func(h Hit) {
		at := wordindex.Key{PMID: h.PMID, Ordinal: uint16(h.Ordinal)}
		if _, ok := loose[at]; ok {
			hits = append(hits, h)
			delete(loose, at)
		}
	})
	if err != nil {
		return nil, err
	}
	for _, l := range loose { // what is left in a partition may have been removed since
		if l {
			return nil, errVectorMissing
		}
	}
	return greatest(hits, k), nil
}

// compareAll computes the dot products of all chunks that pass.
func (n *near) compareAll(k int) ([]Hit, error) {
	var pmids []record.PMID
	for i, word := range n.pass {
		for ; word != 0; word &= word - 1 {
			pmids = append(pmids, record.PMID(64*i+bits.TrailingZeros64(word)))
		}
	}
	hits := []Hit{}
	err := n.scores(pmids, func(h Hit) { hits = append(hits, h) })
	return greatest(hits, k), err
}

// scores gives f the dot products of the vectors of documents.
func (n *near) scores(pmids []record.PMID, f func(Hit)) error {
	stored := n.s.rounding(n.model)
	room := make([]byte, 0, len(pmids)*stored.ByteSize())
	return n.model.rows(n.r, pmids, func(pmid record.PMID, row []byte) error {
		for ordinal, b := range stored.each(row) {
			room = append(room, b...)
			f(Hit{PMID: pmid, Ordinal: int(ordinal), Score: float64(n.query.Dot(b)), Vector: room[len(room)-len(b):]})
		}
		return n.ctx.Err()
	})
}

func greatest(hits []Hit, k int) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return hits[:min(k, len(hits))]
}
