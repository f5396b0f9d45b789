package stats

import "math"

// FisherTest holds the result of Fisher's exact test of a two by two table.
type FisherTest struct {
	P         float64  // two-sided
	LogP      float64  // natural logarithm of P, finite even if P is 0 as a float64
	OddsRatio Interval // conditional; see Fisher
}

// Fisher tests the table
//
//	a b
//	c d
//
// given its margins (Fisher, J R Stat Soc 1935; 98:39). P is the probability of the tables
// that are at most as probable as the observed one, with R's tolerance of 1e-7. The odds
// ratio is the conditional maximum likelihood estimate with Cornfield's exact interval (Proc
// Third Berkeley Symp 1956; 4:135), solved to 1e-12: the limits are the odds ratios at which
// each tail has 2.5 %. The estimate is 0 or +Inf if the table is as extreme as its margins
// allow. If a margin is zero, all three numbers are NaN and P is 1. If a count is negative,
// Fisher returns ErrShape.
func Fisher(a, b, c, d int) (FisherTest, error) {
	if a < 0 || b < 0 || c < 0 || d < 0 {
		return FisherTest{}, ErrShape
	}
	h := newHypergeometric(a, b, c, d)
	nan := math.NaN()
	if len(h.logs) == 1 {
		return FisherTest{1, 0, Interval{nan, nan, nan}}, nil
	}
	seen := a - h.minCount
	t := FisherTest{OddsRatio: Interval{0, 0, math.Inf(1)}}
	t.P, t.LogP = h.atMost(seen)
	if seen == len(h.logs)-1 {
		t.OddsRatio.Estimate = math.Inf(1)
	}
	start := math.Log((float64(a) + 0.5) * (float64(d) + 0.5) / (float64(b) + 0.5) / (float64(c) + 0.5))
	const tail = (1 - Confidence) / 2
	if seen > 0 {
		t.OddsRatio.Low = math.Exp(root(start, func(logOdds float64) (float64, float64) {
			return h.upper(logOdds, seen, tail)
		}))
	}
	if seen < len(h.logs)-1 {
		t.OddsRatio.High = math.Exp(root(start, func(logOdds float64) (float64, float64) {
			return h.lower(logOdds, seen, tail)
		}))
		if seen > 0 {
			t.OddsRatio.Estimate = math.Exp(root(start, func(logOdds float64) (float64, float64) {
				mean, variance := moments(h.weights(logOdds))
				return mean - float64(seen), variance
			}))
		}
	}
	return t, nil
}

// FisherP returns only the p-value of Fisher and its logarithm, which is faster. If a margin is zero, P is 1.
func FisherP(a, b, c, d int) (p, logP float64, err error) {
	if a < 0 || b < 0 || c < 0 || d < 0 {
		return 0, 0, ErrShape
	}
	h := newHypergeometric(a, b, c, d)
	p, logP = h.atMost(a - h.minCount)
	return p, logP, nil
}

// hypergeometric is Fisher's noncentral hypergeometric distribution of the first cell, given
// the margins.
type hypergeometric struct {
	minCount int       // smallest value of the first cell
	logs     []float64 // log probability of each value from minCount on at odds ratio 1, up to a constant
	p        []float64 // buffer that weights reuses
}

func newHypergeometric(a, b, c, d int) *hypergeometric {
	row, column, rest := a+b, a+c, c+d
	least, most := max(0, column-rest), min(row, column)
	h := &hypergeometric{minCount: least, logs: make([]float64, most-least+1), p: make([]float64, most-least+1)}
	for x := least; x < most; x++ {
		ratio := float64(row-x) / float64(x+1) * float64(column-x) / float64(rest-column+x+1)
		h.logs[x-least+1] = h.logs[x-least] + math.Log(ratio)
	}
	return h
}

// atMost returns the probability of the tables that are at most as probable as the observed one at
// odds ratio 1, and its logarithm.
func (h *hypergeometric) atMost(seen int) (p, log float64) {
	all := h.weights(0)
	for _, v := range all {
		if v <= all[seen]*(1+1e-7) {
			p += v
		}
	}
	if p = min(p, 1); p >= tiny {
		return p, math.Log(p)
	}
	var some, total logSum
	for _, l := range h.logs {
		if total.add(l, 1); l <= h.logs[seen]+1e-7 {
			some.add(l, 1)
		}
	}
	log = some.log() - total.log()
	return math.Exp(log), log
}

// weights returns the probabilities at an odds ratio. They are valid until the next call.
func (h *hypergeometric) weights(logOdds float64) []float64 {
	most := math.Inf(-1)
	for i, l := range h.logs {
		h.p[i] = l + float64(i)*logOdds
		most = max(most, h.p[i])
	}
	sum := 0.0
	for i := range h.p {
		h.p[i] = math.Exp(h.p[i] - most)
		sum += h.p[i]
	}
	for i := range h.p {
		h.p[i] /= sum
	}
	return h.p
}

func moments(p []float64) (mean, variance float64) {
	for i, v := range p {
		mean += float64(i) * v
	}
	for i, v := range p {
		variance += (float64(i) - mean) * (float64(i) - mean) * v
	}
	return mean, variance
}

// upper returns log P(X ≥ seen) − log tail and its derivative with respect to the log odds
// ratio, E(X | X ≥ seen) − E(X).
func (h *hypergeometric) upper(logOdds float64, seen int, tail float64) (value, slope float64) {
	p := h.weights(logOdds)
	mean, _ := moments(p)
	in, sum := 0.0, 0.0
	for i := len(p) - 1; i >= seen; i-- {
		in += p[i]
		sum += float64(i) * p[i]
	}
	return math.Log(in / tail), sum/in - mean
}

// lower returns log tail − log P(X ≤ seen) and its derivative. Like upper, it is an increasing
// function.
func (h *hypergeometric) lower(logOdds float64, seen int, tail float64) (value, slope float64) {
	p := h.weights(logOdds)
	mean, _ := moments(p)
	in, sum := 0.0, 0.0
	for i := range seen + 1 {
		in += p[i]
		sum += float64(i) * p[i]
	}
	return math.Log(tail / in), mean - sum/in
}

// root returns the zero of an increasing function. It uses Newton's method and bisects the
// current bracket if a step would leave it.
func root(start float64, f func(x float64) (value, slope float64)) float64 {
	low, high := math.Inf(-1), math.Inf(1)
	x, reach := start, 1.0
	for range 200 {
		value, slope := f(x)
		if value < 0 {
			low = x
		} else {
			high = x
		}
		next := x - value/slope
		if !(next > low && next < high) {
			switch {
			case math.IsInf(high, 1):
				next, reach = low+reach, 2*reach
			case math.IsInf(low, -1):
				next, reach = high-reach, 2*reach
			default:
				next = low + (high-low)/2
			}
		}
		if math.Abs(next-x) <= 1e-13*(1+math.Abs(x)) {
			return next
		}
		x = next
	}
	return x
}
