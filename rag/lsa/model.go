package lsa

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"
	"math"

	"biomcp/rag/analyze"
)

// Version is the version of the rules of this package; analyze.Version that of the
// rules for terms.
const Version = 1

// Model is a newly fitted model.
type Model struct {
	Dim   int
	Docs  int // documents in the corpus when it was fitted
	terms []string
	rows  []float32 // Dim numbers per term, multiplied by its weight ln(N/df)
}

// Name returns a name that identifies the model: the versions, the number of
// documents of the corpus and a CRC-32 of the rows.
func (m *Model) Name() string {
	sum := crc32.NewIEEE()
	for _, row := range m.Rows() {
		sum.Write(row)
	}
	return fmt.Sprintf("local-%d.%d-%d-%08x", Version, analyze.Version, m.Docs, sum.Sum32())
}

// Rows yields the model in the stored form: a header under the empty key, then one
// row per term, Dim little-endian float32. A row is valid until the next one.
func (m *Model) Rows() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		header := binary.AppendUvarint(nil, Version)
		for _, n := range []int{analyze.Version, m.Dim, m.Docs, len(m.terms)} {
			header = binary.AppendUvarint(header, uint64(n))
		}
		if !yield("", header) {
			return
		}
		row := make([]byte, 4*m.Dim)
		for t, term := range m.terms {
			for i, x := range m.rows[t*m.Dim : (t+1)*m.Dim] {
				binary.LittleEndian.PutUint32(row[4*i:], math.Float32bits(x))
			}
			if !yield(term, row) {
				return
			}
		}
	}
}
