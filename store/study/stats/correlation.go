package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// CorrelationResult holds the correlation of two measurements of the same subjects. Undefined numbers
// are NaN.
type CorrelationResult struct {
	N    int
	R    Interval // Pearson's r; the interval uses Fisher's z (Metron 1921; 1:3) and needs at least 4 pairs
	P    float64  // two-sided, by t with n − 2 degrees of freedom; NaN if all points lie on a line
	LogP float64  // natural logarithm of P
	Rho  float64  // Spearman's rho: r of the ranks, with middle ranks for ties
	RhoP float64  // two-sided, by t as for R

	LogRhoP float64
}

// Correlation correlates x[i] with y[i] as R's cor.test does, with exact = FALSE for Spearman's
// rho. It ignores pairs with a NaN or infinite value. Errors: ErrShape; ErrEmpty for fewer than
// three pairs; ErrConstant.
func Correlation(x, y []float64) (CorrelationResult, error) {
	if len(x) != len(y) {
		return CorrelationResult{}, ErrShape
	}
	var a, b []float64
	for i := range x {
		if d := x[i] - y[i]; !math.IsNaN(d - d) {
			a, b = append(a, x[i]), append(b, y[i])
		}
	}
	nan := math.NaN()
	c := CorrelationResult{len(a), Interval{nan, nan, nan}, nan, nan, nan, nan, nan}
	if c.N < 3 {
		return c, ErrEmpty
	}
	if slices.Min(a) == slices.Max(a) || slices.Min(b) == slices.Max(b) {
		return c, ErrConstant
	}
	c.R.Estimate = math.Max(-1, math.Min(1, stat.Correlation(a, b, nil)))
	if c.N > 3 {
		z, half := math.Atanh(c.R.Estimate), z975/math.Sqrt(float64(c.N-3))
		c.R.Low, c.R.High = math.Tanh(z-half), math.Tanh(z+half)
	}
	c.P, c.LogP = studentP(c.R.Estimate, c.N)
	c.Rho = stat.Correlation(ranks(a), ranks(b), nil)
	c.RhoP, c.LogRhoP = studentP(c.Rho, c.N)
	return c, nil
}

// A RankCorrelation is Spearman's rho of two measurements of the same subjects.
type RankCorrelation struct {
	N    int     // number of pairs
	Rho  float64 // r of the ranks, with middle ranks for ties
	P    float64 // two-sided, by t with n − 2 degrees of freedom; NaN if rho is 1 or -1
	LogP float64 // natural logarithm of P
}

// A RankedSample is a measurement to be correlated with many others. It may be used concurrently.
type RankedSample struct {
	values []float64
	n      int       // number of finite values
	ranks  []float64 // ranks of the finite values, in order
}

// NewRankedSample returns the values with their ranks. They must not be modified afterwards.
func NewRankedSample(values []float64) *RankedSample {
	own := finite(values)
	return &RankedSample{values, len(own), ranks(own)}
}

// Spearman correlates the sample with y, as R's cor.test does with exact = FALSE. It ignores pairs
// with a NaN or infinite value. If there is an error, only N is defined. Errors: ErrShape; ErrEmpty
// for fewer than three pairs; ErrConstant.
func (s *RankedSample) Spearman(y []float64) (RankCorrelation, error) {
	if len(s.values) != len(y) {
		return RankCorrelation{}, ErrShape
	}
	a, b := make([]float64, 0, s.n), make([]float64, 0, s.n)
	for i, x := range s.values {
		if d := x - y[i]; !math.IsNaN(d - d) {
			a, b = append(a, x), append(b, y[i])
		}
	}
	c := RankCorrelation{N: len(a)}
	if c.N < 3 {
		return c, ErrEmpty
	}
	if slices.Min(a) == slices.Max(a) || slices.Min(b) == slices.Max(b) {
		return c, ErrConstant
	}
	if b = ranks(b); len(a) == s.n {
		a = s.ranks
	} else {
		a = ranks(a)
	}
	c.Rho = math.Max(-1, math.Min(1, stat.Correlation(a, b, nil)))
	c.P, c.LogP = studentP(c.Rho, c.N)
	return c, nil
}

// ranks returns the ranks of values, from 1, with middle ranks for ties.
func ranks(values []float64) []float64 {
	type placed struct {
		value float64
		place int
	}
	order := make([]placed, len(values))
	for i, v := range values {
		order[i] = placed{v, i}
	}
	slices.SortFunc(order, func(a, b placed) int { return cmp.Compare(a.value, b.value) })
	list := make([]float64, len(values))
	for i := 0; i < len(order); {
		after := i + 1
		for after < len(order) && order[after].value == order[i].value {
			after++
		}
		for _, tied := range order[i:after] {
			list[tied.place] = float64(i+after+1) / 2
		}
		i = after
	}
	return list
}
