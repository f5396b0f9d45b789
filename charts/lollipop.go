package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Positions say how often each position of a protein is changed.
type Positions struct {
	Labels
	Length int // of the protein in amino acids; 0: as far as the last position
	List   []Position
}

// Position is one changed position.
type Position struct {
	At    int
	Count int
	Name  string // of the change, R882H, or of the position where there are several
	Class string // Missense
}

// A lollipop chart shows a stem for each position, as high as its count, with a head in
// the colour of the change's class. The highest are named as far as there is room.
var _ = add(kind[Positions]{
	name: "lollipop", across: positionLabel, up: countLabel,
	describe: func(d Positions) string {
		top := d.ascending()
		slices.Reverse(top)
		values := make([]Value, len(top))
		for i, p := range top {
			values[i] = Value{p.Name, float64(p.Count)}
		}
		return fmt.Sprintf("Lollipop chart of %d protein positions. ", len(top)) + listed(values)
	},
	draw: drawLollipop,
})

// ascending returns the positions in the order of their counts.
func (d Positions) ascending() []Position {
	return slices.SortedStableFunc(slices.Values(d.List), func(a, b Position) int { return a.Count - b.Count })
}

func drawLollipop(c *canvas, area rect, d Positions) {
	length, most := float64(d.Length), 0
	var classes []string
	for _, p := range d.List {
		length, most = math.Max(length, float64(p.At)), max(most, p.Count)
		if !slices.Contains(classes, p.Class) {
			classes = append(classes, p.Class)
		}
	}
	slices.SortFunc(classes, strings.Compare)
	keys := make([]key, len(classes))
	for i, class := range classes {
		keys[i] = key{name: class, color: c.color(i), sign: signOf(i)}
	}
	area = c.legend(area, keys)
	area.y0 += c.lineHeight(tickSize) // for the names above the highest heads
	p := c.plot(area, axis{max: math.Max(1, length), whole: true}, span(true, float64(most)).rounded(5), 0)
	order := d.ascending() // the highest on top
	for _, q := range order {
		foot, head := p.at(float64(q.At), 0), p.at(float64(q.At), float64(q.Count))
		c.line(stroke{color: c.muted, width: 1}, foot, head)
		c.mark(fmt.Sprintf("%s (%s): %d", q.Name, q.Class, q.Count))
		class := slices.Index(classes, q.Class)
		c.spot(head, 4.5, class, c.color(class), stroke{color: c.background, width: 1})
	}
	c.namePositions(p, order)
}

// namePositions writes the names of positions, the highest first, unless a name would cover
// a head or another name.
func (c *canvas) namePositions(p plot, ascending []Position) {
	line := c.lineHeight(tickSize)
	var taken []rect
	for _, q := range ascending {
		head := p.at(float64(q.At), float64(q.Count))
		taken = append(taken, rect{head.x - 4, head.y - 4, head.x + 4, head.y + 4})
	}
	for _, q := range slices.Backward(ascending) {
		head, half := p.at(float64(q.At), float64(q.Count)), c.measure(clean(q.Name), tickSize)/2
		at := math.Max(p.x0+half, math.Min(c.width-c.margin()-half, head.x))
		r := rect{at - half - 2, head.y - 6 - line, at + half + 2, head.y - 6}
		if c.cells {
			r.y0, r.y1 = c.snap(head.y)-cellHeight, c.snap(head.y)
		}
		if !slices.ContainsFunc(taken, r.overlaps) {
			taken = append(taken, r)
			if !c.cells {
				c.box(r, translucent(c.background, .8), stroke{}) // stems pass behind names
			}
			c.text(clean(q.Name), at, r.y0, tickSize, c.look.text, middle)
		}
	}
}

func (r rect) overlaps(o rect) bool { return r.x0 < o.x1 && o.x0 < r.x1 && r.y0 < o.y1 && o.y0 < r.y1 }
