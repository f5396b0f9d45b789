package charts

import (
	"fmt"
	"math"
	"slices"
)

// Shares holds an estimated share of each group, such as its survival at a landmark.
type Shares struct {
	Labels // Value names the shares without a unit; they are drawn in per cent
	List   []Share
}

// A Share is an estimate from 0 to 1 with its confidence interval. Each number may be NaN.
type Share struct {
	Name             string
	Value, Low, High float64
}

func (s Share) text() string {
	if math.IsNaN(s.Value) {
		return "no estimate"
	}
	return Percent(s.Value)
}

// A bar chart of shares has the colours of the groups, and a line for each confidence interval.
var _ = register(kind[Shares]{
	name: "bar", xLabel: groupLabel, yLabel: func(l Labels) string { return l.Value + " (%)" },
	height: func(d Shares) float64 { return heightFor(len(d.List)) },
	note: func(d Shares) string {
		if slices.ContainsFunc(d.List, func(s Share) bool { return !math.IsNaN(s.Low) }) {
			return "Lines are 95 % confidence intervals."
		}
		return ""
	},
	describe: func(d Shares) string {
		text := "Bar chart of " + d.Value + "."
		for _, s := range d.List {
			text += " " + s.Name + ": " + s.text()
			if !math.IsNaN(s.Low) {
				text += fmt.Sprintf(" (%s to %s)", Percent(s.Low), Percent(s.High))
			}
			text += "."
		}
		return text
	},
	draw: func(c *canvas, area rect, d Shares) { c.drawShares(area, d.List) },
})

// drawShares draws a bar and an interval for each share.
func (c *canvas) drawShares(area rect, shares []Share) {
	names, values := make([]string, len(shares)), []float64{}
	for i, s := range shares {
		if names[i] = s.Name; !math.IsNaN(s.Value) {
			values = append(values, 100*math.Max(s.Value, replaceNaN([]float64{s.High}, []float64{s.Value})[0]))
		}
	}
	x := span(true, values...).extendToTicks(6)
	x.max = math.Min(x.max, 100)
	b := c.bands(area, names, x, c.measure("100.0 %", tickSize)+c.cellGap())
	for i, s := range shares {
		if math.IsNaN(s.Value) {
			continue
		}
		share := 100 * s.Value
		c.mark(names[i] + ": " + s.text())
		end := b.bar(i, .15, .85, 0, share)
		c.box(end, c.color(i), stroke{})
		if !math.IsNaN(s.Low) {
			c.whiskers(b, i, stroke{color: c.look.text, width: 1.5}, 100*s.Low, 100*s.High)
			end = b.bar(i, .15, .85, 0, math.Max(share, 100*s.High))
		}
		c.barValue(b, end, s.text(), c.color(i))
	}
}
