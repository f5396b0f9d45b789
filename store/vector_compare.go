package store

import (
	"cmp"
	"database/sql"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/wordindex"
)

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
			return nil, fmt.Errorf("a vector is missing: %w", postings.ErrDamaged)
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

// scores gives f the dot products of the vectors of documents. One statement reads them
// all: in that of a search by meaning, 600, one each takes twice the time.
func (n *near) scores(pmids []record.PMID, f func(Hit)) error {
	list := []byte{'['}
	for i, pmid := range pmids {
		if i > 0 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, n.model.rowID(pmid), 10)
	}
	list = append(list, ']')
	stored := n.s.rounding(n.model)
	room := make([]byte, 0, len(pmids)*stored.ByteSize())
	// A cross join keeps the order of the tables.
	const query = "SELECT v.id, v.sum, v.data FROM json_each(?) j CROSS JOIN vector v ON v.id=j.value"
	return n.r.Each(query, []any{string(list)}, func(scan func(...any) error) error {
		var id, sum int64
		var row sql.RawBytes
		if err := scan(&id, &sum, &row); err != nil {
			return err
		}
		if err := vectorRows.Check(sum, id, row); err != nil {
			return err
		}
		for ordinal, b := range stored.each(row) {
			room = append(room, b...)
			f(Hit{PMID: record.PMID(uint32(id)), Ordinal: int(ordinal), Score: float64(n.query.Dot(b)), Vector: room[len(room)-len(b):]})
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
