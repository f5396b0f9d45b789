package vectors

import (
	"encoding/binary"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Unit scales v to length 1 in place. It returns nil if v is nil or its length is zero or not
// finite.
func Unit(v []float32) []float32 {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	length := math.Sqrt(square)
	if !(square >= 1e-20) || math.IsInf(length, 0) {
		return nil
	}
	for i, x := range v {
		v[i] = float32(float64(x) / length)
	}
	return v
}

// A Space holds the random rotation that vectors of Dim numbers go through before they are coded. It
// is safe for concurrent use.
type Space struct {
	Dim   int
	Words int // 64-bit words per code
	size  int // greatest power of two that is at most Dim
	signs [rounds][]float32
}

const rounds = 3

// NewSpace returns the rotation for a dimension. It is deterministic, because stored codes depend
// on it.
func NewSpace(dim int) *Space {
	s := &Space{Dim: dim, Words: (dim + 63) / 64, size: 1 << (bits.Len(uint(dim)) - 1)}
	rng := rand.New(rand.NewPCG(0x62696f6d6370, uint64(dim)))
	for r := range s.signs {
		s.signs[r] = make([]float32, dim)
		for i := range s.signs[r] {
			s.signs[r][i] = float32(1 - 2*int(rng.Uint64N(2)))
		}
	}
	return s
}

// rotate rotates v by rounds of random signs and a fast Hadamard transform. If the dimension is not a
// power of two, it transforms the first size components and then the last size ones, which overlap.
func (s *Space) rotate(v []float32) []float32 {
	x := make([]float32, s.Dim)
	copy(x, v)
	for r := range s.signs {
		for i, sign := range s.signs[r] {
			x[i] *= sign
		}
		hadamard(x[:s.size])
		if s.size < s.Dim {
			hadamard(x[s.Dim-s.size:])
		}
	}
	return x
}

// rotateBack inverts turn in place. Each transform is its own inverse, so it runs the same steps in
// reverse order.
func (s *Space) rotateBack(x []float32) {
	for _, signs := range slices.Backward(s.signs[:]) {
		if s.size < s.Dim {
			hadamard(x[s.Dim-s.size:])
		}
		hadamard(x[:s.size])
		for i, sign := range signs {
			x[i] *= sign
		}
	}
}

// hadamard applies the Walsh-Hadamard transform, scaled to preserve lengths.
func hadamard(x []float32) {
	for h := 1; h < len(x); h *= 2 {
		for i := 0; i < len(x); i += 2 * h {
			a, b := x[i:i+h], x[i+h:i+2*h]
			for j := range a {
				a[j], b[j] = a[j]+b[j], a[j]-b[j]
			}
		}
	}
	scale := float32(1 / math.Sqrt(float64(len(x))))
	for i := range x {
		x[i] *= scale
	}
}

// A Code is the compact form of a vector, by which a search chooses its candidates.
type Code struct {
	Signs  []byte  // a bit per component, the lowest first, in Words words of eight bytes
	Large  []byte  // a bit per component, set if it is far from 0
	Coarse float32 // scale of the signs; NaN for a chunk without a vector
	Fine   float32 // scale of the signs times one of two sizes
}

// Encode returns the code of a unit vector.
func (s *Space) Encode(v []float32) Code { return s.encode(s.rotate(v)) }

// encode returns the code of a rotated vector of any length.
func (s *Space) encode(turned []float32) Code {
	c := Code{Signs: make([]byte, 8*s.Words), Large: make([]byte, 8*s.Words)}
	square := sumOfProducts(turned, turned)
	// 0.98 is optimal for normally distributed components (J. Max, 1960).
	limit := float32(0.98 * math.Sqrt(float64(square)/float64(s.Dim)))
	var coarse, fine float32
	for i, x := range turned {
		bit := byte(1) << (i & 7)
		if x >= 0 {
			c.Signs[i>>3] |= bit
		} else {
			x = -x
		}
		coarse += x
		if x > limit {
			c.Large[i>>3] |= bit
			x *= 3
		}
		fine += x
	}
	if coarse > 0 {
		c.Coarse, c.Fine = square/coarse, square/fine
	}
	return c
}

// Query is a vector prepared for comparison with codes.
type Query struct {
	words   int
	rotated []float32
	planes  []uint64 // four bits per rounded component: word by word, bit 0 first
	step    float32
	sum     float32 // sum of the rounded components
	total   int     // the same sum in steps
}

// Query prepares a vector for comparisons.
func (s *Space) Query(v []float32) *Query { return s.query(s.rotate(v)) }

// query prepares a rotated vector, which it retains.
func (s *Space) query(x []float32) *Query {
	var most float32
	for _, c := range x {
		most = max(most, c, -c)
	}
	q := &Query{words: s.Words, rotated: x, planes: make([]uint64, 4*s.Words), step: max(most, 1e-30) / 7.5}
	for i, c := range x {
		n := int(math.Round(float64(c / q.step)))
		n = min(7, max(-8, n)) // two's complement in four bits
		q.sum += float32(n) * q.step
		q.total += n
		for bit := range 4 {
			q.planes[i>>6*4+bit] |= uint64(n>>bit&1) << (i & 63)
		}
	}
	return q
}

// DotRotated returns the dot product with a rotated vector, or 0 if x is nil.
func (q *Query) DotRotated(x []float32) float32 { return sumOfProducts(q.rotated, x) }

// sumOfProducts returns the dot product over the components of x. Its order of addition does not
// depend on memory alignment, so that codes and estimates are reproducible.
func sumOfProducts(y, x []float32) (sum float32) {
	for i, c := range x {
		sum += c * y[i]
	}
	return sum
}

// Estimate sets out to the coarse estimates of the dot products with vectors, given their
// concatenated signs and their coarse scales.
func (q *Query) Estimate(out []float32, codes []byte, scales []float32) {
	clear(out)
	w := 0
	for ; w+4 <= q.words; w += 4 { // sums of integers below 2^24 are exact
		p := (*[16]uint64)(q.planes[4*w:])
		for i := range out {
			b := (*[32]byte)(codes[8*(i*q.words+w):])
			c := [4]uint64{word(b[0:]), word(b[8:]), word(b[16:]), word(b[24:])}
			n := bits.OnesCount64(c[0]&p[0]) + bits.OnesCount64(c[1]&p[4]) +
				bits.OnesCount64(c[2]&p[8]) + bits.OnesCount64(c[3]&p[12])
			n += 2 * (bits.OnesCount64(c[0]&p[1]) + bits.OnesCount64(c[1]&p[5]) +
				bits.OnesCount64(c[2]&p[9]) + bits.OnesCount64(c[3]&p[13]))
			n += 4 * (bits.OnesCount64(c[0]&p[2]) + bits.OnesCount64(c[1]&p[6]) +
				bits.OnesCount64(c[2]&p[10]) + bits.OnesCount64(c[3]&p[14]))
			n -= 8 * (bits.OnesCount64(c[0]&p[3]) + bits.OnesCount64(c[1]&p[7]) +
				bits.OnesCount64(c[2]&p[11]) + bits.OnesCount64(c[3]&p[15]))
			out[i] += float32(n)
		}
	}
	double := 2 * q.step
	for i, n := range out {
		if w < q.words {
			n += float32(weigh(codes[8*(i*q.words+w):8*(i+1)*q.words], q.planes[4*w:]))
		}
		out[i] = (double*n - q.sum) * scales[i]
	}
}

// weigh sums the rounded components of a query at the set bits of a code.
func weigh(code []byte, planes []uint64) int {
	n := 0
	for ; len(code) >= 8; code = code[8:] {
		n += weighWord(word(code), (*[4]uint64)(planes))
		planes = planes[4:]
	}
	return n
}

// word returns the first word of a code.
func word(code []byte) uint64 { return binary.LittleEndian.Uint64(code) }

func weighWord(c uint64, p *[4]uint64) int {
	return bits.OnesCount64(c&p[0]) + 2*bits.OnesCount64(c&p[1]) +
		4*bits.OnesCount64(c&p[2]) - 8*bits.OnesCount64(c&p[3])
}

// Refine returns the fine estimate of the dot product with one vector.
func (q *Query) Refine(c Code) float32 {
	signs, large, both := 0, 0, 0
	planes := q.planes
	for i := 0; i < len(c.Signs); i += 8 {
		p := (*[4]uint64)(planes)
		s, l := word(c.Signs[i:]), word(c.Large[i:])
		signs += weighWord(s, p)
		large += weighWord(l, p)
		both += weighWord(s&l, p)
		planes = planes[4:]
	}
	// The code is sign·(1 + 2·large): the sum over the signs, plus twice the sum over the signs of
	// the large components.
	return (q.step*float32(2*signs-q.total) + 2*(q.step*float32(2*both-large))) * c.Fine
}
