package charts

import (
	"fmt"
	"math"
	"strings"
)

// Expectations holds observed counts with the counts that are expected by chance.
type Expectations struct {
	Labels
	List []Expectation
}

// An Expectation is an observed count with its expected count.
type Expectation struct {
	Name               string
	Observed, Expected float64
}

func (e Expectation) text() string {
	return number(e.Observed) + " (expected " + fmt.Sprintf("%.1f", e.Expected) + ")"
}

// A bar chart of expectations has a bar for each observed count, and a line across the bar at
// its expected count.
var _ = register(kind[Expectations]{
	name: "bar", xLabel: groupLabel, yLabel: valueLabel,
	height: func(d Expectations) float64 { return heightFor(len(d.List)) },
	describe: func(d Expectations) string {
		parts := make([]string, len(d.List))
		for i, e := range d.List {
			parts[i] = e.Name + ": " + e.text()
		}
		return "Bar chart of observed and expected counts. " + strings.Join(parts, "; ") + "."
	},
	draw: func(c *canvas, area rect, d Expectations) {
		names, values := make([]string, len(d.List)), make([]float64, len(d.List))
		room := 0.0
		for i, e := range d.List {
			names[i], values[i] = e.Name, math.Max(e.Observed, e.Expected)
			room = math.Max(room, c.measure(e.text(), tickSize)+c.cellGap()+8)
		}
		area = c.legend(area, []key{
			{name: "Expected if independent", color: c.look.text, line: true},
			{name: "Observed", color: c.color(0)},
		})
		b := c.bands(area, names, span(true, values...).extendToTicks(6), room)
		for i, e := range d.List {
			c.mark(e.Name + ": " + e.text())
			c.box(b.bar(i, .15, .85, 0, e.Observed), c.color(0), stroke{})
			line := stroke{color: c.look.text, width: 3}
			c.line(stroke{color: c.background, width: 5}, b.at(i, .08, e.Expected), b.at(i, .92, e.Expected))
			c.line(line, b.at(i, .08, e.Expected), b.at(i, .92, e.Expected))
			end := b.bar(i, .15, .85, 0, values[i])
			end.x1, end.y0 = end.x1+3, end.y0-3 // past half of the line
			c.barValue(b, end, e.text(), c.color(0))
		}
	},
})
