package charts

import (
	"math"
	"strings"

	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// A canvas draws on a renderer. Its coordinates are pixels from the upper left corner.
type canvas struct {
	look
	r              chart.Renderer
	unit           float64 // renderer units per pixel
	width, height  float64
	cells          bool   // a terminal, where each character is a cell
	plain          bool   // a terminal without colour
	xLabel, yLabel string // labels of the horizontal and the vertical axis
	overflows      bool   // a text did not fit into the image
	marks          int    // number of shapes that show data
	log            bool   // value axes are logarithmic
	omit           omission
	data           rect // area that shows the data; empty: the kind has no axes
}

type point struct{ x, y float64 }

// A rect is the area from (x0, y0) at the upper left to (x1, y1).
type rect struct{ x0, y0, x1, y1 float64 }

func (r rect) width() float64  { return r.x1 - r.x0 }
func (r rect) height() float64 { return r.y1 - r.y0 }

// font sizes in pixels
const (
	titleSize = 17.0
	labelSize = 13.0
	tickSize  = 12.0
	lead      = 1.3 // line height, as a multiple of the size
)

func newCanvas(r chart.Renderer, l look, unit, width, height float64) *canvas {
	font, _ := chart.GetDefaultFont() // embedded in go-chart, so it does not fail
	r.SetFont(font)
	r.SetDPI(72) // makes font sizes equal renderer units
	return &canvas{look: l, r: r, unit: unit, width: width, height: height}
}

// newScaledCanvas returns a canvas for an image of the given size. A chart that needs more room is drawn
// larger and scaled down.
func newScaledCanvas(r chart.Renderer, l look, unit, width, height float64, ch Chart, o Options) *canvas {
	scale, omit, _ := ch.layout(l, unit, width, height, o)
	c := newCanvas(r, l, unit*scale, width/scale, height/scale)
	c.omit = omit
	return c
}

// newTerminalCanvas returns a canvas of characters.
func newTerminalCanvas(r chart.Renderer, l look, o Options) *canvas {
	c := newCanvas(r, l, 1, float64(o.Cols*cellWidth), float64(o.Rows*cellHeight))
	c.cells, c.plain = true, !o.Color
	return c
}

// isBlank reports whether a chart has no data to show.
func (ch Chart) isBlank() bool {
	c := newCanvas(newSVG(defaultWidth, defaultHeight, 1, "", ""), themes[0], 1, defaultWidth, defaultHeight)
	c.palette = palettes[0].colors()
	ch.draw(c, rect{0, 0, defaultWidth, defaultHeight})
	return c.marks == 0
}

func (c *canvas) toDevice(v float64) int { return int(math.Round(v * c.unit)) }

// A stroke is a line style. The zero value draws no line.
type stroke struct {
	color drawing.Color
	width float64
	dash  []float64
}

func (c *canvas) setStroke(s stroke) {
	c.r.SetStrokeColor(s.color)
	c.r.SetStrokeWidth(math.Max(s.width*c.unit, .5))
	var dash []float64
	for _, d := range s.dash {
		if c.cells {
			d = math.Ceil(d/2) * dotSize // whole dots
		}
		dash = append(dash, d*c.unit)
	}
	c.r.SetStrokeDashArray(dash)
}

// mark sets the title of the next shape, which SVG viewers show as a tooltip.
func (c *canvas) mark(title string) {
	c.marks++
	if r, ok := c.r.(interface{ nameMark(string) }); ok {
		r.nameMark(clean(title))
	}
}

func (c *canvas) path(points []point) {
	for i, p := range points {
		if i == 0 {
			c.r.MoveTo(c.toDevice(p.x), c.toDevice(p.y))
		} else {
			c.r.LineTo(c.toDevice(p.x), c.toDevice(p.y))
		}
	}
}

func (c *canvas) line(s stroke, points ...point) {
	if len(points) < 2 {
		return
	}
	c.setStroke(s)
	c.path(points)
	c.r.Stroke()
}

// polygon fills an area. If the stroke has a width, it also outlines the area.
func (c *canvas) polygon(fill drawing.Color, s stroke, points ...point) {
	if len(points) < 3 {
		return
	}
	c.r.SetFillColor(fill)
	c.setStroke(s)
	c.path(points)
	c.r.Close()
	c.paintShape(s)
}

func (c *canvas) paintShape(s stroke) {
	if s.width > 0 {
		c.r.FillStroke()
	} else {
		c.r.Fill()
	}
}

func (c *canvas) box(r rect, fill drawing.Color, s stroke) {
	c.polygon(fill, s, point{r.x0, r.y0}, point{r.x1, r.y0}, point{r.x1, r.y1}, point{r.x0, r.y1})
}

// circles draws a circle around each point, all as one shape, so that a translucent colour is not
// denser at overlaps.
func (c *canvas) circles(points []point, radius float64, fill drawing.Color) {
	if len(points) == 0 {
		return
	}
	c.r.SetFillColor(fill)
	for _, p := range points {
		c.r.Circle(radius*c.unit, c.toDevice(p.x), c.toDevice(p.y))
	}
	c.r.Fill()
}

func (c *canvas) circle(p point, radius float64, fill drawing.Color, s stroke) {
	c.r.SetFillColor(fill)
	c.setStroke(s)
	c.r.Circle(radius*c.unit, c.toDevice(p.x), c.toDevice(p.y))
	c.paintShape(s)
}

// slice fills a sector of a circle between two angles, in radians clockwise from the top.
func (c *canvas) slice(center point, radius, from, to float64, fill drawing.Color, s stroke) {
	c.r.SetFillColor(fill)
	c.setStroke(s)
	c.r.MoveTo(c.toDevice(center.x), c.toDevice(center.y))
	c.r.ArcTo(c.toDevice(center.x), c.toDevice(center.y), radius*c.unit, radius*c.unit, from-math.Pi/2, to-from)
	c.r.Close()
	c.paintShape(s)
}

// align is the horizontal alignment of a text to its point.
type align int

const (
	left align = iota
	middle
	right
)

// text writes one line whose upper edge is at y.
func (c *canvas) text(s string, x, y, size float64, color drawing.Color, a align) {
	if s == "" {
		return
	}
	c.r.SetFontColor(color)
	c.r.SetFontSize(size * c.unit)
	baseline := y + size
	c.overflows = c.overflows || y < 0 || baseline > c.height
	if r, ok := c.r.(interface{ anchorText(string) }); ok && a != left {
		r.anchorText([]string{"start", "middle", "end"}[a])
	} else {
		x -= c.measure(s, size) * float64(a) / 2
	}
	c.r.Text(s, c.toDevice(x), c.toDevice(baseline))
}

// measure returns the width of a text in pixels.
func (c *canvas) measure(s string, size float64) float64 {
	if c.cells {
		return float64(cellWidth * cellsOf(s))
	}
	c.r.SetFontSize(size * c.unit)
	return float64(c.r.MeasureText(s).Width()) / c.unit
}

// lineHeight returns the height of a line of text.
func (c *canvas) lineHeight(size float64) float64 {
	if c.cells {
		return cellHeight
	}
	return size * lead
}

func (c *canvas) wrap(s string, width, size float64) []string {
	return wrap(clean(s), width, func(s string) float64 { return c.measure(s, size) })
}

// lines writes lines below each other and returns the y below the last line.
func (c *canvas) lines(lines []string, x, y, size float64, color drawing.Color, a align) float64 {
	for _, l := range lines {
		c.text(l, x, y, size, color, a)
		y += c.lineHeight(size)
	}
	return y
}

// paint draws the whole image: background, title, subtitle, chart and note.
func (c *canvas) paint(ch Chart, o Options) {
	c.box(rect{0, 0, c.width, c.height}, c.background, stroke{})
	margin := c.margin()
	area := rect{margin, margin, c.width - margin, c.height - margin}
	area.y0 = c.lines(c.wrap(o.titleOf(ch), area.width(), titleSize), area.x0, area.y0, titleSize, c.look.text, left)
	area.y0 = c.lines(c.wrap(ch.Subtitle, area.width(), labelSize), area.x0, area.y0, labelSize, c.muted, left)
	c.log = o.Log
	text := ch.Note
	if c.omit >= details {
		text = strings.TrimSpace(strings.Replace(text, ch.kindNote, "", 1))
	}
	if !ch.blank {
		text = joinNotes(ch.merged(c, area), text)
	}
	note := c.wrap(joinNotes(text, ch.edgeNote(o)), area.width(), tickSize)
	area.y1 -= float64(len(note)) * c.lineHeight(tickSize)
	c.lines(note, area.x0, area.y1, tickSize, c.muted, left)
	if len(note) > 0 {
		area.y1 -= c.gap()
	}
	area.y0 += c.gap()
	area.y1 = math.Max(area.y1, area.y0+20)
	if ch.blank {
		c.text("No data", (area.x0+area.x1)/2, (area.y0+area.y1-c.lineHeight(labelSize))/2, labelSize, c.muted, middle)
		return
	}
	c.xLabel, c.yLabel = ch.xLabel, ch.yLabel
	ch.draw(c, area)
}

func (c *canvas) margin() float64 {
	if c.cells {
		return 0
	}
	return 16
}

// gap returns the space between the parts of an image.
func (c *canvas) gap() float64 {
	if c.cells {
		return 0
	}
	return 8
}

// markers are the signs for groups of points at a terminal without colours. Every font has them,
// one cell wide.
const markers = "ox+*#%@&=$abcdefghijklmnpqrstuvwyz"

func markerOf(i int) string { return markers[i%len(markers):][:1] }

// drawMarker draws a point of a group: a circle or, without colours, the group's marker.
func (c *canvas) drawMarker(p point, radius float64, group int, fill drawing.Color, s stroke) {
	if !c.plain {
		c.circle(p, radius, fill, s)
		return
	}
	x, y := math.Floor(p.x/cellWidth)*cellWidth, c.snap(p.y)
	c.text(markerOf(group), x, y, tickSize, fill, left)
}
