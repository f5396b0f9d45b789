package charts

import (
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
	"gonum.org/v1/gonum/stat"
)

// A density chart shows the Gaussian kernel density of values. If all values are equal, it shows
// a vertical line.
var _ = register(kind[Distribution]{
	name: "density", xLabel: valueLabel, yLabel: fixedLabel("Density"),
	describe: func(d Distribution) string { return "Density chart. " + describeSample(d.Values) + "." },
	draw: func(c *canvas, area rect, d Distribution) {
		v := sortFinite(d.Values)
		x := span(false, v...)
		at := x.grid(200)
		density := kernelDensity(v, at)
		p := c.plot(area, x, span(true, density...).extendToTicks(6), 0)
		ink := stroke{color: c.color(0), width: 2}
		if density == nil && len(v) > 0 {
			c.mark("every value is " + number(v[0]))
			c.line(ink, p.at(v[0], 0), p.at(v[0], p.y.max))
		}
		if density == nil {
			return
		}
		line := make([]point, len(at))
		for i := range at {
			line[i] = p.at(at[i], density[i])
		}
		first, last := p.at(at[0], 0), p.at(at[len(at)-1], 0)
		c.polygon(translucent(c.color(0), .16), stroke{}, slices.Concat([]point{first}, line, []point{last})...)
		c.mark(describeSample(v))
		c.line(ink, line...)
	},
})

// describeSamples returns the size and median of each sample.
func describeSamples(samples []Sample) string {
	parts := make([]string, len(samples))
	for i, s := range samples {
		parts[i] = s.Name + ": " + describeSample(s.Values)
	}
	return strings.Join(parts, "; ") + "."
}

func describeSample(values []float64) string {
	v := sortFinite(values)
	if len(v) == 0 {
		return "0 values"
	}
	return fmt.Sprintf("%d values, median %s", len(v), number(quantile(v, .5)))
}

// sortFinite returns the finite values in ascending order.
func sortFinite(values []float64) []float64 {
	v := finite(values)
	slices.Sort(v)
	return v
}

// quantile interpolates linearly between order statistics (type 7 of Hyndman and Fan, 1996).
// There must be at least one value.
func quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

// kernelDensity returns the density of sorted values at the given points. The kernels are
// Gaussian with the bandwidth 0.9 min(s, IQR/1.34) n^(-1/5) (Silverman 1986, equation 3.31). If
// all values are equal, it returns nil.
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
		// Past five bandwidths a kernel is under 4e-6 of its height.
		from, _ := slices.BinarySearch(sorted, x-5*h)
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

// valuesOf returns the finite values of all samples.
func valuesOf(samples []Sample) (all []float64) {
	for _, s := range samples {
		all = append(all, finite(s.Values)...)
	}
	return all
}

// axisOf returns an axis for values, logarithmic if the options ask for that.
func (c *canvas) axisOf(values []float64) axis {
	if a := span(false, values...); !c.log {
		return a
	} else {
		return a.logarithmic(values)
	}
}

// grid returns n evenly spaced points from one end of an axis to the other.
func (a axis) grid(n int) []float64 {
	points, low, high := make([]float64, n), a.toLinear(a.min), a.toLinear(a.max)
	for i := range points {
		points[i] = a.fromLinear(low + (high-low)*float64(i)/float64(n-1))
	}
	return points
}

// density returns the kernel density of sorted values at points of the axis. On a logarithmic
// axis the kernels are Gaussian in the logarithm, and values of at most 0 are ignored.
func (a axis) density(sorted, at []float64) []float64 {
	if a.log {
		sorted = sorted[sort.Search(len(sorted), func(i int) bool { return sorted[i] > 0 }):]
	}
	even := func(values []float64) []float64 {
		list := make([]float64, len(values))
		for i, v := range values {
			list[i] = a.toLinear(v)
		}
		return list
	}
	return kernelDensity(even(sorted), even(at))
}

// translucent returns a colour with the given opacity from 0 to 1.
func translucent(c drawing.Color, opacity float64) drawing.Color {
	c.A = uint8(math.Round(255 * opacity))
	return c
}
