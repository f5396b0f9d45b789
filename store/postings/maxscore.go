package postings

import (
	"cmp"
	"context"
	"math/bits"
	"slices"
)

// WeightedTerm is a query term in one segment: its list, and idf times its weight.
type WeightedTerm struct {
	List   *List
	Weight float64
}

// windowLen is the number of chunks that are scored together. Their sums fit in the first-level
// cache.
const windowLen = 4096

// PartLen is the number of chunks of a segment that one goroutine searches.
const PartLen = 128 * windowLen

// Or offers to top every chunk of v, from from up to to, that holds one of the terms. from must be
// a multiple of windowLen. seg is the index of v among the segments searched.
//
// In each window of chunks, the terms are sorted by the greatest score they can add. Those with the
// least, which together cannot lift a chunk into the top, are only looked up for the candidates
// that other terms find. Blocks whose greatest score is too small are not read.
func Or(ctx context.Context, v *View, from, to uint32, terms []WeightedTerm, model *BM25, seg int, top *Top) error {
	m := &maxScore{v: v, seg: seg, top: top}
	for _, t := range terms {
		c, err := newCursor(v, t.List, t.Weight, model)
		if err != nil {
			return err
		}
		m.cursors = append(m.cursors, c)
	}
	m.order = make([]int, 0, len(terms))
	m.best = make([]int64, len(terms))
	to = min(to, uint32(v.Seg.Chunks))
	for lo := from; lo < to; lo += windowLen {
		if err := ctx.Err(); err != nil {
			return err
		}
		if m.window(lo, min(lo+windowLen, to)-1); v.err != nil {
			return v.err
		}
	}
	return nil
}

type maxScore struct {
	v       *View
	seg     int
	top     *Top
	cursors []*cursor
	order   []int   // cursors with postings in the window, by the greatest score they can add
	best    []int64 // greatest score that a cursor can add in the window

	seen [windowLen / 64]uint64
	sums [windowLen]int64
}

// window searches the chunks from lo to hi.
func (m *maxScore) window(lo, hi uint32) {
	accept := m.v.Accept
	if accept != nil && !accept.Any(lo, hi) {
		return
	}
	m.order = m.order[:0]
	var all int64
	for i, c := range m.cursors {
		m.best[i] = 0
		if !c.skipTo(lo) || c.blockFirst(c.block) > hi {
			continue
		}
		for b := c.block; b < c.l.blocks() && c.blockFirst(b) <= hi; b++ {
			m.best[i] = max(m.best[i], c.bound(b))
		}
		m.order = append(m.order, i)
		all += m.best[i]
	}
	if len(m.order) == 0 || all < m.top.minScore.Load() {
		return
	}
	id, err := m.v.Seg.ChunkID(m.v.Src, lo)
	if err != nil {
		m.v.fail(err)
		return
	}
	needed := m.top.threshold(id)
	if all < needed {
		return
	}
	slices.SortFunc(m.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(m.best[a], m.best[b]), a-b)
	})
	var restBound int64 // greatest score that the non-essential terms can add together
	nonEssential := 0
	for nonEssential < len(m.order) && restBound+m.best[m.order[nonEssential]] < needed {
		restBound += m.best[m.order[nonEssential]]
		nonEssential++
	}
	for _, i := range m.order[nonEssential:] {
		m.sum(m.cursors[i], lo, hi, needed-(all-m.best[i]))
	}
	m.collect(lo, nonEssential, restBound)
}

// sum adds up the scores of one cursor. It skips blocks whose greatest score is below worth.
func (m *maxScore) sum(c *cursor, lo, hi uint32, worth int64) {
	lengths := m.v.columnPage(&m.v.lengths, LengthColumn, lo) // a window never crosses a page
	accept := m.v.Accept
	for c.block < c.l.blocks() && c.blockFirst(c.block) <= hi {
		last := c.blockLast(c.block)
		if c.bound(c.block) >= worth && (accept == nil || accept.Any(max(lo, c.blockFirst(c.block)), min(hi, last))) {
			if !c.load() {
				return
			}
			c.loadTFs()
			docs, i := c.docs, c.i
			for i < len(docs) && docs[i] < lo {
				i++
			}
			tfs := c.tfs[:len(docs)]
			for ; i < len(docs) && docs[i] <= hi; i++ {
				d := docs[i]
				at := 2 * (d % ColumnLen)
				length := uint16(lengths[at]) | uint16(lengths[at+1])<<8
				d -= lo
				m.seen[d>>6] |= 1 << (d & 63)
				m.sums[d] += termScore(c.weight, c.model.saturation(tfs[i], length))
			}
			c.i = i
		}
		if last > hi {
			return
		}
		c.block++
	}
}

// collect offers the chunks that have a sum. It first adds the scores of the nonEssential
// terms with the least, which add at most restBound together.
func (m *maxScore) collect(lo uint32, nonEssential int, restBound int64) {
	accept := m.v.Accept
	for w := range m.seen {
		word := m.seen[w]
		if word == 0 {
			continue
		}
		m.seen[w] = 0
		for ; word != 0; word &= word - 1 {
			d := uint32(w)<<6 | uint32(bits.TrailingZeros64(word))
			score := m.sums[d]
			m.sums[d] = 0
			d += lo
			if score+restBound < m.top.minScore.Load() || !accept.Has(d) {
				continue
			}
			m.offer(d, score, nonEssential, restBound)
		}
	}
}

func (m *maxScore) offer(d uint32, score int64, nonEssential int, rest int64) {
	least := m.top.minScore.Load()
	for f := nonEssential - 1; f >= 0 && score+rest >= least; f-- {
		i := m.order[f]
		c := m.cursors[i]
		rest -= m.best[i]
		if !c.skipTo(d) || c.blockFirst(c.block) > d || score+rest+c.bound(c.block) < least {
			if c.block < c.l.blocks() && c.blockFirst(c.block) <= d {
				return // the block may hold it but would not lift it into the top
			}
			continue
		}
		if c.find(d) == d {
			score += c.score()
		}
	}
	if score < least {
		return
	}
	id, err := m.v.Seg.ChunkID(m.v.Src, d)
	if err != nil {
		m.v.fail(err)
		return
	}
	m.top.add(Hit{Score: score, ID: id, Chunk: d, Segment: m.seg})
}
