package charts

// Violin shows the kernel density of each sample on both sides of a line, with the
// quartiles as a bar and the median as a dot (Hintze and Nelson 1998).
type Violin struct {
	Labels
	Samples []Sample
}

func (ch Violin) Describe() string { return "Violin plot. " + describeSamples(ch.Samples) }

func (ch Violin) size() (width, height float64) { return sizeFor(len(ch.Samples)) }

func (ch Violin) draw(c *canvas, area rect) {
	b := c.sampleBands(area, ch.Labels, ch.Samples)
	for i, s := range ch.Samples {
		v := sorted(s.Values)
		if len(v) == 0 {
			continue
		}
		at, _ := grid([]Sample{s}, 100)
		density := kernelDensity(v, at)
		if density == nil {
			c.mark(s.Name + ": " + number(v[0]))
			c.line(stroke{color: c.color(i), width: 2}, b.at(i, .3, v[0]), b.at(i, .7, v[0]))
			continue
		}
		most := 0.0
		for _, d := range density {
			most = max(most, d)
		}
		outline := make([]point, 0, 2*len(at))
		for j, y := range at {
			outline = append(outline, b.at(i, .5+.42*density[j]/most, y))
		}
		for j := len(at) - 1; j >= 0; j-- {
			outline = append(outline, b.at(i, .5-.42*density[j]/most, at[j]))
		}
		q1, median, q3 := quantile(v, .25), quantile(v, .5), quantile(v, .75)
		c.mark(s.Name + ": median " + number(median) + ", quartiles " + number(q1) + " and " + number(q3))
		c.polygon(translucent(c.color(i), .75), stroke{color: c.color(i), width: 1.2}, outline...)
		c.box(b.bar(i, .48, .52, q1, q3), c.look.text, stroke{})
		c.circle(b.at(i, .5, median), 3.5, c.background, stroke{color: c.look.text, width: 1.5})
	}
}
