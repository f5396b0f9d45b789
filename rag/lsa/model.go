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

// Version is the version of the rules of this package. analyze.Version is the version of the
// rules for terms.
const Version = 3

// A Model is a newly fitted model.
type Model struct {
	Dim   int
	Docs  int       // number of documents in the corpus when it was fitted
	roots []float32 // √σ
	terms []string  // most frequent first
	// rows has Dim numbers per term: its row of V√σ times its entropy weight. scales has the
	// factor that gives this row, multiplied by √σ once more, the length ln(N/df).
	rows   []float32
	scales []float32
}

// Name returns a name that identifies the model: the versions, the number of documents of the
// corpus and a CRC-32 of the rows.
func (m *Model) Name() string {
	sum := crc32.NewIEEE()
	for _, row := range m.Rows() {
		sum.Write(row)
	}
	return fmt.Sprintf("local-%d.%d-%d-%08x", Version, analyze.Version, m.Docs, sum.Sum32())
}

// Rows yields the model in the stored form. The first row has the empty key and is the header:
// uvarints, then Dim numbers √σ as float32. The other rows belong to the terms, in the order
// of the terms: the scale, then for each 32 of Dim numbers a step (both float32) and one byte
// per number in units of the step. All is little-endian. A row is valid until the next one.
func (m *Model) Rows() iter.Seq2[string, []byte] {
	return func(yield func(string, []byte) bool) {
		header := binary.AppendUvarint(nil, Version)
		for _, n := range []int{analyze.Version, m.Dim, m.Docs, len(m.terms)} {
			header = binary.AppendUvarint(header, uint64(n))
		}
		header, _ = binary.Append(header, binary.LittleEndian, m.roots) // encoding numbers does not fail
		if !yield("", header) {
			return
		}
		row := make([]byte, 0, rowSize(m.Dim))
		for _, t := range m.sortedTerms() {
			row = appendRow(row[:0], m.rows[t*m.Dim:(t+1)*m.Dim], m.scales[t])
			if !yield(m.terms[t], row) {
				return
			}
		}
	}
}

// sortedTerms returns the indexes of the terms in alphabetical order.
func (m *Model) sortedTerms() []int {
	order := make([]int, len(m.terms))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(x, y int) int { return cmp.Compare(m.terms[x], m.terms[y]) })
	return order
}

// perStep is the number of values in a stored row that share a step. The values of a row become
// smaller from the first to the last, as the singular values do.
const perStep = 32

// rowSize returns the length in bytes of the stored row of a term.
func rowSize(dim int) int { return 4 + 4*((dim+perStep-1)/perStep) + dim }

// appendRow appends the stored row of a term. The error of a number is at most half a step, and
// the greatest number of a group is 127 steps.
func appendRow(b []byte, list []float32, scale float32) []byte {
	b = appendFloat32(b, scale)
	for group := range slices.Chunk(list, perStep) {
		greatest := 0.0
		for _, x := range group {
			greatest = max(greatest, math.Abs(float64(x)))
		}
		step := float32(greatest / math.MaxInt8)
		b = appendFloat32(b, step)
		for _, x := range group {
			n := 0.0
			if step > 0 {
				n = math.Round(float64(x) / float64(step))
			}
			b = append(b, byte(int8(n)))
		}
	}
	return b
}

// appendStored decodes a stored row, and appends its numbers and the scale.
func appendStored(list []float32, row []byte) []float32 {
	for group := range slices.Chunk(row[4:], 4+perStep) {
		step := float32At(group)
		for _, n := range group[4:] {
			list = append(list, float32(int8(n))*step)
		}
	}
	return append(list, float32At(row))
}

func appendFloat32(b []byte, x float32) []byte {
	return binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
}

func float32At(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) }
