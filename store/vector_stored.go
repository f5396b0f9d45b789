package store

import (
	"encoding/binary"
	"iter"

	"biomcp/entrez/record"
	"biomcp/store/rows"
	"biomcp/store/vectors"
)

// rounding is how the vectors of a model are stored: as bytes (package vectors).
type rounding struct{ *vectors.Space }

func (s *Store) rounding(m Model) rounding { return rounding{s.space(m.Dim)} }

// pack returns a vector as it is stored, and the code of that.
func (p rounding) pack(v []float32) ([]byte, vectors.Code) {
	b := p.AppendBytes(make([]byte, 0, p.ByteSize()), v)
	return b, p.EncodeBytes(b)
}

// each yields the ordinals and stored vectors of a row of the table vector.
func (p rounding) each(row []byte) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		for size := 2 + p.ByteSize(); len(row) >= size; row = row[size:] {
			if !yield(binary.LittleEndian.Uint16(row), row[2:size]) {
				return
			}
		}
	}
}

var vectorRows = rows.NewBlobs("vector", "data")

// row reads the row of a document, empty if it has none.
func (m Model) row(r *rows.Conn, pmid record.PMID) ([]byte, error) {
	return vectorRows.Read(r, m.rowID(pmid))
}

func (m Model) rowID(pmid record.PMID) int64 { return m.ID<<32 | int64(pmid) }
