package charts

import (
	"math"
	"slices"
	"strings"

	"github.com/wcharczuk/go-chart/v2/drawing"
)

// A key is one entry of a legend.
type key struct {
	name   string
	color  drawing.Color
	dash   []float64 // dashes of a line; nil: solid
	line   bool
	marker string // marker of the group at a terminal without colours; may be ""
}

// legend writes the entries in columns at the top of an area, and returns the remaining area.
func (c *canvas) legend(area rect, keys []key) rect {
	const square, space = 12.0, 18.0
	if len(keys) == 0 {
		return area
	}
	indent, column, height := 2*square+c.cellGap(), 0.0, c.lineHeight(labelSize)
	if c.cells && keys[0].line {
		indent += 2 * cellWidth
	}
	names := make([][]string, len(keys))
	for i, k := range keys {
		if c.omit >= details {
			k.name = withoutDetails(k.name)
		}
		names[i] = c.wrap(k.name, area.width()-indent, labelSize)
		for _, l := range names[i] {
			column = math.Max(column, indent+c.measure(l, labelSize)+space)
		}
	}
	columns := max(1, int((area.width()+space)/column))
	for i, k := range keys {
		x, center := area.x0+float64(i%columns)*column, area.y0+height/2
		switch {
		case k.line:
			length := 1.5 * square
			if c.cells {
				length = 5*cellWidth - 1
			}
			c.line(stroke{k.color, 2.5, k.dash}, point{x, center}, point{x + length, center})
			if c.plain {
				c.text(k.marker, x+2*cellWidth, area.y0, labelSize, k.color, left)
			}
		case c.plain && k.marker != "":
			c.text(k.marker, x, area.y0, labelSize, k.color, left)
		case c.cells:
			c.box(rect{x, area.y0, x + 2*cellWidth, area.y0 + cellHeight}, k.color, stroke{})
		default:
			c.box(rect{x, center - square/2, x + square, center + square/2}, k.color, stroke{})
		}
		bottom := c.lines(names[i], x+indent, area.y0, labelSize, c.look.text, left)
		if (i+1)%columns == 0 || i == len(keys)-1 {
			area.y0 = bottom // an entry of several lines gets a row of its own
		}
	}
	area.y0 += c.gap()
	return area
}

// A plot is an area between two continuous axes.
type plot struct {
	rect
	x, y axis
}

func (p plot) at(x, y float64) point {
	return point{p.x0 + p.x.share(x)*p.width(), p.y1 - p.y.share(y)*p.height()}
}

// plot draws the axes of an area and returns the area between them. It leaves bottomSpace pixels
// free under the horizontal axis.
func (c *canvas) plot(area rect, x, y axis, bottomSpace float64) plot {
	area.y0 = c.lines(c.wrap(c.yLabel, area.width(), labelSize), area.x0, area.y0, labelSize, c.muted, left)
	line := c.lineHeight(tickSize)
	area.y0 += line / 2 // half the height of the topmost tick label
	xLabel := c.wrap(c.xLabel, area.width(), labelSize)
	p := plot{area, x, y}
	labels := line * math.Max(1, float64(x.lines))
	p.y1 -= labels + c.gap()/2 + float64(len(xLabel))*c.lineHeight(labelSize) + bottomSpace
	if c.cells {
		p.y0 = c.snap(p.y0 + cellHeight - 1)
	}
	p.y1 = c.snap(math.Max(p.y1, p.y0+20))
	n := int(math.Max(2, math.Min(8, p.height()/(2.5*line))))
	yTicks := y.roundTicks(n)
	for n++; len(yTicks) < 2 && n <= 10; n++ { // one tick shows no scale
		yTicks = y.roundTicks(n)
	}
	p.x0 += c.widest(yTicks) + c.gap()
	xTicks := c.fittingTicks(x, p.width())
	p.x1 -= c.overhang(x, xTicks, p.width())
	for _, t := range yTicks {
		at := p.at(x.min, t.at)
		c.gridLine(at, point{p.x1, at.y})
		c.text(t.text, p.x0-c.gap()/2-c.cellGap(), at.y-line/2, tickSize, c.muted, right)
	}
	for _, t := range xTicks {
		at := p.at(t.at, y.min)
		c.gridLine(point{at.x, p.y0}, point{at.x, p.y1})
		c.text(t.text, at.x, p.y1+c.gap()/2, tickSize, c.muted, middle)
	}
	if c.frame {
		c.line(stroke{color: c.muted, width: 1}, point{p.x0, p.y0}, point{p.x0, p.y1 - c.axisOffset()}, point{p.x1, p.y1 - c.axisOffset()})
	}
	c.lines(xLabel, (p.x0+p.x1)/2, p.y1+c.gap()/2+labels, labelSize, c.muted, middle)
	p.y1 -= c.axisOffset()
	c.data = p.rect
	return p
}

// axisOffset returns the distance by which the horizontal axis is drawn above its true position. At a
// terminal the axis is drawn in the row of cells above its labels.
func (c *canvas) axisOffset() float64 {
	if c.cells {
		return 1
	}
	return 0
}

// snap returns the upper edge of the row of cells that contains y.
func (c *canvas) snap(y float64) float64 {
	if c.cells {
		return math.Floor(y/cellHeight) * cellHeight
	}
	return y
}

// cellGap returns the space between a label and its axis at a terminal.
func (c *canvas) cellGap() float64 {
	if c.cells {
		return cellWidth
	}
	return 0
}

func (c *canvas) gridLine(a, b point) {
	if c.frame && !c.cells {
		c.line(stroke{color: c.grid, width: 1}, a, b)
	}
}

func (c *canvas) widest(ticks []tick) (width float64) {
	for _, t := range ticks {
		width = math.Max(width, c.measure(t.text, tickSize))
	}
	return width + c.cellGap()
}

// overhang returns the width by which the last label of a horizontal axis would exceed the image.
func (c *canvas) overhang(a axis, ticks []tick, width float64) float64 {
	if len(ticks) == 0 {
		return 0
	}
	last := ticks[len(ticks)-1]
	return math.Max(0, c.measure(last.text, tickSize)/2-(1-a.share(last.at))*width)
}

// fittingTicks returns as many ticks of a horizontal axis as fit.
func (c *canvas) fittingTicks(a axis, width float64) []tick {
	if len(a.ticks) > 0 {
		return a.dropOverlapping(a.ticks, width, func(t tick) float64 { return c.measure(t.text, tickSize)/2 + 3 })
	}
	for n := 10; n > 1; n-- {
		ticks := a.roundTicks(n)
		half := func(t tick) float64 { return c.measure(t.text, tickSize)/2 + 5 }
		if kept := a.dropOverlapping(ticks, width, half); len(kept) == len(ticks) {
			return ticks
		}
	}
	return a.roundTicks(1)
}

// dropOverlapping drops each tick that would overlap the one before it. The function half returns half the
// width of a tick.
func (a axis) dropOverlapping(ticks []tick, width float64, half func(tick) float64) (visible []tick) {
	end := math.Inf(-1)
	for _, t := range ticks {
		if at := a.share(t.at) * width; at-half(t) >= end {
			visible = append(visible, t)
			end = at + half(t)
		}
	}
	return visible
}

// bands is an area with an axis of groups and an axis of values. The groups are on the horizontal
// axis if their names fit there, otherwise on the vertical one.
type bands struct {
	rect
	upright bool // the groups are on the vertical axis, from top to bottom
	n       int
	value   axis
	whole   bool             // every name must be legible and whole
	heading func(i int) bool // reports whether a name is a heading; nil if there are no headings
}

// at returns the point of value v in band i, at the given share of the band's breadth.
func (b bands) at(i int, share, v float64) point {
	along := (float64(i) + share) / float64(b.n)
	if b.upright {
		return point{b.x0 + b.value.share(v)*b.width(), b.y0 + along*b.height()}
	}
	return point{b.x0 + along*b.width(), b.y1 - b.value.share(v)*b.height()}
}

// breadth returns the breadth of a band in pixels.
func (b bands) breadth() float64 {
	if b.upright {
		return b.height() / float64(b.n)
	}
	return b.width() / float64(b.n)
}

// bar returns the rectangle from one value to another, across part of a band.
func (b bands) bar(i int, from, to, v0, v1 float64) rect {
	p, q := b.at(i, from, v0), b.at(i, to, v1)
	return rect{min(p.x, q.x), min(p.y, q.y), max(p.x, q.x), max(p.y, q.y)}
}

// bands draws an axis of groups and an axis of values, and returns the area between them. If the
// groups are on the vertical axis, it leaves valueSpace pixels free for a text past the greatest
// value.
func (c *canvas) bands(area rect, names []string, value axis, valueSpace float64) bands {
	b := bands{rect: area, n: max(1, len(names)), value: value}
	room := (area.width()-60)/float64(b.n) - 8
	wrapped, maxLines := make([][]string, len(names)), 0
	for i, name := range names {
		wrapped[i] = c.wrap(name, room, tickSize)
		maxLines = max(maxLines, len(wrapped[i]))
	}
	b.upright = maxLines > 3 || !c.wordsFit(names, room)
	if b.upright {
		b.x1 -= valueSpace
		return c.uprightBands(b, names)
	}
	p := c.plot(area, axis{max: 1, ticks: []tick{{at: -1}}, lines: maxLines}, value, 0)
	b.rect = p.rect
	for i, lines := range wrapped {
		c.lines(lines, b.at(i, .5, value.min).x, b.y1+c.gap()/2, tickSize, c.look.text, middle)
	}
	return b
}

// uprightBands draws bands whose groups are on the vertical axis.
func (c *canvas) uprightBands(b bands, names []string) bands {
	area, line := b.rect, c.lineHeight(tickSize)
	area.y0 = c.lines(c.wrap(c.xLabel, area.width(), labelSize), area.x0, area.y0, labelSize, c.muted, left)
	valueLines := c.wrap(c.yLabel, area.width(), labelSize)
	b.rect = area
	b.y1 = c.snap(math.Max(b.y0+20, b.y1-line-c.gap()/2-float64(len(valueLines))*c.lineHeight(labelSize)))
	room := math.Min(c.widestName(names)+2, .45*area.width())
	b.x0 += room + c.gap() + c.cellGap()
	ticks := c.fittingTicks(b.value, b.width())
	b.x1 -= c.overhang(b.value, ticks, b.width())
	c.data = b.rect
	for _, t := range ticks {
		x := b.at(0, 0, t.at).x
		c.gridLine(point{x, b.y0}, point{x, b.y1})
		c.text(t.text, x, b.y1+c.gap()/2, tickSize, c.muted, middle)
	}
	if c.frame {
		c.line(stroke{color: c.muted, width: 1}, point{b.x0, b.y0}, point{b.x0, b.y1})
	}
	c.lines(valueLines, (b.x0+b.x1)/2, b.y1+c.gap()/2+line, labelSize, c.muted, middle)
	end := math.Inf(-1)
	for i, n := range names {
		lines := c.fit(n, room, b.breadth())
		if whole := c.wrap(n, room, tickSize); b.whole && (len(whole) > len(lines) || b.breadth() < line) {
			c.overflows = true
		}
		y := b.at(i, .5, 0).y - float64(len(lines))*line/2
		if y < end {
			continue // this label would overlap the one before
		}
		color := c.look.text
		if b.heading != nil && b.heading(i) {
			color = c.muted
		}
		end = c.lines(lines, b.x0-c.gap()-c.cellGap(), y, tickSize, color, right) - .5
	}
	return b
}

// wordsFit reports whether every word of the labels fits into a width.
func (c *canvas) wordsFit(labels []string, width float64) bool {
	for _, l := range labels {
		for word := range strings.FieldsSeq(clean(l)) {
			if c.measure(word, tickSize) > width {
				return false
			}
		}
	}
	return true
}

// widestName returns the width of the widest name in pixels.
func (c *canvas) widestName(names []string) (width float64) {
	for _, n := range names {
		width = math.Max(width, c.measure(clean(n), tickSize))
	}
	return width
}

// fit wraps a label into at most as many lines as fit into height.
func (c *canvas) fit(name string, width, height float64) []string {
	lines, maxLines := c.wrap(name, width, tickSize), max(1, int(height/c.lineHeight(tickSize)))
	if len(lines) > maxLines {
		return c.shorten(lines, maxLines, width)
	}
	return lines
}

// shorten keeps n lines and ends the last one with an ellipsis. The full name remains in the
// titles of the marks, and in the table that accompanies the chart.
func (c *canvas) shorten(lines []string, n int, room float64) []string {
	kept := slices.Clone(lines[:n])
	last := []rune(kept[n-1])
	for len(last) > 0 && c.measure(string(last)+"…", tickSize) > room {
		last = last[:len(last)-1]
	}
	kept[n-1] = string(last) + "…"
	return kept
}
