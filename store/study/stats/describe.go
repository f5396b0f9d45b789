package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
)

// Summary describes a sample. If the sample is empty, N is 0 and all other fields are NaN.
type Summary struct {
	N                              int
	Mean, Min, Q1, Median, Q3, Max float64
}

// Describe summarizes values, ignoring NaN and infinite values.
func Describe(values []float64) Summary {
	v := sortedNumbers(values)
	if len(v) == 0 {
		nan := math.NaN()
		return Summary{0, nan, nan, nan, nan, nan, nan}
	}
	return Summary{len(v), stat.Mean(v, nil), v[0], Quantile(v, 0.25), Quantile(v, 0.5), Quantile(v, 0.75), v[len(v)-1]}
}

// Mean returns the mean of values, NaN if there are none, rounded to 12 decimals unless the values are tiny
// or large. So the mean of 0.1 and 0.7 equals that of 0.3 and 0.5: a rounding error would break a tie.
func Mean(values []float64) float64 {
	mean, most := stat.Mean(values, nil), 0.0
	for _, v := range values {
		most = math.Max(most, math.Abs(v))
	}
	const scale = 1e12
	if most < 1e-3 || !(most < 1e3) {
		return mean
	}
	return math.Round(mean*scale) / scale
}

// Quantile returns the p-quantile of sorted values by linear interpolation between order
// statistics: type 7 of Hyndman and Fan (Am Stat 1996; 50:361), the default of R and NumPy. It
// returns NaN if there are no values or p is outside 0 to 1.
func Quantile(sorted []float64, p float64) float64 {
	if len(sorted) == 0 || !(p >= 0 && p <= 1) {
		return math.NaN()
	}
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i == len(sorted)-1 {
		return sorted[i]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// FalseDiscovery returns the q-values of p-values by the method of Benjamini and Hochberg (J R
// Stat Soc B 1995; 57:289), in the same order. A q-value is the expected share of false
// positives if all tests with a q-value at most as large are called significant. NaN stays NaN
// and does not count as a test. The p-values and the q-values are natural logarithms.
func FalseDiscovery(p []float64) []float64 {
	q := make([]float64, len(p))
	var order []int
	for i, v := range p {
		q[i] = math.NaN()
		if !math.IsNaN(v) {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(p[a], p[b]) })
	least := 0.0
	for rank := len(order); rank > 0; rank-- {
		i := order[rank-1]
		least = min(least, p[i]+math.Log(float64(len(order))/float64(rank)))
		q[i] = least
	}
	return q
}
