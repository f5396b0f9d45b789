package vectors

import (
	"encoding/binary"
	"math"
)

const (
	scaleSize = 4
	levels    = 127 // the greatest magnitude of a component
)

// ByteSize is how many bytes AppendBytes appends.
func (s *Space) ByteSize() int { return scaleSize + s.Dim }

// AppendBytes appends a vector in one byte a dimension, as one of length 1.
func (s *Space) AppendBytes(dst []byte, v []float32) []byte {
	turned := s.turn(v)
	var most float32
	for _, x := range turned {
		most = max(most, x, -x)
	}
	at, square := len(dst), 0
	dst = append(dst, make([]byte, scaleSize)...)
	for _, x := range turned {
		n := level(levels * x / most)
		square += int(n) * int(n)
		dst = append(dst, byte(n))
	}
	if square > 0 {
		binary.LittleEndian.PutUint32(dst[at:], math.Float32bits(float32(1/math.Sqrt(float64(square)))))
	}
	return dst
}

// level is the nearest whole number that a byte holds, 0 for what is no number.
func level(x float32) int8 {
	n := math.RoundToEven(float64(x))
	if n != n {
		return 0
	}
	return int8(min(levels, max(-levels, n)))
}

// scaleOf reads the scale, 0 where it is none: the bytes are damaged then.
func scaleOf(b []byte) float32 {
	scale := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if scale > 0 && scale <= 1 {
		return scale
	}
	return 0
}

// Bytes reads what AppendBytes wrote into dst, of Dim components: the vector that is
// stored. To write that again gives the same bytes. Where they are damaged, the vector
// has another length than 1.
func (s *Space) Bytes(dst []float32, b []byte) {
	turnedBytes(dst, b)
	s.turnBack(dst)
}

// EncodeBytes makes the code of a vector that AppendBytes wrote: of what is left of it
// without an origin, which is turned. A nil origin leaves all of it.
func (s *Space) EncodeBytes(b []byte, origin []float32) Code {
	turned := make([]float32, s.Dim)
	turnedBytes(turned, b)
	add(turned[:len(origin)], origin, -1)
	return s.encode(turned)
}

// MeanOf returns the query for the mean of vectors that AppendBytes wrote, each times its
// weight, scaled to length 1; nil if there are none or it is zero. Only Dot can be called
// of it.
func MeanOf(list [][]byte, weights []float32) *Query {
	if len(list) == 0 {
		return nil
	}
	mean, v := make([]float32, len(list[0])-scaleSize), make([]float32, len(list[0])-scaleSize)
	for i, b := range list {
		turnedBytes(v, b)
		add(mean, v, weights[i])
	}
	length := math.Sqrt(float64(dotProduct(mean, mean)))
	if length == 0 {
		return nil
	}
	for i := range mean {
		mean[i] /= float32(length)
	}
	return &Query{turned: mean}
}

// turnedBytes reads a stored vector as it is turned.
func turnedBytes(dst []float32, b []byte) {
	scale := scaleOf(b)
	for i, c := range b[scaleSize : scaleSize+len(dst)] {
		dst[i] = scale * levelOf[c]
	}
}

// Dot is the dot product with a vector that AppendBytes wrote, without turning that
// back: a rotation keeps dot products.
func (q *Query) Dot(b []byte) float32 {
	x, scale := q.turned, scaleOf(b)
	b = b[scaleSize : scaleSize+len(x)]
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(x); i += 4 {
		y, c := (*[4]float32)(x[i:]), (*[4]byte)(b[i:])
		s0 += y[0] * levelOf[c[0]]
		s1 += y[1] * levelOf[c[1]]
		s2 += y[2] * levelOf[c[2]]
		s3 += y[3] * levelOf[c[3]]
	}
	for ; i < len(x); i++ {
		s0 += x[i] * levelOf[b[i]]
	}
	return scale * ((s0 + s1) + (s2 + s3))
}

// levelOf is the component of a byte: to look it up takes less time than to convert it.
var levelOf = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(int8(i))
	}
	return t
}()
