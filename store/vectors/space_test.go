package vectors

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func unit(v []float32) []float32 {
	var s float64
	for _, x := range v {
		s += float64(x) * float64(x)
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(s))
	}
	return v
}

func dot(a, b []float32) float64 {
	var s float64
	for i := range a {
		s += float64(a[i]) * float64(b[i])
	}
	return s
}

// clustered returns n vectors like embeddings: in clusters, with variance that falls over the
// dimensions.
func clustered(rng *rand.Rand, n, dim int) [][]float32 {
	centres := make([][]float32, 50)
	for i := range centres {
		centres[i] = make([]float32, dim)
		for j := range centres[i] {
			centres[i][j] = float32(rng.NormFloat64() / math.Sqrt(float64(1+j)))
		}
	}
	out := make([][]float32, n)
	for i := range out {
		c := centres[rng.IntN(len(centres))]
		out[i] = make([]float32, dim)
		for j := range c {
			out[i][j] = c[j] + float32(0.7*rng.NormFloat64()/math.Sqrt(float64(1+j)))
		}
		unit(out[i])
	}
	return out
}

func TestRotationKeepsDotProducts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, dim := range []int{1, 2, 3, 7, 64, 100, 256, 384, 768, 1000} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s := NewSpace(dim)
			v := clustered(rng, 2, dim)
			if a, b := dot(v[0], v[1]), dot(s.rotate(v[0]), s.rotate(v[1])); math.Abs(a-b) > 1e-5 {
				t.Errorf("dimension %d: %v became %v", dim, a, b)
			}
		})
	}
}

func TestEstimatesRankAsDotProductsDo(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for _, dim := range []int{64, 100, 256, 384, 768} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s := NewSpace(dim)
			x := clustered(rng, 20_000, dim)
			var signs []byte
			scales, codes := make([]float32, len(x)), make([]Code, len(x))
			for i := range x {
				codes[i] = s.Encode(x[i])
				signs, scales[i] = append(signs, codes[i].Signs...), codes[i].Coarse
			}
			const n = 10
			var coarse, fine, worst, worstFine float64
			for _, v := range clustered(rng, n, dim) {
				for i := range v { // near one of the centres
					v[i] = 0.6*x[rng.IntN(5)][i] + 0.4*v[i]
				}
				unit(v)
				q := s.Query(v)
				score, guess, better := make([]float64, len(x)), make([]float32, len(x)), make([]float32, len(x))
				q.Estimate(guess, signs, scales)
				for i := range x {
					score[i], better[i] = dot(v, x[i]), q.Refine(codes[i])
					worst = max(worst, math.Abs(score[i]-float64(guess[i])))
					worstFine = max(worstFine, math.Abs(score[i]-float64(better[i])))
				}
				best := rank(score)[:200]
				coarse += shared(best, rank(guess)[:2000]) / n
				fine += shared(best, rank(better)[:500]) / n
			}
			t.Logf("dimension %d: of the 200 nearest %.3f are in 2,000 by signs, %.3f in 500 by codes; worst errors %.3f and %.3f", dim, coarse, fine, worst, worstFine)
			if coarse < 0.92 || fine < 0.92 || worst > 6/math.Sqrt(float64(dim)) || worstFine > 3.5/math.Sqrt(float64(dim)) {
				t.Errorf("dimension %d: %.3f and %.3f are too few, or errors %.3f and %.3f too great", dim, coarse, fine, worst, worstFine)
			}
		})
	}
}

// A code relative to the mean of its group is better in proportion to the length of the remaining
// vector: by signs, by signs and sizes, and as an approximate vector.
func TestCodesRelativeToAnOrigin(t *testing.T) {
	for _, dim := range []int{64, 100, 256} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s := NewSpace(dim)
			x := clustered(rand.New(rand.NewPCG(2, 3)), 500, dim)
			whole := make([]Code, len(x))
			for i := range x {
				whole[i] = s.Encode(x[i])
			}
			means := s.Group(50, len(x), func(i int) Code { return whole[i] }, nil)
			var errors [2][3]float64 // sums of squares for whole vectors and for remaining ones
			var left float64
			row, of := make([]float32, dim), s.Means(means).Nearest(whole, nil)
			var queries []*Query
			for _, v := range clustered(rand.New(rand.NewPCG(2, 4)), 20, dim) {
				queries = append(queries, s.Query(v))
			}
			for i := range x {
				turned := s.rotate(x[i])
				rest := slices.Clone(turned)
				add(rest, means[of[i]], -1)
				left += float64(dotProduct(rest, rest))
				for n, origin := range [][]float32{nil, means[of[i]]} {
					code := s.EncodeBytes(s.AppendBytes(nil, x[i]), origin)
					s.decode(row, code, origin)
					add(row, turned, -1)
					errors[n][2] += float64(dotProduct(row, row))
					for _, q := range queries {
						guess := make([]float32, 1)
						q.Estimate(guess, code.Signs, []float32{code.Coarse})
						base := q.DotRotated(origin)
						for stage, e := range []float32{base + guess[0], base + q.Refine(code)} {
							errors[n][stage] += math.Pow(float64(e-q.DotRotated(turned)), 2)
						}
					}
				}
			}
			want := math.Sqrt(left / float64(len(x)))
			for stage, name := range []string{"signs", "signs and sizes", "the vector"} {
				got := math.Sqrt(errors[1][stage] / errors[0][stage])
				t.Logf("%s: the error is %.3f times as great, and what is left %.3f times as long", name, got, want)
				if math.Abs(got/want-1) > 0.1 || want > 0.75 {
					t.Errorf("%s: %.3f, want %.3f", name, got, want)
				}
			}
		})
	}
}

// The coarse estimate is the sum of the query's rounded components by the signs, times the scale,
// in every dimension.
func TestEstimateBySigns(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	for _, dim := range []int{1, 64, 100, 255, 256, 257, 384, 600} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s := NewSpace(dim)
			x := clustered(rng, 20, dim)
			q := s.Query(x[0])
			var signs []byte
			scales, got := make([]float32, len(x)), make([]float32, len(x))
			for i := range x {
				c := s.Encode(x[i])
				signs, scales[i], got[i] = append(signs, c.Signs...), c.Coarse, 7
			}
			q.Estimate(got, signs, scales)
			for i := range x {
				want := 0.0
				for j, component := range q.rotated {
					n := min(7, max(-8, math.Round(float64(component/q.step))))
					if signs[8*i*s.Words+j/8]>>(j%8)&1 == 0 {
						n = -n
					}
					want += n
				}
				want *= float64(q.step) * float64(scales[i])
				if math.Abs(float64(got[i])-want) > 1e-5 {
					t.Errorf("dimension %d: %v, want %v", dim, got[i], want)
				}
			}
		})
	}
}

// rank returns the indexes ordered by score, the greatest first.
func rank[T float32 | float64](score []T) []int {
	order := make([]int, len(score))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	return order
}

// shared returns the share of a that is in b.
func shared(a, b []int) float64 {
	in := map[int]bool{}
	for _, i := range b {
		in[i] = true
	}
	n := 0
	for _, i := range a {
		if in[i] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

func BenchmarkEstimate(b *testing.B) {
	for _, dim := range []int{256, 384, 768} {
		b.Run(fmt.Sprint(dim), func(b *testing.B) {
			s := NewSpace(dim)
			rng := rand.New(rand.NewPCG(1, 1))
			x := clustered(rng, 1000, dim)
			var codes []byte
			scales, out := make([]float32, len(x)), make([]float32, len(x))
			for i, v := range x {
				c := s.Encode(v)
				codes, scales[i] = append(codes, c.Signs...), c.Coarse
			}
			q := s.Query(x[0])
			for b.Loop() {
				q.Estimate(out, codes, scales)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/vector")
		})
	}
}

func BenchmarkEncode_256(b *testing.B) {
	s := NewSpace(256)
	v := clustered(rand.New(rand.NewPCG(1, 1)), 1, 256)[0]
	for b.Loop() {
		s.Encode(v)
	}
}
