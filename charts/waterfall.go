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
	merged: func(c *canvas, area rect, d SampleValues) string {
		every := c.samplesPerBar(area, d)
		if every == 1 {
			return ""
		}
		return fmt.Sprintf("One bar stands for up to %d samples and is as high as the greatest value among them.", every)
	},
	draw: drawWaterfall,
})

func (d SampleValues) descending() []Value {
	return slices.SortedStableFunc(slices.Values(d.List), func(a, b Value) int { return cmp.Compare(b.Value, a.Value) })
}

// samplesPerBar returns how many samples share a bar, which is at least two pixels wide, or a dot at a terminal.
// The height of the area has no effect.
func (c *canvas) samplesPerBar(area rect, d SampleValues) int {
	n := math.Max(1, float64(len(d.List)))
	width := area.width() - c.widest(d.axis().roundTicks(8)) - c.gap() - c.measure(number(n), tickSize)/2
	least := 2.0
	if c.cells {
		least = dotSize
	}
	return max(1, int(math.Ceil(n*least/width)))
}

// axis returns the axis of the values.
func (d SampleValues) axis() axis {
	values := make([]float64, len(d.List))
	for i, v := range d.List {
		values[i] = v.Value
	}
	return span(true, values...).extendToTicks(6)
}

func drawWaterfall(c *canvas, area rect, d SampleValues) {
	s := d.descending()
	n, every := float64(max(1, len(s))), c.samplesPerBar(area, d)
	c.xLabel = withSize(c.xLabel, len(s))
	p := c.plot(area, axis{max: n, integers: true}, d.axis(), 0)
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
