package charts

import (
	"math"
	"strconv"
)

// An axis is a continuous scale.
type axis struct {
	min, max float64
	log      bool    // base 10; min must be positive
	integers bool    // values are counts: ticks are integers
	tickStep float64 // if not 0, the distance of ticks that include both ends
	months   bool    // values are months: ticks are at multiples of 6 or 12 on a long axis
	ticks    []tick  // replaces round ticks if not empty
	lines    int     // lines of the longest tick label; 0 means 1
}

type tick struct {
	at   float64
	text string
}

// span returns an axis from the least to the greatest finite value. Its ticks are integers if all
// values are. If zero is set, it includes 0, which bars require.
func span(zero bool, values ...float64) axis {
	a := axis{min: math.Inf(1), max: math.Inf(-1), integers: true}
	if zero {
		a.min, a.max = 0, 0
	}
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			a.min, a.max = min(a.min, v), max(a.max, v)
			a.integers = a.integers && v == math.Trunc(v)
		}
	}
	switch {
	case a.min > a.max:
		a.min, a.max = 0, 1
	case a.min == a.max && zero:
		a.max++
	case a.min == a.max:
		half := math.Max(.5, math.Abs(a.min)*.05)
		a.min, a.max = a.min-half, a.max+half
	}
	return a
}

// logarithmic returns a logarithmic axis from the least to the greatest positive value. If there
// is no positive value, it returns a.
func (a axis) logarithmic(values []float64) axis {
	l := axis{min: math.Inf(1), log: true}
	for _, v := range values {
		if v > 0 {
			l.min, l.max = math.Min(l.min, v), math.Max(l.max, v)
		}
	}
	switch {
	case l.max == 0:
		return a
	case l.min == l.max:
		l.min, l.max = l.min/2, l.max*2
	}
	return l
}

// pad extends the axis at both ends by a share of its length, but not past zero.
func (a axis) pad(share float64) axis {
	low, high := a.toLinear(a.min), a.toLinear(a.max)
	pad := share * (high - low)
	padded := a
	if padded.min, padded.max = a.fromLinear(low-pad), a.fromLinear(high+pad); a.min >= 0 {
		padded.min = math.Max(0, padded.min)
	}
	return padded
}

// toLinear maps a value to a linear scale: its base-10 logarithm if the axis is logarithmic.
func (a axis) toLinear(v float64) float64 {
	if a.log {
		return math.Log10(math.Max(v, 1e-300))
	}
	return v
}

// fromLinear is the inverse of toLinear.
func (a axis) fromLinear(at float64) float64 {
	if a.log {
		return math.Pow(10, at)
	}
	return at
}

// extendToTicks extends the axis so that it has about n ticks and ends at ticks.
func (a axis) extendToTicks(n int) axis {
	if a.log || len(a.ticks) > 0 {
		return a
	}
	step := a.step(n)
	a.tickStep = step
	a.min, a.max = math.Floor(a.min/step+1e-9)*step, math.Ceil(a.max/step-1e-9)*step
	return a
}

// roundTicks returns about n ticks at multiples of 1, 2 or 5 times a power of ten. On a
// logarithmic axis they are powers of ten and, if these are few, 2 and 5 times them.
func (a axis) roundTicks(n int) (ticks []tick) {
	if len(a.ticks) > 0 {
		return a.ticks
	}
	if a.log {
		return a.logTicks(n)
	}
	step := a.step(n)
	if step < 3*a.tickStep {
		step = a.tickStep
	}
	digits := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	first, last := math.Ceil(a.min/step-1e-9), math.Floor(a.max/step+1e-9)
	for i := first; i <= last; i++ {
		text := strconv.FormatFloat(i*step+0, 'f', digits, 64) // + 0 makes -0 positive
		if math.Abs(i*step) >= 1e7 || step < 1e-5 {
			text = number(i * step)
		}
		ticks = append(ticks, tick{i * step, text})
	}
	return ticks
}

func (a axis) logTicks(n int) (ticks []tick) {
	low, high := math.Floor(math.Log10(a.min)), math.Ceil(math.Log10(a.max))
	factors := []float64{1, 2, 5}
	if math.Log10(a.max/a.min) > 2 {
		factors = factors[:1]
	}
	every := math.Max(1, math.Ceil((high-low)/float64(max(n, 1))))
	for e := low; e <= high; e += every {
		for _, f := range factors {
			if v := f * math.Pow(10, e); v >= a.min*(1-1e-9) && v <= a.max*(1+1e-9) {
				ticks = append(ticks, tick{v, number(v)})
			}
		}
	}
	return ticks
}

// step returns the distance between about n ticks.
func (a axis) step(n int) float64 {
	raw := (a.max - a.min) / float64(max(n, 1))
	if a.integers {
		raw = math.Max(raw, 1)
	}
	for _, months := range []float64{1, 2, 3, 6, 12, 24, 36, 60, 120} {
		if a.months && raw > .5 && months >= raw*(1-1e-9) {
			return months
		}
	}
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= raw*(1-1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// share returns the position of a value on the axis, from 0 to 1. A value past an end is at the
// end.
func (a axis) share(v float64) float64 {
	low, high := a.toLinear(a.min), a.toLinear(a.max)
	return math.Max(0, math.Min(1, (a.toLinear(v)-low)/(high-low)))
}
