package postings

import (
	"encoding/binary"
	"math"
	"slices"
)

// Stream identifies one of the page sequences of a segment. The streams from Columns on belong to
// the caller.
//
// Dict holds blocks of about 16 KiB, one per page. An entry is the length of the prefix that it
// shares with the previous entry (0 at the start of a block), the length of the remaining bytes,
// these bytes, and the number n of chunks. If n < 128, the length of the postings, the postings,
// the length of the positions and the positions follow. Otherwise the offsets of the list in Post,
// Skip (with its length there) and Pos follow. Numbers are unsigned varints unless stated
// otherwise. DictIndex holds the first term of each block.
//
// Post holds pages of at most 64 KiB, each ending in 8 zero bytes; blocks never cross pages. A
// block of 128 postings is two bytes, the bit widths of the two halves that follow, bit-packed from
// the low bit up: the distances of consecutive chunk numbers minus 1, and the tfs minus 1. If it
// makes the block shorter, the high bits of a few wider values follow the halves (pack.go). A last
// block with fewer postings is encoded as in Dict: the distance minus 1, shifted left by one, with
// the low bit set if tf is 1, and otherwise followed by tf.
//
// Skip holds, for each block, the distance of its last chunk from that of the previous block, the
// distance of its offset, the length of its positions, and the competitive pairs: those (tf,
// length) of its chunks for which no other chunk has both a greater tf and a smaller length. For
// any average length, the best score of the block is the score of one of them.
//
// Pos holds tf positions for each posting, each as the distance from the previous one
// (position.go). Most take one byte in an abstract of usual length. Terms that begin with a byte
// below 0x20 are properties of the document and have no positions and no pairs.
//
// Lengths and IDs hold two and four bytes per chunk, little-endian, 16,384 chunks per page.
type Stream int

const (
	Dict Stream = iota
	DictIndex
	Post
	Skip
	Pos
	Lengths
	IDs
	Columns
)

// Sink receives the pages of a segment. data is only valid during the call.
type Sink interface {
	PutPage(stream Stream, n int, data []byte) error
}

// Writer writes one segment.
type Writer struct {
	sink    Sink
	lengths []uint16
	ids     []uint32
	bytes   int64
	err     error

	dict, index     []byte
	last            []byte // previous term, for the shared prefix
	nDict, nIndex   int
	post, skip, pos pageBuffer

	term      []byte
	text      bool // whether the term has positions, so is not a property
	df        uint32
	prev      uint32 // last chunk of the full blocks
	docs, tfs [blockLen]uint32
	n         int    // number of postings in docs and tfs
	positions []byte // positions of the postings in docs
	list      listAt
	prevPost  uint64
	skips     []byte
}

// listAt holds the offsets of a list of 128 postings or more.
type listAt struct{ post, skip, skipLen, pos uint64 }

const dictBlock = 16 << 10

// NewWriter returns a Writer of a segment of chunks with the given lengths, which scores depend on,
// and ids, which break ties between equal scores. ids must ascend; the chunks of one document have
// the same ID.
func NewWriter(sink Sink, lengths []uint16, ids []uint32) *Writer {
	w := &Writer{sink: sink, lengths: lengths, ids: ids}
	w.post.stream, w.skip.stream, w.pos.stream = Post, Skip, Pos
	return w
}

// Begin starts the list of a term. Terms must ascend in byte order.
func (w *Writer) Begin(term []byte) {
	w.term = append(w.term[:0], term...)
	w.text = IsText(term)
	w.df, w.n, w.prev = 0, 0, math.MaxUint32
	w.positions, w.skips = w.positions[:0], w.skips[:0]
}

// IsText reports whether term is a term of the text rather than a property of the document.
func IsText[T string | []byte](term T) bool { return len(term) > 0 && term[0] >= 0x20 }

// Add adds the posting of a chunk, which must be greater than the previous one. positions are tf
// positions as AppendPositions encodes them; a property has tf 1 and no positions.
func (w *Writer) Add(chunk, tf uint32, positions []byte) {
	if w.n == blockLen {
		w.flush()
	}
	w.docs[w.n], w.tfs[w.n] = chunk, tf
	w.n++
	w.df++
	w.positions = append(w.positions, positions...)
}

// flush writes a block: packed if it is full, otherwise as varints.
func (w *Writer) flush() {
	if w.df == uint32(w.n) {
		w.list = listAt{post: w.post.offset(), pos: w.pos.offset()}
		w.prevPost = w.list.post
	}
	var block []byte
	last := w.docs[w.n-1]
	if w.n == blockLen {
		base := w.prev
		var gaps, tfs [blockLen]uint32
		for i, d := range w.docs {
			gaps[i], tfs[i] = d-base-1, w.tfs[i]-1
			base = d
		}
		block = appendBlock(w.post.scratch[:0], &gaps, &tfs)
	} else {
		block = w.appendShort(w.post.scratch[:0], w.prev)
	}
	w.post.scratch = block
	at := w.append(&w.post, block, true)
	w.append(&w.pos, w.positions, false)

	w.skips = binary.AppendUvarint(w.skips, uint64(last-w.prev)) // prev is -1 before the first
	w.skips = binary.AppendUvarint(w.skips, at-w.prevPost)
	if w.text {
		w.skips = binary.AppendUvarint(w.skips, uint64(len(w.positions)))
		w.skips = w.appendPairs(w.skips)
	}
	w.prevPost, w.prev = at, last
	w.n, w.positions = 0, w.positions[:0]
}

// appendShort encodes fewer than 128 postings, the first one relative to base.
func (w *Writer) appendShort(dst []byte, base uint32) []byte {
	for i, d := range w.docs[:w.n] {
		gap := uint64(d-base-1) << 1
		if w.tfs[i] == 1 {
			dst = binary.AppendUvarint(dst, gap|1)
		} else {
			dst = binary.AppendUvarint(dst, gap)
			dst = binary.AppendUvarint(dst, uint64(w.tfs[i]))
		}
		base = d
	}
	return dst
}

// appendPairs encodes the competitive pairs of the block by ascending tf: their number, then
// differences. It treats a tf above 255 as 255.
func (w *Writer) appendPairs(dst []byte) []byte {
	var shortest [256]uint16
	var seen [4]uint64
	most := uint32(0)
	for i, d := range w.docs[:w.n] {
		tf := min(w.tfs[i], 255)
		most = max(most, w.tfs[i])
		if l := w.lengths[d]; seen[tf>>6]&(1<<(tf&63)) == 0 || l < shortest[tf] {
			shortest[tf] = l
			seen[tf>>6] |= 1 << (tf & 63)
		}
	}
	var pairs [256]pair
	n := len(pairs)
	for tf := int(min(most, 255)); tf > 0; tf-- {
		if seen[tf>>6]&(1<<(tf&63)) != 0 && (n == len(pairs) || shortest[tf] < pairs[n].length) {
			n--
			pairs[n] = pair{uint32(tf), shortest[tf]}
		}
	}
	if pairs[len(pairs)-1].tf == 255 {
		pairs[len(pairs)-1].tf = most
	}
	dst = binary.AppendUvarint(dst, uint64(len(pairs)-n))
	var last pair
	for _, p := range pairs[n:] {
		dst = binary.AppendUvarint(dst, uint64(p.tf-last.tf))
		dst = binary.AppendUvarint(dst, uint64(p.length-last.length))
		last = p
	}
	return dst
}

type pair struct {
	tf     uint32
	length uint16
}

// End ends the list and writes its entry.
func (w *Writer) End() {
	if w.df == 0 {
		return
	}
	first := len(w.dict) == 0
	if first {
		w.last = w.last[:0]
	}
	same := shared(w.last, w.term)
	w.dict = binary.AppendUvarint(w.dict, same)
	w.dict = binary.AppendUvarint(w.dict, uint64(len(w.term))-same)
	w.dict = append(w.dict, w.term[same:]...)
	w.dict = binary.AppendUvarint(w.dict, uint64(w.df))
	if w.df < blockLen {
		short := w.appendShort(w.post.scratch[:0], math.MaxUint32)
		w.post.scratch = short
		w.dict = binary.AppendUvarint(w.dict, uint64(len(short)))
		w.dict = append(w.dict, short...)
		w.dict = binary.AppendUvarint(w.dict, uint64(len(w.positions)))
		w.dict = append(w.dict, w.positions...)
	} else {
		w.flush()
		w.list.skip, w.list.skipLen = w.append(&w.skip, w.skips, false), uint64(len(w.skips))
		for _, n := range []uint64{w.list.post, w.list.skip, w.list.skipLen, w.list.pos} {
			w.dict = binary.AppendUvarint(w.dict, n)
		}
	}
	if first {
		w.index = binary.AppendUvarint(w.index, uint64(len(w.term)))
		w.index = append(w.index, w.term...)
	}
	w.last = append(w.last[:0], w.term...)
	if len(w.dict) >= dictBlock {
		w.page(Dict, &w.nDict, w.dict)
		w.dict = w.dict[:0]
	}
	if len(w.index) >= pageLen {
		w.page(DictIndex, &w.nIndex, w.index)
		w.index = w.index[:0]
	}
}

// Close writes the remaining data and returns the size of all pages in bytes.
func (w *Writer) Close() (int64, error) {
	if len(w.dict) > 0 {
		w.page(Dict, &w.nDict, w.dict)
	}
	if len(w.index) > 0 {
		w.page(DictIndex, &w.nIndex, w.index)
	}
	for _, p := range []*pageBuffer{&w.post, &w.skip, &w.pos} {
		if len(p.buf) > 0 {
			w.flushPage(p)
		}
	}
	columnOf(w, Lengths, w.lengths)
	columnOf(w, IDs, w.ids)
	return w.bytes, w.err
}

// columnOf writes a column of numbers.
func columnOf[T uint16 | uint32](w *Writer, s Stream, values []T) {
	n := 0
	for part := range slices.Chunk(values, ColumnLen) {
		data, err := binary.Append(nil, binary.LittleEndian, part)
		if err != nil {
			panic(err) // cannot fail: the type has a fixed size
		}
		w.page(s, &n, data)
	}
}

func (w *Writer) page(s Stream, n *int, data []byte) {
	if w.err == nil {
		w.err = w.sink.PutPage(s, *n, data)
		w.bytes += int64(len(data))
	}
	*n++
}

// pageBuffer is a stream of bytes that is cut into pages.
type pageBuffer struct {
	stream  Stream
	n       int
	buf     []byte
	scratch []byte
}

func (p *pageBuffer) offset() uint64 { return uint64(p.n)*pageLen + uint64(len(p.buf)) }

// append appends data and returns its offset. If whole is set, the data does not cross a page
// boundary.
func (w *Writer) append(p *pageBuffer, data []byte, whole bool) uint64 {
	if whole {
		if len(p.buf)+len(data)+slack > pageLen {
			w.flushPage(p)
		}
		at := p.offset()
		p.buf = append(p.buf, data...)
		return at
	}
	at := p.offset()
	for len(data) > 0 {
		n := min(len(data), pageLen-len(p.buf))
		p.buf = append(p.buf, data[:n]...)
		data = data[n:]
		if len(p.buf) == pageLen {
			w.flushPage(p)
		}
	}
	return at
}

// flushPage writes the full page and begins the next.
func (w *Writer) flushPage(p *pageBuffer) {
	if p.stream == Post {
		p.buf = append(p.buf, make([]byte, slack)...)
	}
	w.page(p.stream, &p.n, p.buf)
	p.buf = p.buf[:0]
}
