package postings

import (
	"cmp"
	"math"
)

// noChunk is a chunk number greater than any in a segment.
const noChunk = math.MaxUint32

// Bits is a set of chunks, one bit per chunk. A nil Bits contains every chunk.
type Bits []uint64

// NewBits returns an empty set for n chunks.
func NewBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether chunk i is in the set.
func (b Bits) Has(i uint32) bool { return b == nil || b[i>>6]&(1<<(i&63)) != 0 }

// Set adds chunk i.
func (b Bits) Set(i uint32) { b[i>>6] |= 1 << (i & 63) }

// Clear removes chunk i.
func (b Bits) Clear(i uint32) { b[i>>6] &^= 1 << (i & 63) }

// Keep removes the chunks that other does not have.
func (b Bits) Keep(other Bits) {
	for i := range b {
		b[i] &= other[i]
	}
}

// Remove removes the chunks of other.
func (b Bits) Remove(other Bits) {
	for i := range b {
		b[i] &^= other[i]
	}
}

// Add adds the chunks of other.
func (b Bits) Add(other Bits) {
	for i := range b {
		b[i] |= other[i]
	}
}

// Any reports whether the set holds a chunk from lo to hi.
func (b Bits) Any(lo, hi uint32) bool {
	for i := lo >> 6; i <= hi>>6; i++ {
		w := b[i]
		if i == lo>>6 {
			w &= ^uint64(0) << (lo & 63)
		}
		if i == hi>>6 {
			w &= ^uint64(0) >> (63 - hi&63)
		}
		if w != 0 {
			return true
		}
	}
	return false
}

// View is a segment as one search sees it: with its source of pages and the chunks that count. It
// is not safe for concurrent use.
type View struct {
	Seg    *Segment
	Src    Source
	Accept Bits // nil means all

	err          error
	lengths, ids [][]byte
}

// fail records the first error. A cursor that fails is at its end.
func (v *View) fail(err error) { v.err = cmp.Or(v.err, err) }

// columnPage returns the page of a column that holds the value of chunk i. pages holds the pages
// that were read before. ColumnLen values are in a page.
func (v *View) columnPage(pages *[][]byte, c ColumnSpec, i uint32) []byte {
	n := int(i / ColumnLen)
	if *pages == nil {
		*pages = make([][]byte, (v.Seg.Chunks+ColumnLen-1)/ColumnLen)
	}
	if (*pages)[n] == nil {
		page, err := v.Src.GetPage(v.Seg.ID, c.Stream, n)
		if want := c.Width * min(ColumnLen, v.Seg.Chunks-n*ColumnLen); err == nil && len(page) < want {
			err = ErrDamaged
		}
		if err != nil {
			v.fail(err)
			page = make([]byte, c.Width*ColumnLen)
		}
		(*pages)[n] = page
	}
	return (*pages)[n]
}

func (v *View) length(i uint32) uint16 {
	page, at := v.columnPage(&v.lengths, LengthColumn, i), 2*(i%ColumnLen)
	return uint16(page[at]) | uint16(page[at+1])<<8
}

// cursor iterates over one list.
type cursor struct {
	v      *View
	l      *List
	weight float64 // idf times the query's weight
	model  *BM25
	bounds *bounds

	block  int // current block; blocks() at the end
	loaded int // block whose postings are in docs; -1 if none
	docs   []uint32
	i      int // index in docs

	page   []byte // page of Post
	pageAt int

	tfsOf  int // block whose tfs are in tfs; -1 if none
	tfs    []uint32
	packed half // encoded tfs of the loaded block

	posOf  int // block and index of the posting whose positions begin at pos
	posAt  int
	pos    []byte
	buf    [blockLen]uint32
	tfsBuf [blockLen]uint32
}

// newCursor returns a cursor before the first posting.
func newCursor(v *View, l *List, weight float64, model *BM25) (*cursor, error) {
	c := &cursor{v: v, l: l, weight: weight, model: model, loaded: -1, tfsOf: -1, posOf: -1}
	var err error
	c.bounds, err = l.boundsFor(v, model)
	return c, err
}

// blockLast returns the last chunk of a block.
func (c *cursor) blockLast(b int) uint32 {
	if c.l.last == nil {
		return c.l.docs[len(c.l.docs)-1]
	}
	return c.l.last[b]
}

// blockFirst returns a lower bound of the first chunk of a block.
func (c *cursor) blockFirst(b int) uint32 {
	switch {
	case c.l.last == nil:
		return c.l.docs[0]
	case b == 0:
		return 0
	}
	return c.l.last[b-1] + 1
}

// skipTo advances to the block that may hold target and reports whether there is one. It does not
// read the block.
func (c *cursor) skipTo(target uint32) bool {
	if c.l.last == nil {
		if c.block == 0 && c.l.docs[len(c.l.docs)-1] < target {
			c.block = 1
		}
		return c.block == 0
	}
	last := c.l.last
	step := 1
	for c.block < len(last) && last[c.block] < target {
		// Gallop: most moves are short, some are very long.
		if next := c.block + step; next < len(last) && last[next] < target {
			c.block, step = next, 2*step
		} else {
			c.block++
			step = 1
		}
	}
	return c.block < len(last)
}

// load reads the chunk numbers of the current block.
func (c *cursor) load() bool {
	if c.loaded == c.block {
		return true
	}
	c.loaded, c.i = c.block, 0
	if c.l.last == nil {
		c.docs, c.tfs, c.tfsOf = c.l.docs, c.l.tfs, 0
		return true
	}
	at := c.l.post[c.block]
	if n := int(at / pageLen); c.page == nil || n != c.pageAt {
		page, err := c.v.Src.GetPage(c.v.Seg.ID, Post, n)
		if err != nil {
			c.v.fail(err)
			return false
		}
		c.page, c.pageAt = page, n
	}
	b, base := c.page[min(at%pageLen, uint64(len(c.page))):], uint32(noChunk)
	if c.block > 0 {
		base = c.l.last[c.block-1]
	}
	n := int(c.l.DF) - c.block*blockLen
	if n < blockLen {
		c.docs, c.tfs, c.tfsOf = c.buf[:n], c.tfsBuf[:n], c.block
		if !readShort(b, base, c.docs, c.tfs, uint32(c.v.Seg.Chunks)) || c.docs[n-1] != c.l.last[c.block] {
			c.v.fail(ErrDamaged)
			return false
		}
		return true
	}
	var err error
	if c.packed, err = unpackBlock(b, base, c.l.last[c.block], &c.buf); err != nil {
		c.v.fail(err)
		return false
	}
	c.docs, c.tfsOf = c.buf[:], -1
	return true
}

// loadTFs decodes the tfs of the loaded block.
func (c *cursor) loadTFs() {
	if c.tfsOf == c.loaded {
		return
	}
	c.packed.read(&c.tfsBuf)
	for i := range c.tfsBuf {
		c.tfsBuf[i]++
	}
	c.tfs, c.tfsOf = c.tfsBuf[:], c.loaded
}

// find advances to the first chunk that is at least target and returns it.
func (c *cursor) find(target uint32) uint32 {
	if !c.skipTo(target) || !c.load() {
		return noChunk
	}
	docs, i := c.docs, c.i
	for docs[i] < target { // the last one of the block is at least target
		i++
	}
	c.i = i
	return docs[i]
}

// tf returns the tf of the current posting.
func (c *cursor) tf() uint32 {
	c.loadTFs()
	return c.tfs[c.i]
}

// score returns the score of the current posting.
func (c *cursor) score() int64 {
	return termScore(c.weight, c.model.saturation(c.tf(), c.v.length(c.docs[c.i])))
}

// bound returns the greatest score of a block.
func (c *cursor) bound(b int) int64 { return termScore(c.weight, c.bounds.block[b]) }

// positions appends the positions of the current posting.
func (c *cursor) positions(dst []uint32) []uint32 {
	c.loadTFs()
	if c.posOf != c.loaded || c.posAt > c.i {
		c.posOf, c.posAt = c.loaded, 0
		if c.l.last == nil {
			c.pos = c.l.positions
		} else {
			var err error
			from, to := c.l.pos[c.loaded], c.l.pos[c.loaded+1]
			if c.pos, err = c.v.Seg.region(c.v.Src, Pos, from, int(to-from)); err != nil {
				c.v.fail(err)
				return dst
			}
		}
	}
	for ; c.posAt < c.i; c.posAt++ {
		for range c.tfs[c.posAt] {
			_, c.pos = readPos(c.pos)
		}
	}
	var at uint32
	for range c.tfs[c.i] {
		var d uint32
		d, c.pos = readPos(c.pos)
		at += d
		dst = append(dst, at)
	}
	c.posAt++
	return dst
}
