package postings

import (
	"context"
	"encoding/binary"
)

// ColumnLen is the number of chunks in a page of Lengths and IDs.
const ColumnLen = 16 << 10

// ColumnSpec is a stream with one value per chunk.
type ColumnSpec struct {
	Stream  Stream
	Width   int // bytes per value
	PageLen int // values per page
}

// The columns of this package.
var (
	IDColumn     = ColumnSpec{IDs, 4, ColumnLen}
	LengthColumn = ColumnSpec{Lengths, 2, ColumnLen}
)

// Value reads the value of a chunk.
func (s *Segment) Value(src Source, c ColumnSpec, chunk uint32) ([]byte, error) {
	return (&ColumnReader{ColumnSpec: c, Segment: s, Source: src}).At(chunk)
}

// ChunkID reads the ID of a chunk.
func (s *Segment) ChunkID(src Source, chunk uint32) (uint32, error) {
	b, err := s.Value(src, IDColumn, chunk)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

// ChunkLength reads the length of a chunk.
func (s *Segment) ChunkLength(src Source, chunk uint32) (uint16, error) {
	b, err := s.Value(src, LengthColumn, chunk)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint16(b), nil
}

// ColumnReader reads values of a column. It keeps one page, so ascending chunks are fastest.
type ColumnReader struct {
	ColumnSpec
	Segment *Segment
	Source  Source

	page   []byte
	pageAt int
}

// At reads the value of a chunk.
func (c *ColumnReader) At(chunk uint32) ([]byte, error) {
	if n := int(chunk) / c.PageLen; c.page == nil || n != c.pageAt {
		var err error
		if c.page, err = c.Source.GetPage(c.Segment.ID, c.Stream, n); err != nil {
			return nil, err
		}
		c.pageAt = n
	}
	from := int(chunk) % c.PageLen * c.Width
	if from+c.Width > len(c.page) {
		return nil, ErrDamaged
	}
	return c.page[from : from+c.Width], nil
}

// Column writes a caller's column in the order of the plan and returns its size in bytes.
func (p *Plan) Column(ctx context.Context, c ColumnSpec, sink Sink) (int64, error) {
	readers := make([]ColumnReader, len(p.Parts))
	for i, part := range p.Parts {
		readers[i] = ColumnReader{ColumnSpec: c, Segment: part.Seg, Source: part.Src}
	}
	page := make([]byte, 0, c.PageLen*c.Width)
	n := 0
	for i, o := range p.Origins {
		b, err := readers[o.Part].At(o.Chunk)
		if err != nil {
			return 0, err
		}
		page = append(page, b...)
		if len(page) == cap(page) || i == len(p.Origins)-1 {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			if err := sink.PutPage(c.Stream, n, page); err != nil {
				return 0, err
			}
			page = page[:0]
			n++
		}
	}
	return int64(len(p.Origins) * c.Width), nil
}
