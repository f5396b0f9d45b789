package charts

import (
	"fmt"
	"math"
	"slices"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// Pairs holds pairs of numbers in groups.
type Pairs struct {
	Labels
	Groups []Points
}

// Points holds the pairs of numbers of a group. Values and Comparisons have the same length. A muted
// group is grey and lies under the others.
type Points struct {
	Name                string
	Muted               bool
	Values, Comparisons []float64
}

// A scatter plot shows a point for each pair, and a colour for each group. More than 2,000 points
// are binned: each occupied square of a grid becomes one circle, whose area grows with the number
// of its points. The note says so.
var _ = register(kind[Pairs]{
	name: "scatter", xLabel: againstLabel, yLabel: valueLabel,
	values: func(d Pairs) (all []float64) {
		for _, g := range d.Groups {
			all = append(all, finite(slices.Concat(g.Values, g.Comparisons))...)
		}
		return all
	},
	note: func(d Pairs) string {
		if n := d.count(); n > maxPoints {
			return fmt.Sprintf("%d points are binned: the area of a circle is the number of points near it.", n)
		}
		return ""
	},
	describe: func(d Pairs) string {
		text := "Scatter plot of " + d.Value + " against " + d.Comparison + "."
		for _, g := range d.Groups {
			text += fmt.Sprintf(" %s: %d points.", g.Name, len(g.Values))
		}
		return text
	},
	draw: drawScatter,
})

const maxPoints = 2000

func (d Pairs) count() (n int) {
	for _, g := range d.Groups {
		n += len(g.Values)
	}
	return n
}

func drawScatter(c *canvas, area rect, d Pairs) {
	var xs, ys []float64
	keys := make([]key, len(d.Groups))
	for i, g := range d.Groups {
		keys[i] = key{name: withSize(g.Name, len(g.Values)), color: c.colorOf(g, i), marker: markerOf(i)}
		xs, ys = append(xs, g.Comparisons...), append(ys, g.Values...)
	}
	area = c.legend(area, keys)
	p := c.plot(area, c.axisOf(xs).extendToTicks(8), c.axisOf(ys).extendToTicks(6), 0)
	most := 1 // points in a square
	if d.count() > maxPoints {
		for _, g := range d.Groups {
			counts, _ := p.bin(g)
			most = max(most, slices.Max(counts))
		}
	}
	for _, muted := range []bool{true, false} {
		for i, g := range d.Groups {
			switch {
			case g.Muted != muted:
			case d.count() > maxPoints:
				c.drawBinned(p, g, i, most)
			default:
				c.drawPoints(p, g, i)
			}
		}
	}
}

func (c *canvas) colorOf(g Points, i int) drawing.Color {
	if g.Muted {
		return c.muted
	}
	return c.color(i)
}

// drawPoints draws each point of group number i.
func (c *canvas) drawPoints(p plot, g Points, i int) {
	for j := range g.Comparisons {
		if math.IsNaN(g.Comparisons[j]) || math.IsNaN(g.Values[j]) {
			continue
		}
		c.mark(number(g.Comparisons[j]) + ", " + number(g.Values[j]))
		c.drawMarker(p.at(g.Comparisons[j], g.Values[j]), 3, i, c.colorOf(g, i), stroke{c.background, .75, nil})
	}
}

// binSize is the side of the squares into which many points are binned, in pixels.
const binSize = 14.0

// bin counts the points of each square, row by row.
func (p plot) bin(g Points) (counts []int, columns int) {
	columns = int(p.width()/binSize) + 1
	counts = make([]int, columns*(int(p.height()/binSize)+1))
	for j := range g.Comparisons {
		if math.IsNaN(g.Comparisons[j]) || math.IsNaN(g.Values[j]) {
			continue
		}
		at := p.at(g.Comparisons[j], g.Values[j])
		counts[int((at.y-p.y0)/binSize)*columns+int((at.x-p.x0)/binSize)]++
	}
	return counts, columns
}

// drawBinned draws the points of group number group by squares. The largest circle of any group has most points.
func (c *canvas) drawBinned(p plot, g Points, group, most int) {
	counts, columns := p.bin(g)
	for i, n := range counts {
		if n == 0 {
			continue
		}
		at := point{p.x0 + (float64(i%columns)+.5)*binSize, p.y0 + (float64(i/columns)+.5)*binSize}
		c.mark(fmt.Sprintf("%d points", n))
		radius := math.Max(1, binSize/2*math.Sqrt(float64(n)/float64(most)))
		c.drawMarker(at, radius, group, translucent(c.colorOf(g, group), .75), stroke{})
	}
}
