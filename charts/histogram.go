package charts

import (
	"fmt"
	"math"
	"slices"
)

// A Distribution holds the measurements of one group.
type Distribution struct {
	Labels
	Values []float64
}

// A histogram counts values in bins of equal width. The number of bins is the rounded square root
// of the number of values, at least 5 and at most 20.
var _ = register(kind[Distribution]{
	name: "histogram", xLabel: valueLabel, yLabel: fixedLabel("Count"),
	describe: func(d Distribution) string {
		list, _ := bins(finite(d.Values))
		return fmt.Sprintf("Histogram of %d values. ", len(finite(d.Values))) + describeValues(list)
	},
	draw: func(c *canvas, area rect, d Distribution) {
		list, x := bins(finite(d.Values))
		heights, width := make([]float64, len(list)), (x.max-x.min)/float64(len(list))
		for i, b := range list {
			heights[i] = b.Value
		}
		p := c.plot(area, x, span(true, heights...).extendToTicks(6), 0)
		for i, b := range list {
			if b.Value == 0 {
				continue
			}
			from, to := p.at(x.min+float64(i)*width, 0), p.at(x.min+float64(i+1)*width, b.Value)
			c.mark(b.Name + ": " + number(b.Value))
			c.box(rect{from.x, to.y, to.x, from.y}, c.color(0), stroke{c.background, 1, nil})
		}
	},
})

// bins counts values between equidistant edges from one end of an axis to the other.
func bins(values []float64) ([]Value, axis) {
	list := make([]Value, max(5, min(20, int(math.Round(math.Sqrt(float64(len(values))))))))
	x := span(false, values...)
	x.integers = false
	width := (x.max - x.min) / float64(len(list))
	for i := range list {
		list[i].Name = number(x.min+float64(i)*width) + " to " + number(x.min+float64(i+1)*width)
	}
	for _, v := range values {
		list[min(len(list)-1, int((v-x.min)/width))].Value++
	}
	return list, x
}

// finite returns the values that are neither NaN nor infinite.
func finite(values []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(values), func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) })
}
