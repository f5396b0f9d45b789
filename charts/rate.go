package charts

import (
	"fmt"
	"math"
	"slices"
)

// Rates holds the rates of groups.
type Rates struct {
	Labels // Value names the rates without a unit; they are drawn in per cent
	List   []Rate
}

// A Rate is K of N. Low and High are its confidence interval, from 0 to 1, or NaN.
type Rate struct {
	Name      string
	K, N      int
	Low, High float64
}

func (r Rate) text() string {
	if r.N == 0 {
		return "-"
	}
	return Percent(float64(r.K) / float64(r.N))
}

// Percent formats a share from 0 to 1 in per cent with one decimal. A small positive share
// becomes "<0.1 %", never "0.0 %".
func Percent(share float64) string {
	if share > 0 && share < .0005 {
		return "<0.1 %"
	}
	return fmt.Sprintf("%.1f %%", 100*share)
}

// A bar chart of rates has the colours of the groups, and a line for each confidence interval.
var _ = register(kind[Rates]{
	name: "bar", xLabel: groupLabel, yLabel: func(l Labels) string { return l.Value + " (%)" },
	height: func(d Rates) float64 { return heightFor(len(d.List)) },
	note: func(d Rates) string {
		if slices.ContainsFunc(d.List, func(r Rate) bool { return !math.IsNaN(r.Low) }) {
			return "Lines are 95 % confidence intervals (Wilson)."
		}
		return ""
	},
	describe: func(d Rates) string {
		text := "Bar chart of rates."
		for _, r := range d.List {
			text += fmt.Sprintf(" %s: %d of %d, %s", r.Name, r.K, r.N, r.text())
			if !math.IsNaN(r.Low) {
				text += fmt.Sprintf(" (%s to %s)", Percent(r.Low), Percent(r.High))
			}
			text += "."
		}
		return text
	},
	draw: func(c *canvas, area rect, d Rates) {
		shares := make([]Share, len(d.List))
		for i, r := range d.List {
			shares[i] = Share{fmt.Sprintf("%s (%d of %d)", r.Name, r.K, r.N), float64(r.K) / float64(r.N), r.Low, r.High}
		}
		c.drawShares(area, shares)
	},
})

// whiskers draws an interval along the middle of a band, with a short line at each end.
func (c *canvas) whiskers(b bands, i int, s stroke, low, high float64) {
	half := math.Min(.12, 10/b.breadth())
	c.line(s, b.at(i, .5, low), b.at(i, .5, high))
	for _, v := range []float64{low, high} {
		c.line(s, b.at(i, .5-half, v), b.at(i, .5+half, v))
	}
}
