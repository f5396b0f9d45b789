package charts

import (
	"fmt"
	"math"
	"strings"
)

// Bar shows one bar for each value, from zero, with the value written at its end.
type Bar struct {
	Labels
	Bars    []Value
	Colored bool // each bar has another colour: they are groups, as in another chart of them
}

func (ch Bar) Describe() string {
	return "Bar chart. " + listed(ch.Bars)
}

// listed is names with their values, for a description.
func listed(values []Value) string {
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

func names(values []Value) []string {
	list := make([]string, len(values))
	for i, v := range values {
		list[i] = v.Name
	}
	return list
}

// sizeFor is the size of a chart with n bands; it grows in height as these may lie
// under each other.
func sizeFor(n int) (width, height float64) {
	return defaultWidth, math.Max(defaultHeight, 140+24*float64(n))
}

func (ch Bar) size() (width, height float64) { return sizeFor(len(ch.Bars)) }

func (ch Bar) draw(c *canvas, area rect) {
	values := make([]float64, len(ch.Bars))
	for i, b := range ch.Bars {
		values[i] = b.Value
	}
	b := c.bands(area, names(ch.Bars), ch.X, span(ch.Y, true, values...).rounded(6))
	for i, bar := range ch.Bars {
		if math.IsNaN(bar.Value) {
			continue
		}
		fill := c.color(0)
		if ch.Colored {
			fill = c.color(i)
		}
		c.mark(bar.Name + ": " + number(bar.Value))
		r := b.bar(i, .15, .85, 0, bar.Value)
		c.box(r, fill, stroke{})
		c.barValue(b, r, number(bar.Value))
	}
}

// barValue writes a value past the end of its bar, or inside it where there is no
// room, and not at all where the bar is too narrow for it.
func (c *canvas) barValue(b bands, r rect, text string) {
	line, width := c.lineHeight(tickSize), c.measure(text, tickSize)
	switch {
	case b.upright && r.height() < line*.8 && !c.cells, !b.upright && width > b.breadth():
	case b.upright && r.x1+width+6 <= c.width:
		c.text(text, r.x1+4+c.cellGap()/2, (r.y0+r.y1-line)/2, tickSize, c.look.text, left)
	case b.upright:
		c.text(text, r.x1-4, (r.y0+r.y1-line)/2, tickSize, readable(c.color(0)), right)
	default:
		c.text(text, (r.x0+r.x1)/2, r.y0-line, tickSize, c.look.text, middle)
	}
}
