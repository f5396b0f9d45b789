package charts

import (
	"fmt"
	"math"
	"strings"
)

// StackedBar shows for each category the values of some parts on top of each other.
type StackedBar struct {
	Labels
	Categories []string
	Parts      []Part
}

// Part is one value for each category.
type Part struct {
	Name   string
	Values []float64
}

func (ch StackedBar) Describe() string {
	parts := make([]string, 0, len(ch.Categories))
	for i, name := range ch.Categories {
		values := make([]Value, len(ch.Parts))
		for j, p := range ch.Parts {
			values[j] = Value{p.Name, p.Values[i]}
		}
		parts = append(parts, name+": "+listed(values))
	}
	return "Stacked bar chart. " + strings.Join(parts, " ")
}

func (ch StackedBar) size() (width, height float64) { return sizeFor(len(ch.Categories)) }

func (ch StackedBar) draw(c *canvas, area rect) {
	keys := make([]key, len(ch.Parts))
	for i, p := range ch.Parts {
		keys[i] = key{name: p.Name, color: c.color(i)}
	}
	area = c.legend(area, keys)
	totals := make([]float64, len(ch.Categories))
	for _, p := range ch.Parts {
		for i, v := range p.Values {
			totals[i] += math.Max(0, v)
		}
	}
	b := c.bands(area, ch.Categories, ch.X, span(ch.Y, true, totals...).rounded(6))
	for i, name := range ch.Categories {
		from := 0.0
		for j, p := range ch.Parts {
			if !(p.Values[i] > 0) {
				continue
			}
			r := b.bar(i, .15, .85, from, from+p.Values[i])
			c.mark(fmt.Sprintf("%s, %s: %s", name, p.Name, number(p.Values[i])))
			c.box(r, c.color(j), stroke{c.background, 1, nil})
			text := number(p.Values[i])
			if c.measure(text, tickSize)+4 < r.width() && c.lineHeight(tickSize) <= r.height() {
				c.text(text, (r.x0+r.x1)/2, (r.y0+r.y1-c.lineHeight(tickSize))/2, tickSize, readable(c.color(j)), middle)
			}
			from += p.Values[i]
		}
	}
}
