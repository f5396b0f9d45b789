package lsa

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"iter"
	"math"
	"slices"

	"biomcp/rag/analyze"
)

// Version is the version of the rules of this package; analyze.Version that of the
// rules for terms.
const Version = 1

// Model is a newly fitted model.
type Model struct {
	Dim   int
	Docs  int       // documents in the corpus when it was fitted
	roots []float32 // √σ
	terms []string  // the most frequent first
	// A row of Dim numbers per term: its row of V√σ times its entropy weight, and
	// the factor by which that, times √σ once more, has the length ln(N/df).
	rows   []float32
	scales []float32
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

// Rows yields the model in the stored form: a header under the empty key (uvarints,
// then Dim numbers √σ), then one row per term in the order of the terms, Dim numbers
// and its scale, all little-endian float32. A row is valid until the next one.
func (m *Model) Rows() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		header := binary.AppendUvarint(nil, Version)
		for _, n := range []int{analyze.Version, m.Dim, m.Docs, len(m.terms)} {
			header = binary.AppendUvarint(header, uint64(n))
		}
		header = appendNumbers(header, m.roots)
		if !yield("", header) {
			return
		}
		row := make([]byte, 0, 4*(m.Dim+1))
		for _, t := range m.sorted() {
			row = appendNumbers(row[:0], m.rows[t*m.Dim:(t+1)*m.Dim])
			row = appendNumbers(row, m.scales[t:t+1])
			if !yield(m.terms[t], row) {
				return
			}
		}
	}
}

// sorted returns the numbers of the terms in the order of the terms.
func (m *Model) sorted() []int {
	order := make([]int, len(m.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(m.terms[x], m.terms[y]) })
	return order
}

func appendNumbers(b []byte, list []float32) []byte {
	for _, x := range list {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func numbers(b []byte) []float32 { return appendFloats(make([]float32, 0, len(b)/4), b) }

func appendFloats(list []float32, b []byte) []float32 {
	for ; len(b) >= 4; b = b[4:] {
		list = append(list, math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return list
}
