package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
	"gonum.org/v1/gonum/stat"
)

// Density shows the Gaussian kernel density of each sample, and a sample whose values
// are all equal as a line at that value.
type Density struct {
	Labels
	Samples []Sample
}

// describeSamples is the median and size of each sample.
func describeSamples(samples []Sample) string {
	parts := make([]string, len(samples))
	for i, s := range samples {
		v := sorted(s.Values)
		parts[i] = fmt.Sprintf("%s: %d values", s.Name, len(v))
		if len(v) > 0 {
			parts[i] += ", median " + number(quantile(v, .5))
		}
	}
	return strings.Join(parts, "; ") + "."
}

func (ch Density) Describe() string { return "Density chart. " + describeSamples(ch.Samples) }

func (ch Density) size() (width, height float64) { return defaultWidth, defaultHeight }

func sorted(values []float64) []float64 {
	v := finite(values)
	slices.Sort(v)
	return v
}

// quantile interpolates linearly between order statistics (type 7 of Hyndman and Fan,
// 1996). sorted has at least one value.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// kernelDensity is the density of sorted values at some points, by Gaussian kernels of
// the bandwidth 0.9 min(s, IQR/1.34) n^(-1/5) (Silverman 1986, equation 3.31); nil
// where all values are equal, which have no density.
func kernelDensity(sorted []float64, at []float64) []float64 {
	n := float64(len(sorted))
	if n < 2 || sorted[0] == sorted[len(sorted)-1] {
		return nil
	}
	density := make([]float64, len(at))
	spread := stat.StdDev(sorted, nil)
	if iqr := (quantile(sorted, .75) - quantile(sorted, .25)) / 1.34; iqr > 0 {
		spread = math.Min(spread, iqr)
	}
	h := .9 * spread * math.Pow(n, -.2)
	for i, x := range at {
		from, _ := slices.BinarySearch(sorted, x-5*h) // beyond five bandwidths a kernel is under 4e-6 of its height
		for _, v := range sorted[from:] {
			if v > x+5*h {
				break
			}
			density[i] += math.Exp(-(x - v) * (x - v) / (2 * h * h))
		}
		density[i] /= n * h * math.Sqrt(2*math.Pi)
	}
	return density
}

// grid is n points from the least to the greatest of all values of some samples.
func grid(samples []Sample, n int) (points []float64, a axis) {
	var all []float64
	for _, s := range samples {
		all = append(all, s.Values...)
	}
	a = span("", false, all...)
	for i := range n {
		points = append(points, a.min+(a.max-a.min)*float64(i)/float64(n-1))
	}
	return points, a
}

// mostBands is how many translucent areas can lie on each other and still be read.
const mostBands = 5

// dashes distinguish lines without their colour.
var dashes = [][]float64{nil, {8, 4}, {2, 3}, {8, 3, 2, 3}}

func dashOf(i int) []float64 { return dashes[i%len(dashes)] }

func (ch Density) draw(c *canvas, area rect) {
	if len(ch.Samples) > 1 {
		keys := make([]key, len(ch.Samples))
		for i, s := range ch.Samples {
			keys[i] = key{name: fmt.Sprintf("%s (%d)", s.Name, len(finite(s.Values))), color: c.color(i), dash: dashOf(i), line: true}
		}
		area = c.legend(area, keys)
	}
	at, x := grid(ch.Samples, 200)
	x.label = ch.X
	var all []float64
	curves := make([][]float64, len(ch.Samples))
	for i, s := range ch.Samples {
		curves[i] = kernelDensity(sorted(s.Values), at)
		all = append(all, curves[i]...)
	}
	p := c.plot(area, x, span(ch.Y, true, all...).rounded(6), 0)
	for i, curve := range curves {
		if v := finite(ch.Samples[i].Values); curve == nil && len(v) > 0 {
			c.mark(ch.Samples[i].Name + ": " + number(v[0]))
			c.line(stroke{c.color(i), 2, dashOf(i)}, p.at(v[0], 0), p.at(v[0], p.y.max))
		}
		if curve == nil {
			continue
		}
		line := make([]point, len(at))
		for j := range at {
			line[j] = p.at(at[j], curve[j])
		}
		if len(curves) <= mostBands {
			c.polygon(translucent(c.color(i), .16), stroke{}, append(append([]point{p.at(at[0], 0)}, line...), p.at(at[len(at)-1], 0))...)
		}
		c.mark(ch.Samples[i].Name)
		c.line(stroke{c.color(i), 2, dashOf(i)}, line...)
	}
}

// translucent is a colour with an opacity from 0 to 1.
func translucent(c drawing.Color, opacity float64) drawing.Color {
	c.A = uint8(math.Round(255 * opacity))
	return c
}
