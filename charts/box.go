package charts

import "math"

// Box shows of each sample the median, the quartiles, whiskers to the outermost value
// within 1.5 interquartile ranges of them (Tukey 1977), and the values beyond.
type Box struct {
	Labels
	Samples []Sample
}

func (ch Box) Describe() string { return "Box plot. " + describeSamples(ch.Samples) }

func (ch Box) size() (width, height float64) { return sizeFor(len(ch.Samples)) }

// sampleBands draws the axes for samples side by side; a sample's size is under its
// name.
func (c *canvas) sampleBands(area rect, l Labels, samples []Sample) bands {
	names := make([]string, len(samples))
	for i, s := range samples {
		names[i] = s.Name + " (n=" + number(float64(len(finite(s.Values)))) + ")"
	}
	_, value := grid(samples, 2)
	value.label = l.Y
	pad := .04 * (value.max - value.min)
	value.min, value.max = value.min-pad, value.max+pad
	return c.bands(area, names, l.X, value.rounded(6))
}

func (ch Box) draw(c *canvas, area rect) {
	b := c.sampleBands(area, ch.Labels, ch.Samples)
	for i, s := range ch.Samples {
		v := sorted(s.Values)
		if len(v) == 0 {
			continue
		}
		q1, median, q3 := quantile(v, .25), quantile(v, .5), quantile(v, .75)
		low, high := v[0], v[len(v)-1]
		for _, x := range v {
			if x >= q1-1.5*(q3-q1) {
				low = x
				break
			}
		}
		for j := len(v) - 1; j >= 0; j-- {
			if v[j] <= q3+1.5*(q3-q1) {
				high = v[j]
				break
			}
		}
		ink := stroke{color: c.look.text, width: 1.2}
		c.line(ink, b.at(i, .5, low), b.at(i, .5, q1))
		c.line(ink, b.at(i, .5, q3), b.at(i, .5, high))
		c.line(ink, b.at(i, .4, low), b.at(i, .6, low))
		c.line(ink, b.at(i, .4, high), b.at(i, .6, high))
		c.mark(s.Name + ": median " + number(median) + ", quartiles " + number(q1) + " and " + number(q3))
		c.box(b.bar(i, .25, .75, q1, q3), translucent(c.color(i), .75), ink)
		c.line(stroke{color: c.look.text, width: 2.5}, b.at(i, .25, median), b.at(i, .75, median))
		drawn := map[point]bool{}
		for _, x := range v {
			at := b.at(i, .5, x)
			at = point{math.Round(at.x), math.Round(at.y)}
			if (x < low || x > high) && !drawn[at] {
				drawn[at] = true
				c.mark(s.Name + ": " + number(x))
				c.circle(at, 2.5, c.background, stroke{color: c.color(i), width: 1.2})
			}
		}
	}
}
