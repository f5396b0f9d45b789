package stats

import (
	"math"
	"slices"
)

// shift is the median of all differences x − y (Hodges and Lehmann, Ann Math Stat
// 1963; 34:598), and as its limits the differences that have outside−1 beyond them
// (Hollander and Wolfe, Nonparametric Statistical Methods, 1999, section 4.3). x and y
// are sorted; outside counts from 1.
func shift(x, y []float64, outside int) Interval {
	n := len(x) * len(y)
	outside = min(outside, (n+1)/2)
	middle := difference(x, y, (n+1)/2)
	if n%2 == 0 {
		middle = (middle + difference(x, y, n/2+1)) / 2
	}
	return Interval{middle, difference(x, y, outside), difference(x, y, n+1-outside)}
}

// difference is the k-th smallest, from 1, of all x − y. A range that holds it is
// halved, by value and by the numbers that floats can hold in turn, until few pairs
// are left in it; they alone are sorted. It takes a dozen passes over the samples and
// memory for about as many numbers.
func difference(x, y []float64, k int) float64 {
	low, high := math.Nextafter(x[0]-y[len(y)-1], math.Inf(-1)), x[len(x)-1]-y[0]
	below, upTo := 0, len(x)*len(y)
	for turn := 0; upTo-below > len(x)+len(y); turn++ {
		middle := low + (high-low)/2
		if turn%2 == 1 {
			middle = unordered(ordered(low) + (ordered(high)-ordered(low))/2)
		}
		if !(middle > low && middle < high) {
			if math.Nextafter(low, high) == high {
				return high
			}
			continue
		}
		if n := differencesUpTo(x, y, middle); n >= k {
			high, upTo = middle, n
		} else {
			low, below = middle, n
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

// differencesUpTo is how many differences are at most v.
func differencesUpTo(x, y []float64, v float64) int {
	n, j := 0, 0
	for _, a := range x {
		for j < len(y) && a-y[j] > v {
			j++
		}
		n += len(y) - j
	}
	return n
}

// ordered maps numbers to integers of the same order; unordered maps them back.
func ordered(f float64) uint64 {
	bits := math.Float64bits(f)
	if bits>>63 == 1 {
		return ^bits
	}
	return bits | 1<<63
}

func unordered(u uint64) float64 {
	if u>>63 == 1 {
		return math.Float64frombits(u &^ (1 << 63))
	}
	return math.Float64frombits(^u)
}
