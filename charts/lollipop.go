package charts

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Positions holds the number of changes at each position of a protein.
type Positions struct {
	Labels
	Length int // protein length in amino acids; 0: up to the last position
	List   []Position
}

// A Position is one changed position.
type Position struct {
	Residue int
	Count   int
	Name    string // the change, such as R882H, or the changes, such as R882C/H
	Class   string // variant class, such as Missense
}

// A lollipop chart shows a stem for each position, as high as its count, with a head in the
// colour of the change's class. The highest are named as far as there is room, but no position with
// a single change, unless every position is one and there are few.
var _ = register(kind[Positions]{
	name: "lollipop", xLabel: positionLabel, yLabel: countLabel,
	note: func(d Positions) string {
		if d.Length == 0 && len(d.List) > 0 {
			return "The axis ends at the last position."
		}
		return ""
	},
	describe: func(d Positions) string {
		top := d.ascending()
		slices.Reverse(top)
		values := make([]Value, len(top))
		for i, p := range top {
			values[i] = Value{p.Name, float64(p.Count)}
		}
		return fmt.Sprintf("Lollipop chart of %d protein positions. ", len(top)) + describeValues(values)
	},
	draw: drawLollipop,
})

// ascending returns the positions sorted by count.
func (d Positions) ascending() []Position {
	return slices.SortedStableFunc(slices.Values(d.List), func(a, b Position) int { return a.Count - b.Count })
}

func drawLollipop(c *canvas, area rect, d Positions) {
	length, maxCount := float64(d.Length), 0
	var classes []string
	for _, p := range d.List {
		length, maxCount = math.Max(length, float64(p.Residue)), max(maxCount, p.Count)
		if !slices.Contains(classes, p.Class) {
			classes = append(classes, p.Class)
		}
	}
	slices.SortFunc(classes, strings.Compare)
	keys := make([]key, len(classes))
	for i, class := range classes {
		keys[i] = key{name: class, color: c.classColor(class), marker: markerOf(i)}
	}
	area = c.legend(area, keys)
	top, line := area.y0, c.lineHeight(tickSize)
	area.y0 += line // room for names above the highest heads
	if !c.cells {
		area.y0 += line
	}
	up := rect{area.x0, area.y0, area.x0 + c.measure(c.yLabel, labelSize), area.y0 + c.lineHeight(labelSize)}
	x := axis{max: math.Max(1, length), integers: true}
	if d.Length > 0 {
		x.ticks = c.ticksUpTo(x, area.width())
	}
	p := c.plot(area, x, span(true, float64(maxCount)).extendToTicks(5), 0)
	order := d.ascending() // draws the highest on top
	for _, q := range order {
		foot, head := p.at(float64(q.Residue), 0), p.at(float64(q.Residue), float64(q.Count))
		c.line(stroke{color: c.muted, width: 1}, foot, head)
		c.mark(fmt.Sprintf("%s (%s): %d", q.Name, q.Class, q.Count))
		class := slices.Index(classes, q.Class)
		c.drawMarker(head, 4.5, class, c.classColor(q.Class), stroke{color: c.background, width: 1})
	}
	for _, n := range c.namePositions(p, order, top, up) {
		if l := n.leader; l.height() > 0 {
			c.line(stroke{color: c.muted, width: 1}, point{(l.x0 + l.x1) / 2, l.y0}, point{(l.x0 + l.x1) / 2, l.y1})
		}
		if !c.cells {
			c.box(n.text, translucent(c.background, .8), stroke{}) // stems pass behind names
		}
		c.text(n.name, n.text.x0+2+(n.text.width()-4)*float64(n.align)/2, n.text.y0, tickSize, c.look.text, n.align)
	}
}

// ticksUpTo returns the ticks of a horizontal axis. The last is its end, the length of the protein.
func (c *canvas) ticksUpTo(a axis, width float64) []tick {
	end := tick{a.max, number(a.max)}
	ticks := slices.DeleteFunc(c.fittingTicks(a, width), func(t tick) bool {
		return (a.max-t.at)/a.max*width < c.measure(end.text+t.text, tickSize)/2+10
	})
	return append(ticks, end)
}

// fewPositions is the number of positions up to which single changes may be named.
const fewPositions = 10

// maxNameWidth is the maximum width of a position's name in pixels; longer names are shortened.
const maxNameWidth = 130

// A namePlace is a place for the name of a position.
type namePlace struct {
	index  int // index in the list of positions
	name   string
	text   rect
	align  align
	room   rect // area that must have no other head and, beside a head, no other stem
	leader rect // line from the name to the head; empty: the name is next to it
}

// namePositions returns the places of names, the highest position first. A name is above its
// head, beside it, or higher up but below top, with a line to its head. A position has no name if
// another head would be as near, or if the name would cover something.
func (c *canvas) namePositions(p plot, ascending []Position, top float64, occupied ...rect) (names []namePlace) {
	heads := make([]point, len(ascending))
	for i, q := range ascending {
		heads[i] = p.at(float64(q.Residue), float64(q.Count))
	}
	for i, q := range slices.Backward(ascending) {
		if q.Count < 2 && (len(ascending) > fewPositions || ascending[len(ascending)-1].Count > 1) {
			break
		}
		name := clean(q.Name)
		if c.measure(name, tickSize) > maxNameWidth {
			name = c.shorten([]string{name}, 1, maxNameWidth)[0]
		}
		for _, place := range c.namePlaces(heads[i], p, c.measure(name, tickSize)) {
			isNear := func(h point) bool {
				head, stem := rect{h.x - 4, h.y - 4, h.x + 4, h.y + 4}, rect{h.x, h.y, h.x + 1, p.y1}
				inRoom := place.room.overlaps(head) || place.align != middle && place.room.overlaps(stem)
				underLeader := place.leader.height() > 0 && h.x > place.leader.x0 && h.x < place.leader.x1
				return h != heads[i] && (inRoom || underLeader)
			}
			blocked := slices.ContainsFunc(occupied, place.text.overlaps) ||
				slices.ContainsFunc(occupied, place.leader.overlaps)
			if place.text.y0 < top || blocked || slices.ContainsFunc(heads, isNear) {
				continue
			}
			place.index, place.name = i, name
			names, occupied = append(names, place), append(occupied, place.text, place.leader)
			break
		}
	}
	return names
}

// namePlaces returns possible places for a name of the given width, best first.
func (c *canvas) namePlaces(head point, p plot, width float64) (places []namePlace) {
	line := c.lineHeight(tickSize)
	above, beside, end := head.y-6-line, head.y-line/2, head.y-5
	if c.cells {
		beside = c.snap(head.y)
		above, end = beside-cellHeight, beside
	}
	add := func(x, y float64, a align, room rect, leader rect) {
		if x+2 >= p.x0 && x+width+2 <= c.width-c.margin() {
			text := rect{x, y, x + width + 4, y + line}
			places = append(places, namePlace{text: text, align: a, room: room, leader: leader})
		}
	}
	x := math.Max(p.x0, math.Min(c.width-c.margin()-width, head.x-width/2)) - 2
	add(x, above, middle, rect{x, above, x + width + 4, math.Max(above+line, head.y+4)}, rect{})
	for _, a := range []align{left, right} {
		if c.cells {
			break // a name would overlap the marker of its head
		}
		x := head.x + 6 - float64(a)/2*(width+16)
		add(x, beside, a, rect{x - 8, beside - 4, x + width + 12, beside + line + 4}, rect{})
	}
	for y := above - line; y > above-4*line; y -= line {
		add(x, y, middle, rect{x, y, x + width + 4, y + line}, rect{head.x - 3, y + line, head.x + 3, end})
	}
	return places
}

func (r rect) overlaps(o rect) bool { return r.x0 < o.x1 && o.x0 < r.x1 && r.y0 < o.y1 && o.y0 < r.y1 }
