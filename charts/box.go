package charts

import (
	"fmt"
	"math"

	"github.com/dustin/go-humanize"
)

// Samples holds groups of measurements.
type Samples struct {
	Labels
	Groups []Sample
}

// A Sample is a named group of measurements.
type Sample struct {
	Name   string
	Values []float64
}

// sampleByBand returns a kind that draws each nonempty sample in a band of its own.
func sampleByBand(name, title string, draw func(c *canvas, b bands, i int, name string, sorted, points []float64)) kind[Samples] {
	return kind[Samples]{
		name: name, xLabel: groupLabel, yLabel: valueLabel,
		height: func(d Samples) float64 { return heightFor(len(d.Groups)) },
		note:   Samples.pointsNote, values: func(d Samples) []float64 { return valuesOf(d.Groups) },
		describe: func(d Samples) string { return title + " plot. " + describeSamples(d.Groups) },
		draw: func(c *canvas, area rect, d Samples) {
			b := c.bands(area, sizedNames(d.Groups), c.axisOf(valuesOf(d.Groups)).pad(.04).extendToTicks(6), 0)
			for i, s := range d.Groups {
				if v := sortFinite(s.Values); len(v) > 0 {
					draw(c, b, i, s.Name, v, d.points(v))
				}
			}
		},
	}
}

// A box plot shows the median and quartiles of each sample, whiskers to the outermost value
// within 1.5 interquartile ranges of the quartiles (Tukey 1977), and the values beyond.
var _ = register(sampleByBand("box", "Box", (*canvas).drawBox))

// points returns the sorted values of a group that are drawn as points: all of them if all groups
// have at most maxPoints values together, otherwise a part evenly by rank.
func (d Samples) points(sorted []float64) []float64 {
	all := len(valuesOf(d.Groups))
	if all <= maxPoints {
		return sorted
	}
	var points []float64
	for i, v := range sorted {
		if i*maxPoints/all != (i-1)*maxPoints/all || i == 0 {
			points = append(points, v)
		}
	}
	return points
}

func (d Samples) pointsNote() string {
	all := valuesOf(d.Groups)
	if len(all) <= maxPoints {
		return ""
	}
	drawn := 0
	for _, s := range d.Groups {
		drawn += len(d.points(sortFinite(s.Values)))
	}
	return fmt.Sprintf("The points are %s of the %s values, evenly by rank.",
		humanize.Comma(int64(drawn)), humanize.Comma(int64(len(all))))
}

// jitter draws the sorted values of a band as points. Each point is moved sideways by up to the
// given share of the band's breadth. The shift uses multiples of the golden ratio, so that it is
// reproducible and neighbours lie apart.
func (c *canvas) jitter(b bands, i int, sorted []float64, breadth func(v float64) float64) {
	points := make([]point, len(sorted))
	for j, v := range sorted {
		_, aside := math.Modf(float64(j) * math.Phi)
		points[j] = b.at(i, .5+(2*aside-1)*breadth(v), v)
	}
	c.circles(points, 1.8, translucent(mix(c.color(i), c.look.text, .35), .6))
}

// sizedNames returns the names of samples with their sizes.
func sizedNames(samples []Sample) []string {
	names := make([]string, len(samples))
	for i, s := range samples {
		names[i] = withSize(s.Name, len(finite(s.Values)))
	}
	return names
}

func (c *canvas) drawBox(b bands, i int, name string, sorted, points []float64) {
	q1, median, q3 := quantile(sorted, .25), quantile(sorted, .5), quantile(sorted, .75)
	reach := 1.5 * (q3 - q1)
	low, high := sorted[len(sorted)-1], sorted[0]
	for _, x := range sorted {
		if x >= q1-reach {
			low = math.Min(low, x)
		}
		if x <= q3+reach {
			high = math.Max(high, x)
		}
	}
	ink := stroke{color: c.look.text, width: 1.2}
	c.line(ink, b.at(i, .5, low), b.at(i, .5, q1))
	c.line(ink, b.at(i, .5, q3), b.at(i, .5, high))
	c.line(ink, b.at(i, .4, low), b.at(i, .6, low))
	c.line(ink, b.at(i, .4, high), b.at(i, .6, high))
	c.mark(name + ": median " + number(median) + ", quartiles " + number(q1) + " and " + number(q3))
	c.box(b.bar(i, .25, .75, q1, q3), translucent(c.color(i), .4), ink)
	c.line(stroke{color: c.look.text, width: 2.5}, b.at(i, .25, median), b.at(i, .75, median))
	c.jitter(b, i, points, func(float64) float64 { return .2 })
	if len(points) == len(sorted) { // the outliers are among the points
		return
	}
	drawn := map[point]bool{}
	for _, x := range sorted {
		at := b.at(i, .5, x)
		at = point{math.Round(at.x), math.Round(at.y)}
		if (x < low || x > high) && !drawn[at] {
			drawn[at] = true
			c.mark(name + ": " + number(x))
			c.circle(at, 2.5, c.background, stroke{color: c.color(i), width: 1.2})
		}
	}
}
