package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// Ratios holds hazard or odds ratios. The label Value names which.
type Ratios struct {
	Labels
	Terms []Ratio
}

// A Ratio is an estimate with its confidence interval. It is drawn if Low and Estimate are
// positive and High is finite.
type Ratio struct {
	Name                string
	N, Events           string // such as "45 vs 137"; "" if unknown
	Estimate, Low, High float64
	P                   string // formatted p-value
}

func (r Ratio) text() string {
	if !r.isEstimable() {
		return "not estimable"
	}
	s := fmt.Sprintf("%.2f (%.2f to %.2f)", r.Estimate, r.Low, r.High)
	if r.P != "" {
		s += ", p " + r.P
	}
	return s
}

func (r Ratio) isEstimable() bool {
	return r.Low > 0 && r.Estimate > 0 && !math.IsInf(r.High, 0) && r.High >= r.Low
}

// A forest plot shows ratios with their confidence intervals on a logarithmic axis, and their
// numbers in columns at the side.
var _ = register(kind[Ratios]{
	name: "forest", yLabel: valueLabel,
	height: func(d Ratios) float64 {
		height := 160.0
		for _, t := range d.Terms {
			height += math.Max(40, 16*math.Ceil(float64(cellsOf(t.Name))/18)) // lines of a fifth of the width
		}
		return math.Max(minHeight, height)
	},
	describe: func(d Ratios) string {
		parts := make([]string, len(d.Terms))
		for i, t := range d.Terms {
			if parts[i] = t.Name + ": " + t.text(); t.N != "" {
				parts[i] = fmt.Sprintf("%s (n %s, events %s): %s", t.Name, t.N, t.Events, t.text())
			}
		}
		return "Forest plot of " + d.Value + ". " + strings.Join(parts, "; ") + "."
	},
	draw: func(c *canvas, area rect, d Ratios) {
		x := axis{log: true, min: .5, max: 2}
		names := make([]string, len(d.Terms))
		columns := [][]string{{"n"}, {"Events"}, {"Estimate (95 % CI), p"}}
		for i, t := range d.Terms {
			names[i] = t.Name
			if t.isEstimable() {
				x.min, x.max = math.Min(x.min, t.Low/1.1), math.Max(x.max, t.High*1.1)
			}
			for k, text := range []string{t.N, t.Events, t.text()} {
				columns[k] = append(columns[k], text)
			}
		}
		if !slices.ContainsFunc(d.Terms, func(t Ratio) bool { return t.N != "" }) {
			columns = columns[2:]
		}
		ends := make([]float64, len(columns)) // right edges of the columns
		for k := len(columns) - 1; k >= 0; k-- {
			ends[k] = area.x1
			area.x1 -= c.widestName(columns[k]) + 2*c.gap() + c.cellGap()
		}
		cell := func(k, row int, y float64, color drawing.Color) {
			c.text(columns[k][row], ends[k], y, tickSize, color, right)
		}
		for k := range columns {
			cell(k, 0, area.y0, c.muted)
		}
		area.y0 += c.lineHeight(tickSize)
		b := c.uprightBands(bands{rect: area, upright: true, n: max(1, len(names)), value: x}, names)
		one := b.at(0, 0, 1).x
		c.line(stroke{c.muted, 1.2, []float64{4, 3}}, point{one, b.y0}, point{one, b.y1})
		for i, t := range d.Terms {
			c.mark(t.Name + ": " + t.text())
			for k := range columns {
				cell(k, i+1, b.at(i, .5, 1).y-c.lineHeight(tickSize)/2, c.look.text)
			}
			if !t.isEstimable() {
				continue
			}
			s := stroke{color: c.color(0), width: 2}
			c.whiskers(b, i, s, t.Low, t.High)
			at := b.at(i, .5, t.Estimate)
			c.box(rect{at.x - 5, at.y - 5, at.x + 5, at.y + 5}, c.color(0), stroke{})
		}
	},
})
