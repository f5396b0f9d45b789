package postings

import (
	"math"
	"sync/atomic"
)

// Scores are sums of integers, one per matching term: the term's contribution times unit, 2^32,
// rounded. Integer sums do not depend on the order of addition, so a score is the same however the
// search skipped to it, and rounding never raises a score above its bound.
const scoreUnit = 1 << 32

// Float converts a score to a floating-point number.
func Float(score int64) float64 { return float64(score) / scoreUnit }

// K1 and B are the parameters of BM25: Lucene's K1, and the B that Anserini uses for collections of
// short texts (P. Yang, H. Fang, J. Lin, JDIQ 10, 2018). Package rag documents its gain over
// Lucene's 0.75.
const (
	K1 = 1.2
	B  = 0.4
)

// BM25 holds the length-dependent part of the score: saturation = tf / (tf + K1·(1 − B +
// B·length/average)).
type BM25 struct {
	average float64
	norm    [4096]float64 // K1·(…) by length
}

// NewBM25 returns the model for an average length.
func NewBM25(average float64) *BM25 {
	m := &BM25{average: max(average, 1)}
	for i := range m.norm {
		m.norm[i] = m.normOf(uint16(i))
	}
	return m
}

func (m *BM25) normOf(length uint16) float64 {
	return K1 * (1 - B + B*float64(length)/m.average)
}

func (m *BM25) saturation(tf uint32, length uint16) float64 {
	f := float64(tf)
	if int(length) < len(m.norm) {
		return f / (f + m.norm[length])
	}
	return f / (f + m.normOf(length))
}

func (m *BM25) equal(o *BM25) bool { return m.average == o.average }

// IDF returns ln(1 + (N − n + 0.5)/(n + 0.5)) for N chunks and a term that n of them hold.
func IDF(chunks, df int64) float64 {
	return math.Log1p((float64(chunks-df) + 0.5) / (float64(df) + 0.5))
}

// termScore returns the score of one term in one chunk. weight is idf times the query's weight. The
// score grows with the saturation.
func termScore(weight, saturation float64) int64 { return int64(weight*saturation*scoreUnit + 0.5) }

// bounds holds the greatest saturations of a list: of each block, and of all blocks.
type bounds struct {
	model *BM25
	block []float64
	all   float64
}

// List holds the data of one term in one segment that is needed before its postings are read.
type List struct {
	DF uint32

	// A list of fewer than 128 postings is held completely.
	docs, tfs []uint32
	positions []byte

	// A longer list is held as its blocks.
	last  []uint32
	post  []uint64
	pos   []uint64 // offset of the positions of each block, and of their end
	pairs []pair
	until []uint32 // end of the pairs of each block

	bounds atomic.Pointer[bounds]
}

func (l *List) blocks() int {
	if l.last == nil {
		return 1
	}
	return len(l.last)
}

// size estimates the memory of a list with its bounds.
func (l *List) size() int {
	return 200 + 8*len(l.docs) + len(l.positions) + 40*len(l.last) + 8*len(l.pairs)
}

// List returns the list of a term, or nil if no chunk of the segment holds it.
func (f *Finder) List(term []byte) (*List, error) {
	key := listKey(f.seg.ID, term)
	if l, ok := f.src.Recall(key).(*List); ok {
		return l, nil
	}
	found, err := f.find(term)
	if err != nil {
		return nil, err
	}
	var l *List
	size := 0
	if found {
		if l, err = f.seg.decode(f.src, f.entry); err != nil {
			return nil, err
		}
		size = l.size()
	}
	f.src.Remember(key, l, size+len(key)+64)
	return l, nil
}

func listKey(segment int64, term []byte) string {
	b := make([]byte, 8, 8+len(term))
	for i := range 8 {
		b[i] = byte(segment >> (8 * i))
	}
	return string(append(b, term...))
}

// decode converts an entry of Dict to a List.
func (s *Segment) decode(src Source, e entry) (*List, error) {
	l := &List{DF: e.df}
	if e.df < blockLen {
		l.docs, l.tfs = make([]uint32, e.df), make([]uint32, e.df)
		if !readShort(e.short, math.MaxUint32, l.docs, l.tfs, uint32(s.Chunks)) {
			return nil, ErrDamaged
		}
		l.positions = append([]byte{}, e.positions...)
		return l, nil
	}
	skips, err := s.region(src, Skip, e.list.skip, int(e.list.skipLen))
	if err != nil {
		return nil, err
	}
	n := int(e.df+blockLen-1) / blockLen
	l.last, l.post, l.pos, l.until = make([]uint32, n), make([]uint64, n), make([]uint64, n+1), make([]uint32, n)
	last, post, pos := uint32(math.MaxUint32), e.list.post, e.list.pos
	text := IsText(e.term)
	for i := range n {
		var d uint64
		d, skips = uvarint(skips)
		last += uint32(d)
		d, skips = uvarint(skips)
		post += d
		l.last[i], l.post[i], l.pos[i] = last, post, pos
		if text {
			d, skips = uvarint(skips)
			pos += d
			d, skips = uvarint(skips)
			var p pair
			for range min(d, 256) {
				d, skips = uvarint(skips)
				p.tf += uint32(d)
				d, skips = uvarint(skips)
				p.length += uint16(d)
				l.pairs = append(l.pairs, p)
			}
		}
		l.until[i] = uint32(len(l.pairs))
		if d == 0 && len(skips) == 0 && i < n-1 || last >= uint32(s.Chunks) {
			return nil, ErrDamaged
		}
	}
	l.pos[n] = pos
	return l, nil
}

// readShort decodes postings that appendShort encoded.
func readShort(b []byte, base uint32, docs, tfs []uint32, chunks uint32) bool {
	for i := range docs {
		var n uint64
		n, b = uvarint(b)
		base += uint32(n>>1) + 1
		docs[i], tfs[i] = base, 1
		if n&1 == 0 {
			n, b = uvarint(b)
			tfs[i] = uint32(n)
		}
		if base >= chunks || tfs[i] == 0 {
			return false
		}
	}
	return true
}

// boundsFor returns the greatest saturations under a model. They are recomputed if the average
// length has changed.
func (l *List) boundsFor(v *View, model *BM25) (*bounds, error) {
	if b := l.bounds.Load(); b != nil && (b.model == model || b.model.equal(model)) {
		return b, nil
	}
	b := &bounds{model: model, block: make([]float64, l.blocks())}
	if l.last == nil {
		for i, d := range l.docs {
			length, err := v.Seg.ChunkLength(v.Src, d)
			if err != nil {
				return nil, err
			}
			b.all = max(b.all, model.saturation(l.tfs[i], length))
		}
		b.block[0] = b.all
	} else {
		from := uint32(0)
		for i, until := range l.until {
			for _, p := range l.pairs[from:until] {
				b.block[i] = max(b.block[i], model.saturation(p.tf, p.length))
			}
			from = until
			b.all = max(b.all, b.block[i])
		}
	}
	l.bounds.Store(b)
	return b, nil
}
