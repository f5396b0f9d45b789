package store

import (
	"encoding/binary"
	"iter"

	"biomcp/entrez/record"
	"biomcp/store/vectors"
)

// Bytes that a dimension of a stored vector takes: those of models that were made
// before there were bytes take two, of all others one.
const (
	inBytes  = 1
	inHalves = 2
)

// rounding is how the vectors of a model are stored.
type rounding struct {
	space *vectors.Space
	bytes int
}

func (s *Store) rounding(m Model) rounding { return rounding{s.space(m.Dim), m.bytes} }

// size is what a vector takes.
func (p rounding) size() int {
	if p.bytes == inHalves {
		return 2 * p.space.Dim
	}
	return p.space.ByteSize()
}

// pack makes of a vector what is stored, and the code of that.
func (p rounding) pack(v []float32) ([]byte, vectors.Code) {
	b := make([]byte, 0, p.size())
	if p.bytes == inHalves {
		return vectors.AppendHalf(b, v), p.space.Encode(v)
	}
	b = p.space.AppendBytes(b, v)
	return b, p.space.EncodeBytes(b)
}

// unpack reads a stored vector into v.
func (p rounding) unpack(v []float32, b []byte) {
	if p.bytes == inHalves {
		vectors.Halves(v, b)
	} else {
		p.space.Bytes(v, b)
	}
}

// code is that of a stored vector.
func (p rounding) code(b []byte) vectors.Code {
	if p.bytes == inHalves {
		v := make([]float32, p.space.Dim)
		vectors.Halves(v, b)
		return p.space.Encode(v)
	}
	return p.space.EncodeBytes(b)
}

// each yields the ordinals and stored vectors of a row of the table vector, without
// what is left at its end where it is damaged.
func (p rounding) each(row []byte) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		for size := 2 + p.size(); len(row) >= size; row = row[size:] {
			if !yield(binary.LittleEndian.Uint16(row), row[2:size]) {
				return
			}
		}
	}
}

// row reads the row of a document, empty where it has none.
func (m Model) row(r *reader, pmid record.PMID) (row []byte, err error) {
	err = r.row("SELECT data FROM vector WHERE id=?", []any{m.rowID(pmid)}, &row)
	return row, err
}

func (m Model) rowID(pmid record.PMID) int64 { return m.ID<<32 | int64(pmid) }
