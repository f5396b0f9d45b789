package charts

import (
	"fmt"
	"math"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// Values holds named numbers.
type Values struct {
	Labels
	List []Value
}

// Parts holds the counts of the parts of a whole.
type Parts struct {
	Labels
	List []Value
}

var (
	_ = register(bar(func(d Values) Values { return d }))
	_ = register(bar(func(d Parts) Values { return Values(d) }))
)

// bar returns a kind with one bar for each value. Bars start at zero, and the value is written at
// the end.
func bar[D Data](values func(D) Values) kind[D] {
	return kind[D]{
		name: "bar", xLabel: groupLabel, yLabel: valueLabel,
		height:   func(d D) float64 { return heightFor(len(values(d).List)) },
		describe: func(d D) string { return "Bar chart. " + describeValues(values(d).List) },
		draw:     func(c *canvas, area rect, d D) { drawBars(c, area, values(d)) },
	}
}

// describeValues returns names with their values, for a description. It lists at most 50.
func describeValues(values []Value) string {
	parts := make([]string, 0, len(values))
	for i, v := range values {
		if i == 50 {
			parts = append(parts, fmt.Sprintf("and %d more", len(values)-i))
			break
		}
		parts = append(parts, v.Name+": "+number(v.Value))
	}
	return strings.Join(parts, "; ") + "."
}

// heightFor returns the height of a chart of n groups, which may be drawn below each other.
func heightFor(n int) float64 { return math.Max(defaultHeight, 170+24*float64(n)) }

func drawBars(c *canvas, area rect, d Values) {
	names, values := make([]string, len(d.List)), make([]float64, len(d.List))
	for i, v := range d.List {
		names[i], values[i] = v.Name, v.Value
	}
	b := c.bands(area, names, span(true, values...).extendToTicks(6), 0)
	for i, v := range d.List {
		if math.IsNaN(v.Value) {
			continue
		}
		c.mark(v.Name + ": " + number(v.Value))
		r := b.bar(i, .15, .85, 0, v.Value)
		fill := c.nameColor(d.Labels, v.Name, 0)
		c.box(r, fill, stroke{})
		c.barValue(b, r, number(v.Value), fill)
	}
}

// barValue writes a value past the end of its bar of colour fill or, without room there, inside it. If the bar
// is too narrow, it writes nothing.
func (c *canvas) barValue(b bands, r rect, text string, fill drawing.Color) {
	line, width := c.lineHeight(tickSize), c.measure(text, tickSize)
	switch {
	case b.upright && r.height() < line*.8 && !c.cells, !b.upright && width > b.breadth():
	case b.upright && r.x1+width+6 <= c.width:
		c.text(text, r.x1+4+c.cellGap()/2, (r.y0+r.y1-line)/2, tickSize, c.look.text, left)
	case b.upright:
		c.text(text, r.x1-4, (r.y0+r.y1-line)/2, tickSize, readable(fill), right)
	default:
		c.text(text, (r.x0+r.x1)/2, r.y0-line, tickSize, c.look.text, middle)
	}
}
