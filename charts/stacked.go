package charts

import (
	"fmt"
	"math"
	"strings"
)

// Table is the counts of some parts in each group.
type Table struct {
	Labels
	Groups []string
	Parts  []Part
}

// Part is one number for each group.
type Part struct {
	Name   string
	Counts []float64
}

var (
	_ = add(stackedBar("bar"))
	_ = add(stackedBar("stacked-bar"))
)

// stackedBar shows the parts of each group on top of each other.
func stackedBar(name string) kind[Table] {
	return kind[Table]{
		name: name, across: groupLabel, up: countLabel,
		height: func(d Table) float64 { return heightFor(len(d.Groups)) },
		describe: func(d Table) string {
			groups := make([]string, len(d.Groups))
			for i, name := range d.Groups {
				values := make([]Value, len(d.Parts))
				for j, p := range d.Parts {
					values[j] = Value{p.Name, p.Counts[i]}
				}
				groups[i] = name + ": " + listed(values)
			}
			return "Stacked bar chart. " + strings.Join(groups, " ")
		},
		draw: drawStacked,
	}
}

func drawStacked(c *canvas, area rect, d Table) {
	keys := make([]key, len(d.Parts))
	for i, p := range d.Parts {
		keys[i] = key{name: p.Name, color: c.color(i)}
	}
	area = c.legend(area, keys)
	totals := make([]float64, len(d.Groups))
	for _, p := range d.Parts {
		for i, v := range p.Counts {
			totals[i] += math.Max(0, v)
		}
	}
	b := c.bands(area, d.Groups, span(true, totals...).rounded(6))
	for i, name := range d.Groups {
		from := 0.0
		for j, p := range d.Parts {
			if !(p.Counts[i] > 0) {
				continue
			}
			r := b.bar(i, .15, .85, from, from+p.Counts[i])
			c.mark(fmt.Sprintf("%s, %s: %s", name, p.Name, number(p.Counts[i])))
			c.box(r, c.color(j), stroke{c.background, 1, nil})
			text := number(p.Counts[i])
			if c.measure(text, tickSize)+4 < r.width() && c.lineHeight(tickSize) <= r.height() {
				c.text(text, (r.x0+r.x1)/2, (r.y0+r.y1-c.lineHeight(tickSize))/2, tickSize, readable(c.color(j)), middle)
			}
			from += p.Counts[i]
		}
	}
}
