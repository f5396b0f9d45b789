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

// mostHeight is the height from which on a forest plot sets its rows closer.
const mostHeight = 1600.0

// A forest plot shows ratios with their confidence intervals on a logarithmic axis, and their
// numbers in columns at the side.
var _ = register(kind[Ratios]{
	name: "forest", yLabel: valueLabel,
	height: func(d Ratios) float64 {
		height, rows := 160.0, d.rows()
		least := math.Max(20, math.Min(40, (mostHeight-height)/float64(max(1, len(rows)))))
		for _, row := range rows {
			height += math.Max(least, 16*math.Ceil(float64(cellsOf(row.name))/18)) // lines of a fifth of the width
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
	draw: drawForest,
})

// A forestRow is a term, or the heading of the terms below it.
type forestRow struct {
	name string
	term *Ratio // nil for a heading
}

// rows returns the terms in order. Terms in a row whose names begin alike, such as SEX: Female vs Male,
// have a heading for that beginning.
func (d Ratios) rows() (rows []forestRow) {
	heading := func(i int) string {
		if i < 0 || i >= len(d.Terms) {
			return ""
		}
		beginning, _, found := strings.Cut(d.Terms[i].Name, ": ")
		if !found {
			return ""
		}
		return beginning
	}
	for i := range d.Terms {
		t := &d.Terms[i]
		own := heading(i)
		if own == "" || own != heading(i-1) && own != heading(i+1) {
			rows = append(rows, forestRow{t.Name, t})
			continue
		}
		if own != heading(i-1) {
			rows = append(rows, forestRow{own, nil})
		}
		rows = append(rows, forestRow{strings.TrimPrefix(t.Name, own+": "), t})
	}
	return rows
}

func drawForest(c *canvas, area rect, d Ratios) {
	x := axis{log: true, min: .5, max: 2}
	rows := d.rows()
	names := make([]string, len(rows))
	columns := [][]string{{"n"}, {"Events"}, {"Estimate (95 % CI), p"}}
	for i, row := range rows {
		names[i] = row.name
		texts := make([]string, len(columns))
		if t := row.term; t != nil {
			texts = []string{t.N, t.Events, t.text()}
			if t.isEstimable() {
				x.min, x.max = math.Min(x.min, t.Low/1.1), math.Max(x.max, t.High*1.1)
			}
		}
		for k := range columns {
			columns[k] = append(columns[k], texts[k])
		}
	}
	if c.omit >= table || !slices.ContainsFunc(d.Terms, func(t Ratio) bool { return t.N != "" }) {
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
	b := c.uprightBands(bands{rect: area, upright: true, n: max(1, len(names)), value: x, whole: true,
		heading: func(i int) bool { return rows[i].term == nil }}, names)
	one := b.at(0, 0, 1).x
	c.line(stroke{c.muted, 1.2, []float64{4, 3}}, point{one, b.y0}, point{one, b.y1})
	for i, row := range rows {
		t := row.term
		if t == nil {
			continue
		}
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
}
