package charts

import (
	"fmt"
	"math"
)

// Scatter shows pairs of numbers, a colour for each group. More than 2,000 points are
// binned: each occupied square of a grid becomes one circle, whose area grows with the
// number of its points; the note says so.
type Scatter struct {
	Labels
	Groups []Points
}

// Points are pairs of numbers of a group; X and Y have the same length.
type Points struct {
	Name string
	X, Y []float64
}

const mostPoints = 2000

func (ch Scatter) count() (n int) {
	for _, g := range ch.Groups {
		n += len(g.X)
	}
	return n
}

func (ch Scatter) Describe() string {
	text := "Scatter plot of " + ch.X + " and " + ch.Y + "."
	for _, g := range ch.Groups {
		text += fmt.Sprintf(" %s: %d points.", g.Name, len(g.X))
	}
	return text
}

func (ch Scatter) labels() Labels {
	l := ch.Labels
	if n := ch.count(); n > mostPoints {
		l.Note = joinNote(l.Note, fmt.Sprintf("%d points are binned: the area of a circle is the number of points near it.", n))
	}
	return l
}

func joinNote(a, b string) string {
	if a == "" {
		return b
	}
	return a + " " + b
}

func (ch Scatter) size() (width, height float64) { return defaultWidth, defaultHeight }

func (ch Scatter) draw(c *canvas, area rect) {
	var xs, ys []float64
	keys := make([]key, len(ch.Groups))
	for i, g := range ch.Groups {
		keys[i] = key{name: fmt.Sprintf("%s (%d)", g.Name, len(g.X)), color: c.color(i), sign: signOf(i)}
		xs, ys = append(xs, g.X...), append(ys, g.Y...)
	}
	if len(keys) > 1 {
		area = c.legend(area, keys)
	}
	p := c.plot(area, span(ch.X, false, xs...).rounded(8), span(ch.Y, false, ys...).rounded(6), 0)
	binned := ch.count() > mostPoints
	for i, g := range ch.Groups {
		if binned {
			c.binned(p, g, i)
			continue
		}
		for j := range g.X {
			if math.IsNaN(g.X[j]) || math.IsNaN(g.Y[j]) {
				continue
			}
			c.mark(number(g.X[j]) + ", " + number(g.Y[j]))
			c.spot(p.at(g.X[j], g.Y[j]), 3, i, translucent(c.color(i), .6), stroke{})
		}
	}
}

// binned draws the points of a group by squares of 14 pixels.
func (c *canvas) binned(p plot, g Points, color int) {
	const size = 14.0
	columns := int(p.width()/size) + 1
	counts := make([]int, columns*(int(p.height()/size)+1))
	most := 0
	for j := range g.X {
		if math.IsNaN(g.X[j]) || math.IsNaN(g.Y[j]) {
			continue
		}
		at := p.at(g.X[j], g.Y[j])
		i := int((at.y-p.y0)/size)*columns + int((at.x-p.x0)/size)
		counts[i]++
		most = max(most, counts[i])
	}
	for i, n := range counts {
		if n == 0 {
			continue
		}
		at := point{p.x0 + (float64(i%columns)+.5)*size, p.y0 + (float64(i/columns)+.5)*size}
		c.mark(fmt.Sprintf("%d points", n))
		c.spot(at, math.Max(1, size/2*math.Sqrt(float64(n)/float64(most))), color, translucent(c.color(color), .75), stroke{})
	}
}
