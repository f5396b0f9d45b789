package postings

import (
	"bytes"
	"context"
	"encoding/binary"
)

// Part is a segment to merge, without its dead chunks.
type Part struct {
	Seg  *Segment
	Src  Source
	Dead Bits // nil means none
}

// Origin identifies the source of a chunk of a merged segment.
type Origin struct {
	Part  uint32
	Chunk uint32
}

// Plan is the order of the chunks of a merged segment: by ID, then in their old order.
type Plan struct {
	Parts      []Part
	Origins    []Origin
	Lengths    []uint16
	IDs        []uint32
	newNumbers [][]uint32 // new number by part and chunk; none if it is dead
}

// NewPlan orders the chunks of parts. It needs 18 bytes of memory per chunk.
func NewPlan(ctx context.Context, parts []Part) (*Plan, error) {
	p := &Plan{Parts: parts}
	ids := make([]ColumnReader, len(parts))
	lengths := make([]ColumnReader, len(parts))
	at := make([]uint32, len(parts))
	for i, part := range parts {
		ids[i] = ColumnReader{ColumnSpec: IDColumn, Segment: part.Seg, Source: part.Src}
		lengths[i] = ColumnReader{ColumnSpec: LengthColumn, Segment: part.Seg, Source: part.Src}
		p.newNumbers = append(p.newNumbers, make([]uint32, part.Seg.Chunks))
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		// The part with the smallest ID continues as long as its IDs are the smallest.
		first, limit := -1, uint64(1<<32)
		var least uint64 = 1 << 32
		for i, part := range parts {
			if at[i] == uint32(part.Seg.Chunks) {
				continue
			}
			b, err := ids[i].At(at[i])
			if err != nil {
				return nil, err
			}
			switch id := uint64(binary.LittleEndian.Uint32(b)); {
			case id < least:
				first, least, limit = i, id, least
			default:
				limit = min(limit, id)
			}
		}
		if first < 0 {
			return p, nil
		}
		for n := 0; at[first] < uint32(parts[first].Seg.Chunks) && n < 1<<20; n++ {
			chunk := at[first]
			b, err := ids[first].At(chunk)
			if err != nil {
				return nil, err
			}
			id := binary.LittleEndian.Uint32(b)
			if uint64(id) > limit {
				break
			}
			at[first]++
			if parts[first].Dead != nil && parts[first].Dead.Has(chunk) {
				p.newNumbers[first][chunk] = noChunk
				continue
			}
			if b, err = lengths[first].At(chunk); err != nil {
				return nil, err
			}
			p.newNumbers[first][chunk] = uint32(len(p.Origins))
			p.Origins = append(p.Origins, Origin{uint32(first), chunk})
			p.Lengths = append(p.Lengths, binary.LittleEndian.Uint16(b))
			p.IDs = append(p.IDs, id)
		}
	}
}

// Merge writes the lists of all parts as one segment and returns its size in bytes. It reads and
// writes one block of a list at a time.
func (p *Plan) Merge(ctx context.Context, sink Sink) (int64, error) {
	w := NewWriter(sink, p.Lengths, p.IDs)
	m := merger{w: w}
	for i, part := range p.Parts {
		in := &mergeInput{newNumbers: p.newNumbers[i]}
		in.dict = dictReader{seg: part.Seg, src: part.Src}
		in.list = listReader{seg: part.Seg, src: part.Src, wantPositions: true}
		ok, err := in.dict.advance()
		if err != nil {
			return 0, err
		}
		if ok {
			m.inputs = append(m.inputs, in)
		}
	}
	for steps := 0; len(m.inputs) > 0; steps++ {
		if steps%64 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err := m.term(); err != nil {
			return 0, err
		}
		if w.err != nil {
			return 0, w.err
		}
	}
	return w.Close()
}

type merger struct {
	w       *Writer
	inputs  []*mergeInput
	current []*mergeInput // inputs that have the current term
	open    []*mergeInput // those with postings left
}

// mergeInput is one part: its dictionary and its list of the current term.
type mergeInput struct {
	dict       dictReader
	list       listReader
	newNumbers []uint32

	i         int // index in the block
	chunk     uint32
	tf        uint32
	positions []byte
	rest      []byte
}

// next advances to the next posting of a live chunk.
func (in *mergeInput) next() bool {
	for {
		if in.i == in.list.n {
			if !in.list.block() {
				return false
			}
			in.i, in.rest = 0, in.list.positions
		}
		in.chunk, in.tf = in.newNumbers[in.list.docs[in.i]], in.list.tfs[in.i]
		in.i++
		if in.list.text {
			size := 0
			for n := in.tf; n > 0 && size < len(in.rest); n-- {
				size += int(posLen[in.rest[size]])
			}
			size = min(size, len(in.rest))
			in.positions, in.rest = in.rest[:size], in.rest[size:]
		}
		if in.chunk != noChunk {
			return true
		}
	}
}

// term merges the lists of the smallest remaining term.
func (m *merger) term() error {
	m.current = m.current[:0]
	for _, in := range m.inputs {
		c := -1
		if len(m.current) > 0 {
			c = bytes.Compare(in.dict.term, m.current[0].dict.term)
		}
		if c < 0 {
			m.current = m.current[:0]
		}
		if c <= 0 {
			m.current = append(m.current, in)
		}
	}
	m.w.Begin(m.current[0].dict.term)
	open := m.open[:0]
	for _, in := range m.current {
		in.i, in.list.n, in.positions = 0, 0, nil
		if err := in.list.open(in.dict.entry); err != nil {
			return err
		}
		if in.next() {
			open = append(open, in)
		}
	}
	m.open = open
	for len(open) > 0 {
		least, limit := 0, uint32(noChunk)
		for i, in := range open[1:] {
			if c := in.chunk; c < open[least].chunk {
				least, limit = i+1, open[least].chunk
			} else {
				limit = min(limit, c)
			}
		}
		in := open[least]
		for in.chunk < limit {
			m.w.Add(in.chunk, in.tf, in.positions)
			if !in.next() {
				open = append(open[:least], open[least+1:]...)
				break
			}
		}
	}
	m.w.End()
	ended := false
	for _, in := range m.current {
		if in.list.err != nil {
			return in.list.err
		}
		ok, err := in.dict.advance()
		if err != nil {
			return err
		}
		if !ok {
			in.dict.term, ended = nil, true
		}
	}
	if ended {
		left := m.inputs[:0]
		for _, in := range m.inputs {
			if in.dict.term != nil {
				left = append(left, in)
			}
		}
		m.inputs = left
	}
	return nil
}
