package charts

import (
	"fmt"
	"math"
	"strings"
)

// Forest shows ratios, of hazards or odds, with their confidence intervals on a
// logarithmic axis, and their numbers at the side.
type Forest struct {
	Labels
	Terms []Ratio
}

// Ratio is an estimate with its interval; all three are positive, else not drawn.
type Ratio struct {
	Name          string
	HR, Low, High float64
	P             string // as written
}

func (r Ratio) text() string {
	if !r.drawn() {
		return "not estimable"
	}
	s := fmt.Sprintf("%.2f (%.2f to %.2f)", r.HR, r.Low, r.High)
	if r.P != "" {
		s += ", p " + r.P
	}
	return s
}

func (r Ratio) drawn() bool {
	return r.Low > 0 && r.HR > 0 && !math.IsInf(r.High, 0) && r.High >= r.Low
}

func (ch Forest) Describe() string {
	parts := make([]string, len(ch.Terms))
	for i, t := range ch.Terms {
		parts[i] = t.Name + ": " + t.text()
	}
	return "Forest plot of " + ch.X + ". " + strings.Join(parts, "; ") + "."
}

func (ch Forest) size() (width, height float64) {
	height = 160
	for _, t := range ch.Terms {
		height += math.Max(40, 16*math.Ceil(float64(cellsOf(t.Name))/28)) // lines of a fourth of the width
	}
	return defaultWidth, math.Max(leastHeight, height)
}

func (ch Forest) draw(c *canvas, area rect) {
	x := axis{label: ch.X, log: true, min: .5, max: 2}
	names := make([]string, len(ch.Terms))
	for i, t := range ch.Terms {
		names[i] = t.Name
		if t.drawn() {
			x.min, x.max = math.Min(x.min, t.Low/1.1), math.Max(x.max, t.High*1.1)
		}
	}
	estimates := 0.0
	for _, t := range ch.Terms {
		estimates = math.Max(estimates, c.measure(t.text(), tickSize)+c.gap()+c.cellGap())
	}
	right := area.x1
	area.x1 -= estimates
	b := c.uprightBands(bands{rect: area, upright: true, n: max(1, len(names)), value: x}, names, "")
	c.line(stroke{c.muted, 1.2, []float64{4, 3}}, point{b.at(0, 0, 1).x, b.y0}, point{b.at(0, 0, 1).x, b.y1})
	for i, t := range ch.Terms {
		c.text(t.text(), right-estimates+c.gap()+c.cellGap(), b.at(i, .5, 1).y-c.lineHeight(tickSize)/2, tickSize, c.look.text, left)
		if !t.drawn() {
			continue
		}
		s := stroke{color: c.color(0), width: 2}
		c.line(s, b.at(i, .5, t.Low), b.at(i, .5, t.High))
		c.line(s, b.at(i, .38, t.Low), b.at(i, .62, t.Low))
		c.line(s, b.at(i, .38, t.High), b.at(i, .62, t.High))
		at := b.at(i, .5, t.HR)
		c.mark(t.Name + ": " + t.text())
		c.box(rect{at.x - 5, at.y - 5, at.x + 5, at.y + 5}, c.color(0), stroke{})
	}
}
