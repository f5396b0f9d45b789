package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// SampleValues holds one number for each sample.
type SampleValues struct {
	Labels
	List []Value
}

// A waterfall chart shows the numbers in descending order. If there are more samples than fit,
// several share a bar, which shows the greatest of them.
var _ = register(kind[SampleValues]{
	name: "waterfall", xLabel: groupLabel, yLabel: valueLabel,
	describe: func(d SampleValues) string {
		s := d.descending()
		if len(s) == 0 {
			return "Waterfall chart of no samples."
		}
		last := s[len(s)-1]
		return fmt.Sprintf("Waterfall chart of %d samples, from %s (%s) to %s (%s).",
			len(s), s[0].Name, number(s[0].Value), last.Name, number(last.Value))
	},
	draw: drawWaterfall,
})

func (d SampleValues) descending() []Value {
	return slices.SortedStableFunc(slices.Values(d.List), func(a, b Value) int { return cmp.Compare(b.Value, a.Value) })
}

func drawWaterfall(c *canvas, area rect, d SampleValues) {
	s := d.descending()
	values := make([]float64, len(s))
	for i, v := range s {
		values[i] = v.Value
	}
	n := float64(max(1, len(s)))
	c.xLabel = withSize(c.xLabel, len(s))
	p := c.plot(area, axis{max: n, integers: true}, span(true, values...).extendToTicks(6), 0)
	every := max(1, int(math.Ceil(n/(p.width()/2))))
	if c.cells {
		every = max(1, int(math.Ceil(n/(p.width()/dotSize))))
	}
	for i := 0; i < len(s); i += every {
		end := math.Min(n, float64(i+every))
		a, b := p.at(float64(i), 0), p.at(end, s[i].Value)
		if gap := b.x - a.x; gap > 4 {
			b.x--
		}
		name := s[i].Name
		if every > 1 {
			name = fmt.Sprintf("%s and %d more", name, int(end)-i-1)
		}
		c.mark(name + ": " + number(s[i].Value))
		c.box(rect{a.x, math.Min(a.y, b.y), b.x, math.Max(a.y, b.y)}, c.color(0), stroke{})
	}
}
