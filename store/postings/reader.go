package postings

// listReader reads lists one after the other, a block at a time.
type listReader struct {
	seg  *Segment
	src  Source
	from uint32 // skip blocks that end before this chunk
	err  error

	remaining uint32 // postings not read yet
	text      bool
	short     bool
	skips     []byte
	last      uint32
	post, pos uint64
	posLen    uint64 // size of the positions of the block, which end at pos
	page      []byte
	pageAt    int

	docs, tfs     [blockLen]uint32
	n             int
	positions     []byte // positions of the block; only set if want is set
	wantPositions bool   // whether to read positions
}

// open begins the list of an entry. A short list is decoded at once.
func (r *listReader) open(e entry) error {
	r.remaining, r.n, r.last = e.df, 0, noChunk
	r.text, r.short = IsText(e.term), e.df < blockLen
	if r.short {
		r.positions = e.positions
		if !readShort(e.short, noChunk, r.docs[:e.df], r.tfs[:e.df], uint32(r.seg.Chunks)) {
			r.err = ErrDamaged
		}
		return r.err
	}
	r.post, r.pos = e.list.post, e.list.pos
	r.skips, r.err = r.seg.region(r.src, Skip, e.list.skip, int(e.list.skipLen))
	return r.err
}

// block reads the next block into docs, tfs and positions.
func (r *listReader) block() bool {
	var base uint32
	for more := true; more; more = r.last < r.from {
		if r.remaining == 0 || r.err != nil {
			return false
		}
		r.n = int(min(r.remaining, blockLen))
		r.remaining -= uint32(r.n)
		if r.short {
			return true
		}
		base = r.last
		r.skip()
	}
	if r.text && r.wantPositions {
		if r.positions, r.err = r.seg.region(r.src, Pos, r.pos-r.posLen, int(r.posLen)); r.err != nil {
			return false
		}
	}
	if n := int(r.post / pageLen); r.page == nil || n != r.pageAt {
		if r.page, r.err = r.src.GetPage(r.seg.ID, Post, n); r.err != nil {
			return false
		}
		r.pageAt = n
	}
	b := r.page[min(r.post%pageLen, uint64(len(r.page))):]
	if r.n < blockLen {
		if !readShort(b, base, r.docs[:r.n], r.tfs[:r.n], uint32(r.seg.Chunks)) || r.docs[r.n-1] != r.last {
			r.err = ErrDamaged
		}
		return r.err == nil
	}
	if r.last >= uint32(r.seg.Chunks) {
		r.err = ErrDamaged
		return false
	}
	var tfs half
	if tfs, r.err = unpackBlock(b, base, r.last, &r.docs); r.err != nil {
		return false
	}
	tfs.read(&r.tfs)
	for i := range r.tfs {
		r.tfs[i]++
	}
	return true
}

// skip reads the location and the last chunk of the next block.
func (r *listReader) skip() {
	var d uint64
	d, r.skips = uvarint(r.skips)
	r.last += uint32(d)
	d, r.skips = uvarint(r.skips)
	r.post += d
	if !r.text {
		return
	}
	r.posLen, r.skips = uvarint(r.skips)
	r.pos += r.posLen
	d, r.skips = uvarint(r.skips)
	for range min(2*d, 512) {
		_, r.skips = uvarint(r.skips)
	}
}

// unpackBlock decodes the chunk numbers of a full block that begins after base and must end with
// last. It returns the encoded tfs.
func unpackBlock(b []byte, base, last uint32, docs *[blockLen]uint32) (tfs half, err error) {
	gaps, tfs, err := readBlock(b)
	if err != nil {
		return tfs, err
	}
	gaps.read(docs)
	next := uint64(base + 1) // does not overflow, even if the block is damaged
	for i, gap := range docs {
		next += uint64(gap)
		docs[i] = uint32(next)
		next++
	}
	if next != uint64(last)+1 {
		return tfs, ErrDamaged
	}
	return tfs, nil
}
