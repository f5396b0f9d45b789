package evaluate

import "math/rand/v2"

// Bootstrap compares two systems on the same queries by the values of one measure:
// the mean difference a − b, and the two-sided p-value that it is 0, from resamples
// of the queries (B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993,
// algorithm 16.2, shifted to a mean of 0). It is the same in every run.
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
