package charts

import (
	"fmt"
	"math"
	"slices"
)

// Waterfall shows one number of each sample, the greatest first. More samples than
// there is room for share a bar, which has the greatest number of them.
type Waterfall struct {
	Labels
	Samples []Value
}

func (ch Waterfall) Describe() string {
	if len(ch.Samples) == 0 {
		return "Waterfall chart of no samples."
	}
	s := ch.sorted()
	return fmt.Sprintf("Waterfall chart of %d samples, from %s (%s) to %s (%s).",
		len(s), s[0].Name, number(s[0].Value), s[len(s)-1].Name, number(s[len(s)-1].Value))
}

func (ch Waterfall) size() (width, height float64) { return defaultWidth, defaultHeight }

func (ch Waterfall) sorted() []Value {
	s := slices.Clone(ch.Samples)
	slices.SortStableFunc(s, func(a, b Value) int {
		switch {
		case a.Value > b.Value:
			return -1
		case a.Value < b.Value:
			return 1
		}
		return 0
	})
	return s
}

func (ch Waterfall) draw(c *canvas, area rect) {
	s := ch.sorted()
	values := make([]float64, len(s))
	for i, v := range s {
		values[i] = v.Value
	}
	n := float64(max(1, len(s)))
	x := axis{label: fmt.Sprintf("%s (%d)", ch.X, len(s)), max: n}
	p := c.plot(area, x, span(ch.Y, true, values...).rounded(6), 0)
	every := max(1, int(math.Ceil(n/(p.width()/2))))
	if c.cells {
		every = max(1, int(math.Ceil(n/(p.width()/dotSize))))
	}
	for i := 0; i < len(s); i += every {
		end := math.Min(n, float64(i+every))
		a, b := p.at(float64(i), 0), p.at(end, s[i].Value)
		if gap := b.x - a.x; gap > 4 {
			b.x--
		}
		name := s[i].Name
		if every > 1 {
			name = fmt.Sprintf("%s and %d more", name, int(end)-i-1)
		}
		c.mark(name + ": " + number(s[i].Value))
		c.box(rect{a.x, math.Min(a.y, b.y), b.x, math.Max(a.y, b.y)}, c.color(0), stroke{})
	}
}
