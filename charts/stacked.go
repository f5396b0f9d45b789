package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A Table holds the counts of some parts in each group.
type Table struct {
	Labels
	Groups []string
	Parts  []Part
}

// A Part holds one number for each group.
type Part struct {
	Name   string
	Counts []float64
}

var (
	_ = register(stackedBar("bar", countLabel, false))
	_ = register(stackedBar("stacked-bar", func(l Labels) string { return l.Count + " (%)" }, true))
)

// stackedBar returns a kind that stacks the parts of each group: their counts, or their shares of
// the group.
func stackedBar(name string, up role, shares bool) kind[Table] {
	return kind[Table]{
		name: name, xLabel: groupLabel, yLabel: up,
		height: func(d Table) float64 { return heightFor(len(d.Groups)) },
		describe: func(d Table) string {
			groups := make([]string, len(d.Groups))
			for i, name := range d.Groups {
				values := make([]Value, len(d.Parts))
				for j, p := range d.Parts {
					values[j] = Value{p.Name, p.Counts[i]}
				}
				groups[i] = name + ": " + describeValues(values)
			}
			return "Stacked bar chart. " + strings.Join(groups, " ")
		},
		draw: func(c *canvas, area rect, d Table) { drawStacked(c, area, d, shares) },
	}
}

func drawStacked(c *canvas, area rect, d Table, shares bool) {
	var keys []key
	for i, p := range d.Parts {
		if slices.ContainsFunc(p.Counts, func(n float64) bool { return n > 0 }) {
			keys = append(keys, key{name: p.Name, color: c.color(i)})
		}
	}
	area = c.legend(area, keys)
	totals := make([]float64, len(d.Groups))
	for _, p := range d.Parts {
		for i, v := range p.Counts {
			totals[i] += math.Max(0, v)
		}
	}
	x, names := span(true, totals...).extendToTicks(6), make([]string, len(d.Groups))
	for i, name := range d.Groups {
		names[i] = withSize(name, int(totals[i]))
	}
	if shares {
		x = axis{max: 100}
	}
	b := c.bands(area, names, x, 0)
	for i, name := range d.Groups {
		from, each := 0.0, 1.0
		if shares {
			each = 100 / totals[i]
		}
		for j, p := range d.Parts {
			if !(p.Counts[i] > 0) {
				continue
			}
			r := b.bar(i, .15, .85, from, from+each*p.Counts[i])
			count := number(p.Counts[i])
			text := fmt.Sprintf("%s (%s)", count, Percent(p.Counts[i]/totals[i]))
			c.mark(fmt.Sprintf("%s, %s: %s", name, p.Name, text))
			c.box(r, c.color(j), stroke{c.background, 1, nil})
			if c.measure(text, tickSize)+4 >= r.width() {
				text = count
			}
			if c.measure(text, tickSize)+4 < r.width() && c.lineHeight(tickSize) <= r.height() {
				c.text(text, (r.x0+r.x1)/2, (r.y0+r.y1-c.lineHeight(tickSize))/2, tickSize, readable(c.color(j)), middle)
			}
			from += each * p.Counts[i]
		}
	}
}
