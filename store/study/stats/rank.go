package stats

import (
	"math"
	"slices"
	"sync"
)

// RankTest holds a comparison of two samples by the Mann-Whitney test.
type RankTest struct {
	U     float64 // number of pairs in which the value of the first sample is greater; ties count half
	P     float64 // two-sided
	LogP  float64 // natural logarithm of P, finite even if P is 0 as a float64
	Exact bool
	// Superiority is U divided by the number of pairs: the probability that a value of the
	// first sample is greater than one of the second. It is 0.5 for identical distributions.
	Superiority float64

	x, y      []float64 // sorted
	limitRank int       // rank of the pairwise difference at each confidence limit of the shift, from its end
}

// Shift returns the Hodges-Lehmann estimate of the first sample minus the second, in the unit
// of the values, with the confidence interval of the test. R's wilcox.test(conf.int = TRUE)
// returns these numbers for the exact test. The estimate is not the difference of the medians.
// Shift takes about five times as long as the test.
func (t RankTest) Shift() Interval { return shift(t.x, t.y, t.limitRank) }

// ShiftEstimate returns only the estimate of Shift, which is faster than its interval.
func (t RankTest) ShiftEstimate() float64 { return medianDifference(t.x, t.y) }

// exactBelow is the sample size below which, as in R, MannWhitney is exact if there are no
// ties. Both samples must be smaller.
const exactBelow = 50

// MannWhitney tests whether values of x tend to be greater or smaller than those of y (Mann and
// Whitney, Ann Math Stat 1947; 18:50). The test is exact if both samples have fewer than 50
// values and no ties. Otherwise it uses the normal approximation, with the variance corrected
// for ties and a continuity correction of 0.5. It ignores NaN and infinite values. Errors:
// ErrOneGroup if x or y is empty; ErrConstant if all values are equal.
func MannWhitney(x, y []float64) (RankTest, error) {
	x, y = sortedNumbers(x), sortedNumbers(y)
	if len(x) == 0 || len(y) == 0 {
		return RankTest{}, ErrOneGroup
	}
	m, n := float64(len(x)), float64(len(y))
	sums, ties := rankSums([][]float64{x, y})
	if ties == cube(m+n) {
		return RankTest{}, ErrConstant
	}
	t := RankTest{U: sums[0] - m*(m+1)/2, x: x, y: y}
	t.Superiority = t.U / (m * n)
	sigma := math.Sqrt(m * n / 12 * (m + n + 1 - ties/((m+n)*(m+n-1))))
	if t.Exact = len(x) < exactBelow && len(y) < exactBelow && ties == 0; t.Exact {
		p := mannWhitneyDistribution(len(x), len(y))
		u := int(min(t.U, m*n-t.U))
		t.P = min(1, 2*sumOf(p[:u+1]))
		t.LogP = math.Log(t.P)
		t.limitRank = quantileOf(p, (1-Confidence)/2)
	} else {
		z := t.U - m*n/2
		if z != 0 {
			z -= math.Copysign(0.5, z)
		}
		t.P, t.LogP = twoSided(z / sigma)
		t.limitRank = int(math.RoundToEven(m*n/2 - z975*sigma))
	}
	t.limitRank = max(t.limitRank, 1)
	return t, nil
}

// sortedNumbers returns a sorted copy without NaN and infinite values.
func sortedNumbers(v []float64) []float64 {
	v = slices.DeleteFunc(slices.Clone(v), func(x float64) bool { return math.IsNaN(x - x) }) // ∞ − ∞ is NaN
	slices.Sort(v)
	return v
}

func cube(x float64) float64 { return x*x*x - x }

// rankSums merges sorted groups. It returns the rank sum of each group, with ranks from 1 and
// middle ranks for ties, and Σ t³−t over the ties.
func rankSums(groups [][]float64) (sums []float64, ties float64) {
	sums = make([]float64, len(groups))
	tied := make([]int, len(groups)) // values of each group that equal the smallest remaining value
	next := make([]int, len(groups))
	for rank := 0; ; {
		least, left := math.Inf(1), false
		for g, values := range groups {
			if next[g] < len(values) {
				least, left = min(least, values[next[g]]), true
			}
		}
		if !left {
			return sums, ties
		}
		n := 0
		for g, values := range groups {
			tied[g] = 0
			for ; next[g] < len(values) && values[next[g]] == least; next[g]++ {
				tied[g]++
			}
			n += tied[g]
		}
		middle := float64(rank) + float64(n+1)/2
		for g := range groups {
			sums[g] += middle * float64(tied[g])
		}
		ties += cube(float64(n))
		rank += n
	}
}

// mannWhitney caches distributions by sample sizes; it takes at most 6 MB.
var mannWhitney sync.Map

// mannWhitneyDistribution returns P(U = u) for u = 0 … mn if there are no ties. The result must
// not be modified.
func mannWhitneyDistribution(m, n int) []float64 {
	sizes := [2]int{min(m, n), max(m, n)} // symmetric in m and n
	if p, ok := mannWhitney.Load(sizes); ok {
		return p.([]float64)
	}
	p := makeMannWhitney(sizes[0], sizes[1])
	mannWhitney.Store(sizes, p)
	return p
}

// makeMannWhitney computes mannWhitneyDistribution by Mann and Whitney's recursion. The greatest
// value belongs either to the sample of size m, and exceeds all n values of the other, or to the
// sample of size n.
func makeMannWhitney(m, n int) []float64 {
	count := make([][]float64, m+1) // for the n processed so far
	for i := range count {
		count[i] = []float64{1}
	}
	for j := 1; j <= n; j++ {
		for i := 1; i <= m; i++ {
			next := make([]float64, i*j+1)
			copy(next, count[i])
			for u, c := range count[i-1] {
				next[u+j] += c
			}
			count[i] = next
		}
	}
	p := count[m]
	all := sumOf(p)
	for u := range p {
		p[u] /= all
	}
	return p
}

func sumOf(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s
}

// quantileOf returns the smallest u with P(U ≤ u) ≥ q.
func quantileOf(p []float64, q float64) int {
	sum := 0.0
	for u, v := range p {
		if sum += v; sum >= q {
			return u
		}
	}
	return len(p) - 1
}

// KruskalTest holds a comparison of any number of samples.
type KruskalTest struct {
	Test
	EpsilonSquared float64 // effect size, 0 to 1: H / (n − 1) (Kelley, Proc Natl Acad Sci 1935; 21:554)
}

// KruskalWallis tests whether the values of some group tend to be greater than those of others
// (Kruskal and Wallis, J Am Stat Assoc 1952; 47:583), corrected for ties, by the chi-square
// approximation. It ignores NaN and infinite values and empty groups. Errors: ErrOneGroup,
// ErrConstant.
func KruskalWallis(groups ...[]float64) (KruskalTest, error) {
	var kept [][]float64
	n := 0.0
	for _, g := range groups {
		if g = sortedNumbers(g); len(g) > 0 {
			kept = append(kept, g)
			n += float64(len(g))
		}
	}
	if len(kept) < 2 {
		return KruskalTest{}, ErrOneGroup
	}
	sums, ties := rankSums(kept)
	if ties == cube(n) {
		return KruskalTest{}, ErrConstant
	}
	h := 0.0
	for g, s := range sums {
		h += s * s / float64(len(kept[g]))
	}
	h = (12*h/(n*(n+1)) - 3*(n+1)) / (1 - ties/cube(n))
	h = max(h, 0)
	return KruskalTest{chiSquareTest(h, len(kept)-1), h / (n - 1)}, nil
}
