package charts

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"
)

// svg is a chart.Renderer that writes SVG 1.1. Unlike go-chart's renderer, it escapes text,
// writes a title, a description and a size, anchors text so that it stays aligned in another
// font, and gives each mark a title of its own.
type svg struct {
	chart.Renderer // go-chart's renderer, which measures text
	body, path     strings.Builder
	unit           float64 // device units per pixel
	width, height  float64
	title, desc    string

	stroke, fill, text drawing.Color
	strokeWidth        float64
	dash               []float64
	fontSize           float64
	mark               string // title of the next shape
	anchor             string // alignment of the next text
}

func newSVG(width, height, unit float64, title, desc string) *svg {
	measure, _ := chart.PNG(1, 1) // does not fail for this size
	return &svg{Renderer: measure, unit: unit, width: width, height: height, title: title, desc: desc}
}

func (s *svg) SetStrokeColor(c drawing.Color)    { s.stroke = c }
func (s *svg) SetFillColor(c drawing.Color)      { s.fill = c }
func (s *svg) SetStrokeWidth(width float64)      { s.strokeWidth = width }
func (s *svg) SetStrokeDashArray(dash []float64) { s.dash = dash }
func (s *svg) SetFontColor(c drawing.Color)      { s.text = c }
func (s *svg) SetFontSize(size float64)          { s.fontSize = size; s.Renderer.SetFontSize(size) }
func (s *svg) MoveTo(x, y int)                   { s.step('M', x, y) }
func (s *svg) LineTo(x, y int)                   { s.step('L', x, y) }
func (s *svg) Close()                            { s.path.WriteByte('Z') }
func (s *svg) Stroke()                           { s.shape(false, true) }
func (s *svg) Fill()                             { s.shape(true, false) }
func (s *svg) FillStroke()                       { s.shape(true, true) }
func (s *svg) nameMark(title string)             { s.mark = title }
func (s *svg) anchorText(anchor string)          { s.anchor = anchor }
func (s *svg) length(device float64) string      { return decimal(device / s.unit) }
func decimal(v float64) string                   { return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64) }
func color(c drawing.Color) string               { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
func (s *svg) attribute(name, value string)      { fmt.Fprintf(&s.body, ` %s="%s"`, name, value) }
func (s *svg) opacity(name string, c drawing.Color) {
	if c.A < 255 {
		s.attribute(name, decimal(float64(c.A)/255))
	}
}

func (s *svg) step(command byte, at ...int) {
	s.path.WriteByte(command)
	for i, v := range at {
		if i > 0 {
			s.path.WriteByte(' ')
		}
		s.path.WriteString(s.length(float64(v)))
	}
}

// ArcTo adds a line to the start of an arc, and the arc in two halves, because one command cannot
// draw a full circle. Coordinates are not rounded, so that the arc is exact.
func (s *svg) ArcTo(cx, cy int, rx, ry, start, delta float64) {
	at := func(angle float64) string {
		return s.length(float64(cx)+rx*math.Cos(angle)) + " " + s.length(float64(cy)+ry*math.Sin(angle))
	}
	fmt.Fprintf(&s.path, "L%s", at(start))
	for i := range 2 {
		fmt.Fprintf(&s.path, "A%s %s 0 0 1 %s", s.length(rx), s.length(ry), at(start+delta*float64(i+1)/2))
	}
}

// Circle adds a circle to the path.
func (s *svg) Circle(radius float64, x, y int) {
	r := s.length(radius)
	fmt.Fprintf(&s.path, "M%s %sa%s %s 0 1 0 %s 0a%s %s 0 1 0 -%s 0Z", s.length(float64(x)-radius), s.length(float64(y)),
		r, r, s.length(2*radius), r, r, s.length(2*radius))
}

func (s *svg) shape(fill, stroke bool) {
	s.body.WriteString(`<path`)
	s.attribute("d", s.path.String())
	s.path.Reset()
	if fill {
		s.attribute("fill", color(s.fill))
		s.opacity("fill-opacity", s.fill)
	} else {
		s.attribute("fill", "none")
	}
	if stroke {
		s.attribute("stroke", color(s.stroke))
		s.opacity("stroke-opacity", s.stroke)
		s.attribute("stroke-width", s.length(s.strokeWidth))
		if len(s.dash) > 0 {
			lengths := make([]string, len(s.dash))
			for i, d := range s.dash {
				lengths[i] = s.length(d)
			}
			s.attribute("stroke-dasharray", strings.Join(lengths, " "))
		}
	}
	if s.mark == "" {
		s.body.WriteString("/>\n")
		return
	}
	s.body.WriteString("><title>" + escape(s.mark) + "</title></path>\n")
	s.mark = ""
}

// Text writes one line with its baseline at y.
func (s *svg) Text(body string, x, y int) {
	s.body.WriteString(`<text`)
	s.attribute("x", s.length(float64(x)))
	s.attribute("y", s.length(float64(y)))
	s.attribute("font-size", s.length(s.fontSize))
	s.attribute("fill", color(s.text))
	if s.anchor != "" {
		s.attribute("text-anchor", s.anchor)
		s.anchor = ""
	}
	s.body.WriteString(">" + escape(body) + "</text>\n")
}

// Save writes the document.
func (s *svg) Save(w io.Writer) error {
	width, height := decimal(s.width), decimal(s.height)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%s" height="%s" viewBox="0 0 %s %s"`+
		` role="img" font-family="Roboto, Helvetica, Arial, sans-serif">
<title>%s</title>
<desc>%s</desc>
%s</svg>
`, width, height, width, height, escape(s.title), escape(s.desc), s.body.String())
	return err
}

func escape(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(s)) // writing to a strings.Builder does not fail
	return b.String()
}
