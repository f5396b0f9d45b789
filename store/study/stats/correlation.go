package stats

import (
	"math"
	"slices"
	"sort"

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

// ranks returns the ranks of values, from 1, with middle ranks for ties.
func ranks(values []float64) []float64 {
	order := slices.Sorted(slices.Values(values))
	list := make([]float64, len(values))
	for i, v := range values {
		first := sort.SearchFloat64s(order, v)
		after := sort.Search(len(order), func(j int) bool { return order[j] > v })
		list[i] = float64(first+after+1) / 2
	}
	return list
}
