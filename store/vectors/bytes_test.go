package vectors

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"reflect"
	"testing"
)

// shapes generate unit vectors of different kinds.
var shapes = map[string]func(rng *rand.Rand, dim int) []float32{
	"normal": func(rng *rand.Rand, dim int) []float32 { return normal(rng, dim) },
	"flat": func(_ *rand.Rand, dim int) []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = 1
		}
		return unit(v)
	},
	"one dominates": func(rng *rand.Rand, dim int) []float32 {
		v := normal(rng, dim)
		v[rng.IntN(dim)] = 10
		return unit(v)
	},
	"one alone": func(rng *rand.Rand, dim int) []float32 {
		v := make([]float32, dim)
		v[rng.IntN(dim)] = -1
		return v
	},
	"the first alone": func(_ *rand.Rand, dim int) []float32 {
		v := make([]float32, dim)
		v[0] = 1
		return v
	},
	"few": func(rng *rand.Rand, dim int) []float32 {
		v := make([]float32, dim)
		for range 1 + dim/20 {
			v[rng.IntN(dim)] += float32(1 + rng.Float64())
		}
		return unit(v)
	},
	"falling": func(rng *rand.Rand, dim int) []float32 {
		v := normal(rng, dim)
		for i := range v {
			v[i] /= float32(1 + i)
		}
		return unit(v)
	},
	"very small but for one": func(rng *rand.Rand, dim int) []float32 {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(1e-42 * rng.NormFloat64())
		}
		v[rng.IntN(dim)] = 1
		return v
	},
}

func normal(rng *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	for i := range v {
		v[i] = float32(rng.NormFloat64())
	}
	return unit(v)
}

// dims returns significant and random dimensions.
func dims(rng *rand.Rand) []int {
	list := []int{1, 2, 3, 4, 5, 64, 255, 256, 257, 384, 768, 1024, 1025, 1536, 3072, 8191, 8192}
	for range 12 {
		list = append(list, 1+rng.IntN(1<<(1+rng.IntN(13))))
	}
	return list
}

// A stored vector equals the original except for rounding: each component of the rotated vector
// differs by at most half a step, which is 1/127 of the greatest one, and the length is 1. Dot
// returns the product with the stored vector.
func TestBytes(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 1))
	for _, dim := range dims(rng) {
		s := NewSpace(dim)
		for name, shape := range shapes {
			v, w := shape(rng, dim), normal(rng, dim)
			b := s.AppendBytes([]byte("before"), v)
			if len(b) != 6+s.ByteSize() || string(b[:6]) != "before" {
				t.Fatalf("dimension %d: %d bytes", dim, len(b))
			}
			b = b[6:]
			got := make([]float32, dim)
			s.DecodeBytes(got, b)
			if l := math.Sqrt(dot(got, got)); math.Abs(l-1) > 1e-6 {
				t.Errorf("dimension %d, %s: stored with length %v", dim, name, l)
			}
			most, off := 0.0, 0.0
			for _, x := range s.rotate(v) {
				most = max(most, math.Abs(float64(x)))
			}
			for i := range v {
				d := float64(v[i]) - float64(got[i])
				off += d * d
			}
			// Rounding rotates the vector by at most the arc sine of this. The stored vector is at
			// the other end of the chord.
			bound := math.Sqrt(float64(dim)) * most / 127 / 2
			bound = 2 * math.Sin(math.Asin(bound)/2)
			if off = math.Sqrt(off); off > bound+1e-6 {
				t.Errorf("dimension %d, %s: off by %g, more than %g", dim, name, off, bound)
			}
			if got, want := float64(s.Query(w).Dot(b)), dot(w, got); math.Abs(got-want) > 2e-6 {
				t.Errorf("dimension %d, %s: Dot is %v, want %v", dim, name, got, want)
			}
		}
	}
}

// The bytes follow the documented format, computed here by the definition of the transform in
// 64-bit arithmetic.
func TestBytesAreOfTheTurnedVector(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	for _, dim := range []int{1, 2, 3, 7, 16, 31, 64, 100, 256, 300} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s := NewSpace(dim)
			for name, shape := range shapes {
				v := shape(rng, dim)
				x := make([]float64, dim)
				for i := range x {
					x[i] = float64(v[i])
				}
				for _, signs := range s.signs {
					for i := range x {
						x[i] *= float64(signs[i])
					}
					transformed(x[:s.size])
					if s.size < dim {
						transformed(x[dim-s.size:])
					}
				}
				most, square := 0.0, 0.0
				for _, c := range x {
					most = max(most, math.Abs(c))
				}
				b := s.AppendBytes(nil, v)
				for i, c := range x {
					n := float64(int8(b[4+i]))
					if d := math.Abs(n - 127*c/most); d > 0.501 {
						t.Fatalf("dimension %d, %s: component %d is %v, want %v", dim, name, i, n, 127*c/most)
					}
					square += n * n
				}
				if scale := math.Float32frombits(binary.LittleEndian.Uint32(b)); math.Abs(float64(scale)*math.Sqrt(square)-1) > 1e-6 {
					t.Errorf("dimension %d, %s: scale %v of a vector of length %v", dim, name, scale, math.Sqrt(square))
				}
			}
		})
	}
}

// transformed applies the Walsh-Hadamard transform by its definition.
func transformed(x []float64) {
	out := make([]float64, len(x))
	for i := range out {
		for j, c := range x {
			out[i] += c * float64(1-2*(bits.OnesCount(uint(i&j))&1)) / math.Sqrt(float64(len(x)))
		}
	}
	copy(x, out)
}

// Reading and storing a vector repeatedly does not change it.
func TestBytesDoNotDrift(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 1))
	for _, dim := range dims(rng) {
		s := NewSpace(dim)
		for name, shape := range shapes {
			first := s.AppendBytes(nil, shape(rng, dim))
			b, v := first, make([]float32, dim)
			for range 5 {
				s.DecodeBytes(v, b)
				if b = s.AppendBytes(nil, v); !bytes.Equal(b, first) {
					t.Fatalf("dimension %d, %s: other bytes of the vector that was read", dim, name)
				}
			}
			if !reflect.DeepEqual(s.EncodeBytes(b, nil), s.EncodeBytes(first, nil)) {
				t.Fatalf("dimension %d, %s: another code", dim, name)
			}
		}
	}
}

// The error has the documented size, and its derivation holds.
func TestErrorOfBytes(t *testing.T) {
	for dim, want := range map[int]float64{64: 7.5e-4, 256: 4.4e-4, 768: 2.7e-4, 1024: 2.4e-4} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s, rng := NewSpace(dim), rand.New(rand.NewPCG(14, 1))
			const n = 2000
			var sum, derived float64
			back := make([]float32, dim)
			for range n {
				v, q := normal(rng, dim), normal(rng, dim)
				s.DecodeBytes(back, s.AppendBytes(nil, v))
				d := dot(q, v) - dot(q, back)
				sum += d * d / n
				most := 0.0
				for _, x := range s.rotate(v) {
					most = max(most, math.Abs(float64(x)))
				}
				derived += most * most / (12 * 127 * 127) / n
			}
			got, derived := math.Sqrt(sum), math.Sqrt(derived)
			t.Logf("dimension %d: %.2e, by its derivation %.2e", dim, got, derived)
			if math.Abs(got/derived-1) > 0.08 || math.Abs(got/want-1) > 0.08 {
				t.Errorf("dimension %d: the root mean square of the error is %.2e, want %.2e; derived %.2e", dim, got, want, derived)
			}
		})
	}
}

// Vectors that are not of length 1 do no harm.
func TestBytesOfNoVector(t *testing.T) {
	s := NewSpace(100)
	q := s.Query(normal(rand.New(rand.NewPCG(15, 1)), 100))
	for _, x := range []float64{0, math.NaN(), math.Inf(1), math.Inf(-1), 1e38, 1e-45} {
		t.Run(fmt.Sprint(x), func(t *testing.T) {
			v := make([]float32, 100)
			v[7] = float32(x)
			b := s.AppendBytes(nil, v)
			if len(b) != s.ByteSize() {
				t.Fatalf("%v: %d bytes", x, len(b))
			}
			s.DecodeBytes(v, b)
			if l := dot(v, v); l > 1.001 || l != l {
				t.Errorf("%v: stored with length %v", x, l)
			}
			if d := float64(q.Dot(b)); !(math.Abs(d) < 1.01) {
				t.Errorf("%v: Dot is %v", x, d)
			}
		})
	}
}

func FuzzBytes(f *testing.F) {
	s := NewSpace(12)
	f.Add(s.AppendBytes(nil, normal(rand.New(rand.NewPCG(16, 1)), 12)))
	f.Add(bytes.Repeat([]byte{0xff}, 16))
	f.Add(append([]byte{0, 0, 0x80, 0x7f}, bytes.Repeat([]byte{0x80}, 12)...)) // infinity
	f.Add(append([]byte{0, 0, 0x80, 0x3f}, bytes.Repeat([]byte{0x80}, 12)...)) // 1
	q := s.Query(normal(rand.New(rand.NewPCG(17, 1)), 12))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < s.ByteSize() {
			return
		}
		v := make([]float32, s.Dim)
		s.DecodeBytes(v, b)
		for _, x := range append(v, q.Dot(b)) {
			if !(math.Abs(float64(x)) <= 128*12) {
				t.Fatalf("%v, Dot %v", v, q.Dot(b))
			}
		}
		s.EncodeBytes(b, nil)
		s.AppendBytes(nil, v)
	})
}

func BenchmarkDot_256(b *testing.B) {
	s := NewSpace(256)
	v := clustered(rand.New(rand.NewPCG(1, 1)), 2, 256)
	stored, q := s.AppendBytes(nil, v[0]), s.Query(v[1])
	for b.Loop() {
		q.Dot(stored)
	}
}

func TestMeanOfBytes(t *testing.T) {
	s := NewSpace(2)
	var list [][]byte
	for _, v := range [][]float32{{1, 0}, {0, 1}, {-1, 0}} {
		list = append(list, s.AppendBytes(nil, v))
	}
	if got := NewMeanQuery(list[:2], []float32{3, 4}).Dot(list[1]); math.Abs(float64(got)-0.8) > 0.005 {
		t.Errorf("3 and 4 parts: %g, not 0.8", got)
	}
	if NewMeanQuery(nil, nil) != nil || NewMeanQuery(list, []float32{1, 0, 1}) != nil {
		t.Error("there is a mean of nothing")
	}
}
