package charts

import (
	"fmt"
	"math"
)

// Histogram counts values in bins of equal width: as many as the rounded square root
// of the number of values, at least 5 and at most 20.
type Histogram struct {
	Labels
	Values []float64
}

func (ch Histogram) Describe() string {
	return fmt.Sprintf("Histogram of %d values. ", len(finite(ch.Values))) + listed(ch.bins())
}

func (ch Histogram) size() (width, height float64) { return defaultWidth, defaultHeight }

func finite(values []float64) []float64 {
	kept := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			kept = append(kept, v)
		}
	}
	return kept
}

func (ch Histogram) edges() (low, width float64, n int) {
	values := finite(ch.Values)
	n = max(5, min(20, int(math.Round(math.Sqrt(float64(len(values)))))))
	a := span("", false, values...)
	return a.min, (a.max - a.min) / float64(n), n
}

func (ch Histogram) bins() []Value {
	low, width, n := ch.edges()
	bins := make([]Value, n)
	for i := range bins {
		bins[i].Name = number(low+float64(i)*width) + " to " + number(low+float64(i+1)*width)
	}
	for _, v := range finite(ch.Values) {
		bins[min(n-1, int((v-low)/width))].Value++
	}
	return bins
}

func (ch Histogram) draw(c *canvas, area rect) {
	bins := ch.bins()
	counts := make([]float64, len(bins))
	for i, b := range bins {
		counts[i] = b.Value
	}
	low, width, n := ch.edges()
	x := axis{label: ch.X, min: low, max: low + float64(n)*width}
	p := c.plot(area, x, span(ch.Y, true, counts...).rounded(6), 0)
	for i, b := range bins {
		from, to := p.at(low+float64(i)*width, 0), p.at(low+float64(i+1)*width, b.Value)
		c.mark(b.Name + ": " + number(b.Value))
		c.box(rect{from.x, to.y, to.x, from.y}, c.color(0), stroke{c.background, 1, nil})
	}
}
