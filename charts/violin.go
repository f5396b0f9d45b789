package charts

import (
	"math"
	"slices"
)

// A violin plot shows the kernel density of each sample on both sides of a line, with
// the quartiles as a bar and the median as a dot (Hintze and Nelson 1998).
var _ = register(sampleByBand("violin", "Violin", (*canvas).drawViolin))

func (c *canvas) drawViolin(b bands, i int, name string, sorted, points []float64) {
	x := c.axisOf(sorted)
	at := x.grid(100)
	density := x.density(sorted, at)
	if density == nil {
		c.mark(name + ": " + number(sorted[0]))
		c.line(stroke{color: c.color(i), width: 2}, b.at(i, .3, sorted[0]), b.at(i, .7, sorted[0]))
		return
	}
	maxDensity := slices.Max(density)
	outline := make([]point, 2*len(at))
	for j, y := range at {
		outline[j], outline[len(outline)-1-j] = b.at(i, .5+.42*density[j]/maxDensity, y), b.at(i, .5-.42*density[j]/maxDensity, y)
	}
	q1, median, q3 := quantile(sorted, .25), quantile(sorted, .5), quantile(sorted, .75)
	c.mark(name + ": median " + number(median) + ", quartiles " + number(q1) + " and " + number(q3))
	c.polygon(translucent(c.color(i), .4), stroke{color: c.color(i), width: 1.2}, outline...)
	c.jitter(b, i, points, func(v float64) float64 { return .38 * density[int(x.share(v)*float64(len(at)-1)+.5)] / maxDensity })
	c.box(b.bar(i, .48, .52, q1, q3), c.look.text, stroke{})
	c.circle(b.at(i, .5, median), 3.5, c.background, stroke{color: c.look.text, width: 1.5})
}

// A ridgeline plot shows the kernel densities of samples below each other on one axis. All have
// the same height, as violins have the same width; otherwise a small group with similar values
// would flatten the others.
var _ = register(kind[Samples]{
	name: "ridgeline", xLabel: groupLabel, yLabel: valueLabel,
	height: func(d Samples) float64 { return math.Max(defaultHeight, 140+48*float64(len(d.Groups))) },
	note: func(d Samples) string {
		if len(d.Groups) < 2 {
			return ""
		}
		return "Each curve has the same height."
	},
	values:   func(d Samples) []float64 { return valuesOf(d.Groups) },
	describe: func(d Samples) string { return "Ridgeline plot. " + describeSamples(d.Groups) },
	draw: func(c *canvas, area rect, d Samples) {
		value := c.axisOf(valuesOf(d.Groups))
		at := value.grid(200)
		b := c.uprightBands(bands{rect: area, upright: true, n: max(1, len(d.Groups)), value: value}, sizedNames(d.Groups))
		for i, s := range d.Groups {
			v := sortFinite(s.Values)
			curve := value.density(v, at)
			line := make([]point, len(curve))
			for j := range curve {
				line[j] = b.at(i, .95-.9*curve[j]/slices.Max(curve), at[j])
			}
			first, last := b.at(i, .95, at[0]), b.at(i, .95, at[len(at)-1])
			outline := slices.Concat([]point{first}, line, []point{last}) // not drawn without a curve
			c.polygon(translucent(c.color(i), .7), stroke{}, outline...)
			c.line(stroke{color: c.color(i), width: 1.5}, line...)
			if len(v) > 0 {
				m := quantile(v, .5)
				c.mark(s.Name + ": median " + number(m))
				c.line(stroke{color: c.look.text, width: 1.5}, b.at(i, .95, m), b.at(i, .6, m))
			}
		}
	},
})
