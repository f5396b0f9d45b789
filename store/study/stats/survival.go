package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Obs is the follow-up of one subject: the time at which it ended, in any unit, and whether it
// ended with the event or was censored.
type Obs struct {
	Time  float64
	Event bool
}

// A Curve is a Kaplan-Meier estimate. It is undefined after Last.
type Curve struct {
	N, Events int
	Last      float64 // the longest follow-up
	Points    []Point // one for each distinct time, ascending, without time 0
}

// A Point is the estimate from one distinct time on. Low and High are NaN if Survival is 0 or
// 1, because the log-log interval is undefined there.
type Point struct {
	Time             float64
	AtRisk           int // number with follow-up to Time or longer
	Events, Censored int // at Time; events precede censorings
	Survival         float64
	Low, High        float64
}

// KaplanMeier returns the product-limit estimate (Kaplan and Meier, J Am Stat Assoc 1958;
// 53:457) with Greenwood's variance and the log-log interval of Kalbfleisch and Prentice (The
// Statistical Analysis of Failure Time Data, 1980, section 1.3). If a time is negative or not
// finite, it returns ErrTime; without observations it returns ErrEmpty. It takes n log n steps.
func KaplanMeier(obs []Obs) (*Curve, error) {
	if err := checkTimes(obs); err != nil {
		return nil, err
	}
	sorted := slices.SortedFunc(slices.Values(obs), func(a, b Obs) int { return cmp.Compare(a.Time, b.Time) })
	c := &Curve{N: len(obs), Last: sorted[len(sorted)-1].Time}
	survival, variance := 1.0, 0.0
	for i := 0; i < len(sorted); {
		p := Point{Time: sorted[i].Time, AtRisk: len(sorted) - i}
		for ; i < len(sorted) && sorted[i].Time == p.Time; i++ {
			if sorted[i].Event {
				p.Events++
			} else {
				p.Censored++
			}
		}
		if n, d := float64(p.AtRisk), float64(p.Events); d > 0 {
			survival *= (n - d) / n
			variance += d / (n * (n - d))
		}
		p.Survival = survival
		p.Low, p.High = logLog(survival, variance)
		c.Events += p.Events
		c.Points = append(c.Points, p)
	}
	return c, nil
}

func checkTimes(obs []Obs) error {
	if len(obs) == 0 {
		return ErrEmpty
	}
	for _, o := range obs {
		if !(o.Time >= 0) || math.IsInf(o.Time, 1) {
			return ErrTime
		}
	}
	return nil
}

// logLog returns the log-log interval S^exp(±z·σ/ln S), where σ² is Greenwood's sum.
func logLog(s, variance float64) (low, high float64) {
	if s <= 0 || s >= 1 {
		return math.NaN(), math.NaN()
	}
	half := z975 * math.Sqrt(variance) / math.Log(s)
	return math.Pow(s, math.Exp(-half)), math.Pow(s, math.Exp(half))
}

// Median returns the first time at which the estimate is 0.5 or less. Its limits are the first
// times at which the limits of the curve are 0.5 or less (Brookmeyer and Crowley, Biometrics
// 1982; 38:29). Each number is NaN if 0.5 was not reached.
func (c *Curve) Median() Interval {
	first := func(of func(Point) float64) float64 {
		for _, p := range c.Points {
			if of(p) <= 0.5+1e-9 { // allows for rounding in a product of fractions
				return p.Time
			}
		}
		return math.NaN()
	}
	return Interval{
		first(func(p Point) float64 { return p.Survival }),
		first(func(p Point) float64 { return p.Low }),
		first(func(p Point) float64 { return p.High }),
	}
}

// At returns the estimate at a time. ok is false after the longest follow-up. Before the first
// time, survival is 1 and all subjects are at risk.
func (c *Curve) At(t float64) (p Point, ok bool) {
	if !(t <= c.Last) {
		return Point{}, false
	}
	p = Point{Survival: 1, Low: math.NaN(), High: math.NaN()}
	if i := c.after(t); i > 0 {
		p = c.Points[i-1]
		p.Events, p.Censored = 0, 0
		if p.Time == t {
			p.Events, p.Censored = c.Points[i-1].Events, c.Points[i-1].Censored
		}
	}
	p.Time, p.AtRisk = t, c.AtRisk(t)
	return p, true
}

// AtRisk returns the number of subjects followed to t or longer.
func (c *Curve) AtRisk(t float64) int {
	i := sort.Search(len(c.Points), func(i int) bool { return c.Points[i].Time >= t })
	if i == len(c.Points) {
		return 0
	}
	return c.Points[i].AtRisk
}

// after returns the number of points at or before t.
func (c *Curve) after(t float64) int {
	return sort.Search(len(c.Points), func(i int) bool { return c.Points[i].Time > t })
}

// RestrictedMean returns the area below the curve up to the time to, with a normal interval
// from its variance (Klein and Moeschberger, Survival Analysis, 2003, section 4.5). If to is
// after the longest follow-up, it is NaN unless the curve has reached 0.
func (c *Curve) RestrictedMean(to float64) Interval {
	last := c.Points[len(c.Points)-1]
	if to > c.Last && last.Survival > 0 || !(to >= 0) {
		return Interval{math.NaN(), math.NaN(), math.NaN()}
	}
	points := c.Points[:c.after(to)]
	right := make([]float64, len(points)) // area from each point to the end
	area, end := 0.0, to
	for i, p := range slices.Backward(points) {
		area += p.Survival * (end - p.Time)
		right[i], end = area, p.Time
	}
	area += end
	var variance float64
	for i, p := range points {
		if n, d := float64(p.AtRisk), float64(p.Events); n > d {
			variance += right[i] * right[i] * d / (n * (n - d))
		}
	}
	half := z975 * math.Sqrt(variance)
	return Interval{area, area - half, area + half}
}

// MedianFollowUp returns the median follow-up that there would have been without events: the
// Kaplan-Meier median with events and censorings exchanged (Schemper and Smith, Control Clin
// Trials 1996; 17:343).
func MedianFollowUp(obs []Obs) (Interval, error) {
	reversed := make([]Obs, len(obs))
	for i, o := range obs {
		reversed[i] = Obs{o.Time, !o.Event}
	}
	c, err := KaplanMeier(reversed)
	if err != nil {
		return Interval{}, err
	}
	return c.Median(), nil
}
