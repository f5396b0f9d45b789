package static

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// ErrFormat is returned for files that are not a table in a supported format.
var ErrFormat = errors.New("not a table of token vectors")

func formatError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrFormat, fmt.Sprintf(format, args...))
}

const (
	maxHeader = 8 << 20 // maximum size of the header in bytes
	maxRows   = 1 << 21
	maxDim    = 4096
)

// A matrix is a tensor in a safetensors file: rows × dim numbers that begin at an offset.
type matrix struct {
	rows, dim int
	kind      string // F32, F16 or I8
	offset    int64
}

// A tensor is an entry of the header.
type tensor struct {
	Kind    string  `json:"dtype"`
	Shape   []int64 `json:"shape"`
	Offsets []int64 `json:"data_offsets"`
}

var widths = map[string]int{"F32": 4, "F16": 2, "I8": 1}

// readHeader finds the only matrix of a safetensors file of size bytes. The file has eight
// bytes with the length of the header, the header in JSON, then the data. It also returns the
// header.
func readHeader(r io.ReaderAt, size int64) (matrix, []byte, error) {
	var length [8]byte
	if _, err := r.ReadAt(length[:], 0); err != nil {
		return matrix{}, nil, formatError("it is shorter than a safetensors file")
	}
	n := binary.LittleEndian.Uint64(length[:])
	if n > maxHeader || int64(n) > size-8 {
		return matrix{}, nil, formatError("its header has %d bytes; the maximum is %d, and the file has %d",
			n, maxHeader, size)
	}
	header := make([]byte, n)
	if _, err := r.ReadAt(header, 8); err != nil {
		return matrix{}, nil, formatError("its header cannot be read")
	}
	var entries map[string]json.RawMessage
	if err := json.Unmarshal(header, &entries); err != nil {
		return matrix{}, nil, formatError("its header is not JSON")
	}
	var found []matrix
	for name, raw := range entries {
		if name == "__metadata__" {
			continue
		}
		var t tensor
		if err := json.Unmarshal(raw, &t); err != nil {
			return matrix{}, nil, formatError("an entry of its header is not a tensor")
		}
		if len(t.Shape) != 2 {
			return matrix{}, nil, formatError("it has a tensor of %d dimensions; only a single matrix is supported",
				len(t.Shape))
		}
		m, err := t.matrix(size - 8 - int64(n))
		if err != nil {
			return matrix{}, nil, err
		}
		m.offset += 8 + int64(n)
		found = append(found, m)
	}
	if len(found) != 1 {
		return matrix{}, nil, formatError("it has %d matrices, not one", len(found))
	}
	return found[0], header, nil
}

// matrix checks that a tensor lies within data bytes.
func (t tensor) matrix(data int64) (matrix, error) {
	width, ok := widths[t.Kind]
	if !ok {
		return matrix{}, formatError("its numbers are %.20q; supported: F32, F16, I8", t.Kind)
	}
	rows, dim := t.Shape[0], t.Shape[1]
	if rows < 1 || rows > maxRows || dim < 1 || dim > maxDim {
		return matrix{}, formatError("its matrix has the shape %d × %d; the maximum is %d × %d",
			rows, dim, maxRows, maxDim)
	}
	inData := len(t.Offsets) == 2 && t.Offsets[0] >= 0 && t.Offsets[1] <= data
	if !inData || t.Offsets[1]-t.Offsets[0] != rows*dim*int64(width) {
		return matrix{}, formatError("its matrix of %d × %d numbers is cut short", rows, dim)
	}
	return matrix{int(rows), int(dim), t.Kind, t.Offsets[0]}, nil
}

// row reads a row. It returns an error if a number is not finite.
func (m matrix) row(r io.ReaderAt, i int) ([]float32, error) {
	width := widths[m.kind]
	raw := make([]byte, m.dim*width)
	if _, err := r.ReadAt(raw, m.offset+int64(i)*int64(len(raw))); err != nil {
		return nil, formatError("a row cannot be read")
	}
	row := make([]float32, m.dim)
	for j := range row {
		switch m.kind {
		case "F32":
			row[j] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*j:]))
		case "F16":
			row[j] = half(binary.LittleEndian.Uint16(raw[2*j:]))
		case "I8":
			row[j] = float32(int8(raw[j])) / 127
		}
	}
	if slices.ContainsFunc(row, func(x float32) bool { return !(math.Abs(float64(x)) < 1e9) }) {
		return nil, formatError("a row has numbers that are not finite or too large")
	}
	return row, nil
}

// half converts an IEEE 754 half-precision number.
func half(b uint16) float32 {
	sign, exponent, fraction := float64(1), int(b>>10&31), float64(b&1023)
	if b>>15 == 1 {
		sign = -1
	}
	switch exponent {
	case 0:
		return float32(sign * math.Ldexp(fraction, -24))
	case 31:
		return float32(math.Inf(1))
	}
	return float32(sign * math.Ldexp(1024+fraction, exponent-25))
}
