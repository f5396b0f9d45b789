package charts

import (
	"math"
	"slices"
)

// Ridgeline shows the kernel density of each sample over one axis, under each other;
// all have the same area.
type Ridgeline struct {
	Labels
	Samples []Sample
}

func (ch Ridgeline) Describe() string { return "Ridgeline plot. " + describeSamples(ch.Samples) }

func (ch Ridgeline) size() (width, height float64) {
	return defaultWidth, math.Max(defaultHeight, 140+48*float64(len(ch.Samples)))
}

func (ch Ridgeline) draw(c *canvas, area rect) {
	at, value := grid(ch.Samples, 200)
	value.label = ch.Y // samples are on the vertical axis
	b := bands{rect: area, upright: true, n: max(1, len(ch.Samples)), value: value}
	names := make([]string, len(ch.Samples))
	for i, s := range ch.Samples {
		names[i] = s.Name + " (n=" + number(float64(len(finite(s.Values)))) + ")"
	}
	b = c.uprightBands(b, names, ch.X)
	most := 0.0
	curves := make([][]float64, len(ch.Samples))
	for i, s := range ch.Samples {
		if curves[i] = kernelDensity(sorted(s.Values), at); curves[i] != nil {
			most = max(most, slices.Max(curves[i]))
		}
	}
	for i, curve := range curves {
		line := make([]point, len(curve))
		for j := range curve {
			line[j] = b.at(i, .95-.9*curve[j]/most, at[j])
		}
		area := append(append([]point{b.at(i, .95, at[0])}, line...), b.at(i, .95, at[len(at)-1])) // none without a curve
		c.mark(ch.Samples[i].Name)
		c.polygon(translucent(c.color(i), .7), stroke{}, area...)
		c.line(stroke{color: c.color(i), width: 1.5}, line...)
		if v := sorted(ch.Samples[i].Values); len(v) > 0 {
			m := quantile(v, .5)
			c.mark("median " + number(m))
			c.line(stroke{color: c.look.text, width: 1.5}, b.at(i, .95, m), b.at(i, .6, m))
		}
	}
}
