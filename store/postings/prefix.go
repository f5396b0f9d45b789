package postings

import (
	"context"
	"math/bits"
	"slices"
)

// Union is the union of several lists of one segment, treated as one term. The tf of a chunk is the
// sum of its tfs in the lists.
type Union struct {
	chunks []uint32
	tfs    []uint16
}

// DF returns the number of chunks of the union that are in live.
func (u *Union) DF(live Bits) int64 {
	if live == nil {
		return int64(len(u.chunks))
	}
	n := int64(0)
	for _, d := range u.chunks {
		if live.Has(d) {
			n++
		}
	}
	return n
}

// Prefix returns the union of the lists of all text terms that begin with prefix. It needs two
// bytes per chunk of the segment while it runs; the result needs six per chunk of the union.
func (v *View) Prefix(ctx context.Context, prefix []byte) (*Union, error) {
	var tfs []uint16
	var found Bits
	n := 0
	r := listReader{seg: v.Seg, src: v.Src}
	err := v.eachTerm(ctx, prefix, func(d *dictReader) error {
		if !IsText(d.term) {
			return nil
		}
		if tfs == nil {
			tfs, found = make([]uint16, v.Seg.Chunks), NewBits(v.Seg.Chunks)
		}
		if err := r.open(d.entry); err != nil {
			return err
		}
		for r.block() {
			for i, c := range r.docs[:r.n] {
				if tfs[c] == 0 {
					found.Set(c)
					n++
				}
				tfs[c] = uint16(min(uint32(tfs[c])+r.tfs[i], 1<<16-1))
			}
		}
		return r.err
	})
	if err != nil {
		return nil, err
	}
	u := &Union{chunks: make([]uint32, 0, n), tfs: make([]uint16, 0, n)}
	for i, word := range found {
		for ; word != 0; word &= word - 1 {
			c := 64*i + bits.TrailingZeros64(word)
			u.chunks = append(u.chunks, uint32(c))
			u.tfs = append(u.tfs, tfs[c])
		}
	}
	return u, nil
}

// NewUnion returns an iterator over the chunks of a union.
func NewUnion(v *View, u *Union, weight float64, model *BM25) Iterator {
	return &unionIterator{v: v, u: u, weight: weight, model: model}
}

type unionIterator struct {
	v      *View
	u      *Union
	weight float64
	model  *BM25
	i      int
}

func (u *unionIterator) next(target uint32) uint32 {
	step := 1
	for u.i+step < len(u.u.chunks) && u.u.chunks[u.i+step] < target {
		u.i += step
		step *= 2
	}
	rest := u.u.chunks[u.i:]
	n, _ := slices.BinarySearch(rest[:min(len(rest), step+1)], target)
	if u.i += n; u.i >= len(u.u.chunks) {
		return noChunk
	}
	return u.u.chunks[u.i]
}

func (u *unionIterator) score() int64 {
	return termScore(u.weight, u.model.saturation(uint32(u.u.tfs[u.i]), u.v.length(u.u.chunks[u.i])))
}
func (u *unionIterator) cost() int { return len(u.u.chunks) }
