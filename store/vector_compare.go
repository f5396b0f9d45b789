package store

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"sync"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
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
	found, err := n.products(slices.Compact(pmids), func(at wordindex.Key) bool {
		_, ok := loose[at]
		return ok
	})
	for _, p := range found.list {
		delete(loose, p.Key)
	}
	for _, l := range loose { // what is left in a partition may have been removed since
		if l && err == nil {
			err = errVectorMissing
		}
	}
	return found.greatest(k), err
}

// compareAll computes the dot products of all chunks that pass.
func (n *near) compareAll(k int) ([]Hit, error) {
	var pmids []record.PMID
	for i, word := range n.pass {
		for ; word != 0; word &= word - 1 {
			pmids = append(pmids, record.PMID(64*i+bits.TrailingZeros64(word)))
		}
	}
	found, err := n.products(pmids, func(wordindex.Key) bool { return true })
	return found.greatest(k), err
}

// products are the dot products of the query and the vectors of chunks.
type products struct {
	size  int // of a vector as it is stored
	rooms [][]byte
	list  []product
}

// product is small, as many are sorted.
type product struct {
	wordindex.Key
	score float32
	room  uint32 // where the vector is
	from  int    // in the room
}

// products computes the dot products with the chunks of documents that are wanted.
func (n *near) products(pmids []record.PMID, wanted func(wordindex.Key) bool) (products, error) {
	const few, portion = 1024, 256
	portions := [][]record.PMID{pmids}
	if len(pmids) > few {
		portions = slices.Collect(slices.Chunk(pmids, portion))
	}
	stored := n.s.rounding(n.model)
	all := products{size: stored.ByteSize(), rooms: make([][]byte, len(portions))}
	var mu sync.Mutex
	err := n.share(len(portions), func(r *rows.Conn, part int) error {
		list, room := make([]product, 0, len(portions[part])), make([]byte, 0, len(portions[part])*all.size)
		err := n.model.rows(r, portions[part], func(pmid record.PMID, row []byte) error {
			for ordinal, b := range stored.each(row) {
				if at := (wordindex.Key{PMID: pmid, Ordinal: ordinal}); wanted(at) {
					list = append(list, product{at, n.query.Dot(b), uint32(part), len(room)})
					room = append(room, b...)
				}
			}
			return nil
		})
		mu.Lock()
		defer mu.Unlock()
		all.rooms[part], all.list = room, append(all.list, list...)
		return err
	})
	return all, err
}

// greatest returns the chunks with the k greatest products.
func (p products) greatest(k int) []Hit {
	slices.SortFunc(p.list, func(a, b product) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	hits := make([]Hit, min(k, len(p.list)))
	for i := range hits {
		c := p.list[i]
		hits[i] = Hit{PMID: c.PMID, Ordinal: int(c.Ordinal), Score: float64(c.score), Vector: p.rooms[c.room][c.from:][:p.size]}
	}
	return hits
}
