package stats

import "math"

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

// difference is the k-th smallest, from 1, of all x − y, found by halving the range
// of numbers: it takes no memory for the pairs, and 64 passes over the samples.
func difference(x, y []float64, k int) float64 {
	low, high := ordered(x[0]-y[len(y)-1]), ordered(x[len(x)-1]-y[0])
	for low < high {
		middle := low + (high-low)/2
		if differencesUpTo(x, y, unordered(middle)) >= k {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return unordered(low)
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
