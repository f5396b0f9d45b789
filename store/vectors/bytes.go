package vectors

import (
	"encoding/binary"
	"math"
)

const (
	scaleSize = 4
	levels    = 127 // maximum magnitude of a component
)

// ByteSize returns the number of bytes that AppendBytes appends.
func (s *Space) ByteSize() int { return scaleSize + s.Dim }

// AppendBytes appends the stored form of a vector, one byte per dimension, normalised to length 1.
//
// A vector is stored after rotation. Each component is an integer from -127 to 127 in one byte, the
// greatest magnitude being 127. The scale that normalises them to length 1 precedes them (float32,
// little-endian). As the rotation spreads the content evenly, one scale suits all components (A.
// Suresh, F. Yu, S. Kumar, H. McMahan, Distributed mean estimation with limited communication, ICML
// 2017, section 3).
//
// For 256 similar dimensions, the greatest component of a vector of d dimensions is 2.97/√d, and a
// step s is 1/127 of it. The rounding error of each component is s/√12 (W. Bennett, Spectra of
// quantized signals, Bell System Technical Journal 27, 1948), and so is the error of a dot product
// with a unit vector: 4.3e-4 (root mean square) at 256 dimensions, 2.7e-4 at 768. A vector with a
// single component, in a dimension slightly above a power of two, is spread badly: at 257 the error
// is 2e-3.
func (s *Space) AppendBytes(dst []byte, v []float32) []byte {
	turned := s.rotate(v)
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

// level returns the nearest integer that a byte holds, or 0 for NaN.
func level(x float32) int8 {
	n := math.RoundToEven(float64(x))
	if n != n {
		return 0
	}
	return int8(min(levels, max(-levels, n)))
}

// scaleOf decodes the scale. It returns 0 if the scale is invalid because the bytes are damaged.
func scaleOf(b []byte) float32 {
	scale := math.Float32frombits(binary.LittleEndian.Uint32(b))
	if scale > 0 && scale <= 1 {
		return scale
	}
	return 0
}

// DecodeBytes decodes into dst, of Dim components, the vector that AppendBytes stored. Storing dst again
// gives the same bytes, because the arithmetic error is much smaller than half a step. If the bytes
// are damaged, the length of dst is not 1.
func (s *Space) DecodeBytes(dst []float32, b []byte) {
	decodeRotated(dst, b)
	s.rotateBack(dst)
}

// EncodeBytes returns the code of a stored vector relative to a rotated origin; nil means the zero
// vector.
func (s *Space) EncodeBytes(b []byte, origin []float32) Code {
	turned := make([]float32, s.Dim)
	decodeRotated(turned, b)
	add(turned[:len(origin)], origin, -1)
	return s.encode(turned)
}

// NewMeanQuery returns a query for the weighted mean of stored vectors, normalised to length 1. It
// returns nil if there are no vectors or the mean is zero. Only Dot may be called on the result.
func NewMeanQuery(list [][]byte, weights []float32) *Query {
	if len(list) == 0 {
		return nil
	}
	mean, v := make([]float32, len(list[0])-scaleSize), make([]float32, len(list[0])-scaleSize)
	for i, b := range list {
		decodeRotated(v, b)
		add(mean, v, weights[i])
	}
	length := math.Sqrt(float64(dotProduct(mean, mean)))
	if length == 0 {
		return nil
	}
	for i := range mean {
		mean[i] /= float32(length)
	}
	return &Query{rotated: mean}
}

// decodeRotated decodes a stored vector without undoing the rotation.
func decodeRotated(dst []float32, b []byte) {
	scale := scaleOf(b)
	for i, c := range b[scaleSize : scaleSize+len(dst)] {
		dst[i] = scale * levelOf[c]
	}
}

// Dot returns the dot product with a stored vector, exact up to 32-bit arithmetic. It does not undo
// the rotation, which preserves dot products.
func (q *Query) Dot(b []byte) float32 {
	x, scale := q.rotated, scaleOf(b)
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

// levelOf maps a byte to its component. A lookup is faster than a conversion.
var levelOf = func() (t [256]float32) {
	for i := range t {
		t[i] = float32(int8(i))
	}
	return t
}()
