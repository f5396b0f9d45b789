package stats

import (
	"math"
	"slices"
)

// shift returns the Hodges-Lehmann estimate with its limits: the differences x − y of rank
// limitRank, counted from 1 from the smallest and from the greatest (Hollander and Wolfe,
// Nonparametric Statistical Methods, 1999, section 4.3). x and y must be sorted.
func shift(x, y []float64, limitRank int) Interval {
	n := len(x) * len(y)
	limitRank = min(limitRank, (n+1)/2)
	return Interval{medianDifference(x, y), difference(x, y, limitRank), difference(x, y, n+1-limitRank)}
}

// medianDifference returns the median of all differences x − y, which is not the difference of
// the medians (Hodges and Lehmann, Ann Math Stat 1963; 34:598). x and y must be sorted.
func medianDifference(x, y []float64) float64 {
	n := len(x) * len(y)
	middle := difference(x, y, (n+1)/2)
	if n%2 == 0 {
		middle = (middle + difference(x, y, n/2+1)) / 2
	}
	return middle
}

// difference returns the k-th smallest, from 1, of all differences x − y. It narrows a range
// that contains it, in turn by interpolation, at the middle, and at the middle of the
// representable floats, until the range holds few pairs, and sorts only those. It takes a few
// passes over the samples and little memory unless many differences are equal.
func difference(x, y []float64, k int) float64 {
	low, high := math.Nextafter(x[0]-y[len(y)-1], math.Inf(-1)), x[len(x)-1]-y[0]
	below, upTo := 0, len(x)*len(y)
	for turn := 0; upTo-below > 64+(len(x)+len(y))/8; turn++ {
		if math.Nextafter(low, high) == high {
			return high
		}
		at := low + (high-low)*(float64(k-below)-.5)/float64(upTo-below)
		switch turn % 3 {
		case 1:
			at = low + (high-low)/2
		case 2:
			at = floatFromBits(orderedBits(low) + (orderedBits(high)-orderedBits(low))/2)
		}
		if !(at > low && at < high) {
			continue
		}
		if n, last, next := differencesUpTo(x, y, at); n >= k {
			high, upTo = last, n
		} else {
			low, below = math.Nextafter(next, low), n
		}
	}
	var within []float64
	j := 0
	for _, a := range x {
		for j < len(y) && a-y[j] > high {
			j++
		}
		for i := j; i < len(y) && a-y[i] > low; i++ {
			within = append(within, a-y[i])
		}
	}
	slices.Sort(within)
	return within[k-below-1]
}

// differencesUpTo returns the number of differences that are at most v, the greatest of them,
// and the smallest of the others.
func differencesUpTo(x, y []float64, v float64) (n int, last, next float64) {
	j := 0
	last, next = math.Inf(-1), math.Inf(1)
	for _, a := range x {
		for j < len(y) && a-y[j] > v {
			j++
		}
		n += len(y) - j
		if j < len(y) {
			last = max(last, a-y[j])
		}
		if j > 0 {
			next = min(next, a-y[j-1])
		}
	}
	return n, last, next
}

// orderedBits maps floats to integers in the same order. floatFromBits is its inverse.
func orderedBits(f float64) uint64 {
	bits := math.Float64bits(f)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func floatFromBits(u uint64) float64 {
	if u>>63 == 1 {
		return math.Float64frombits(u &^ (1 << 63))
	}
	return math.Float64frombits(^u)
}
