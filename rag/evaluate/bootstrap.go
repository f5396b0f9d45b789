package evaluate

import (
	"math/rand/v2"
	"slices"
)

// Bootstrap compares the values of one measure of two systems on the same queries. It returns
// the mean difference a − b, and the two-sided p-value of the hypothesis that it is zero, from
// resamples of the queries (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993,
// algorithm 16.2, shifted to a mean of zero). The result is reproducible.
func Bootstrap(a, b []float64) (difference, p float64) {
	const resamples = 10_000
	n := len(a)
	if n == 0 {
		return 0, 1
	}
	d := make([]float64, n)
	for i := range d {
		d[i] = a[i] - b[i]
		difference += d[i] / float64(n)
	}
	random := rand.New(rand.NewPCG(1, uint64(n)))
	extreme := 0
	for range resamples {
		sum := 0.0
		for range n {
			sum += d[random.IntN(n)]
		}
		if abs(sum/float64(n)-difference) >= abs(difference)-1e-12 {
			extreme++
		}
	}
	return difference, float64(extreme+1) / (resamples + 1)
}

func abs(x float64) float64 { return max(x, -x) }

// Interval returns the mean difference a − b of paired values, and the bounds of 95 % of its
// values in resamples of the queries (the percentile interval, B. Efron, R. Tibshirani, chapter
// 13). The result is reproducible.
func Interval(a, b []float64) (difference, low, high float64) {
	const resamples = 10_000
	n := len(a)
	if n == 0 {
		return 0, 0, 0
	}
	for i := range a {
		difference += (a[i] - b[i]) / float64(n)
	}
	random, means := rand.New(rand.NewPCG(2, uint64(n))), make([]float64, resamples)
	for r := range means {
		for range n {
			i := random.IntN(n)
			means[r] += (a[i] - b[i]) / float64(n)
		}
	}
	slices.Sort(means)
	return difference, means[resamples/40], means[resamples-1-resamples/40]
}
