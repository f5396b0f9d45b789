package charts_test

import (
	"encoding/xml"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/wcharczuk/go-chart/v2"

	"biomcp/charts"
	"biomcp/charts/gallery"
)

// words is a text of an image with the rectangle that it covers.
type words struct {
	text, anchor   string
	x0, y0, x1, y1 float64
}

// texts returns the texts of an SVG with the rectangles that they cover, measured in the font of
// the layout.
func texts(t *testing.T, svg []byte) (list []words, width, height float64) {
	t.Helper()
	measure, err := chart.PNG(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	font, err := chart.GetDefaultFont()
	if err != nil {
		t.Fatal(err)
	}
	measure.SetFont(font)
	measure.SetDPI(72)
	d := xml.NewDecoder(strings.NewReader(string(svg)))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return list, width, height
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		number := func(name string) float64 {
			i := slices.IndexFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Local == name })
			if i < 0 {
				return 0
			}
			v, err := strconv.ParseFloat(start.Attr[i].Value, 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		switch start.Name.Local {
		case "svg":
			width, height = number("width"), number("height")
		case "text":
			x, y, size := number("x"), number("y"), number("font-size")
			anchor := "start"
			if i := slices.IndexFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Local == "text-anchor" }); i >= 0 {
				anchor = start.Attr[i].Value
			}
			var text string
			if err := d.DecodeElement(&text, &start); err != nil {
				t.Fatal(err)
			}
			measure.SetFontSize(size * 16) // whole pixels are too coarse for small text
			w := float64(measure.MeasureText(text).Width()) / 16
			switch {
			case anchor == "end":
				x -= w
			case anchor == "middle":
				x -= w / 2
			}
			list = append(list, words{text, anchor, x, y - .75*size, x + w, y + .1*size})
		case "script", "foreignObject", "image", "a":
			t.Errorf("element <%s>", start.Name.Local)
		}
	}
}

// In every image of the gallery, at every size, no label overlaps another or exceeds the image,
// and the title is complete.
func TestLabelsDoNotOverlap(t *testing.T) {
	examples, err := gallery.Examples()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range examples {
		for _, o := range []charts.Options{{}, {Width: 240, Height: 160}, {Width: 600}, {Width: 1600}, {Width: 4096, Height: 600}} {
			svg, err := charts.SVG(e.Chart, o)
			if err != nil {
				t.Fatal(err)
			}
			list, width, height := texts(t, svg)
			all := ""
			for i, a := range list {
				all += a.text + " "
				if a.x0 < -1 || a.y0 < -1 || a.x1 > width+1 || a.y1 > height+1 {
					t.Errorf("%s at %dx%d: %q leaves the picture: %.0f,%.0f to %.0f,%.0f", e.Name, o.Width, o.Height, a.text, a.x0, a.y0, a.x1, a.y1)
				}
				for _, b := range list[:i] {
					if a.x0 < b.x1-.5 && b.x0 < a.x1-.5 && a.y0 < b.y1-.5 && b.y0 < a.y1-.5 {
						t.Errorf("%s at %dx%d: %q lies on %q", e.Name, o.Width, o.Height, a.text, b.text)
					}
				}
			}
			if title := titleOf(svg); !strings.Contains(all, title) {
				t.Errorf("%s: the title %q is not whole in %q", e.Name, title, all)
			}
		}
	}
}

func titleOf(svg []byte) string {
	var picture struct {
		Title string `xml:"title"`
	}
	if err := xml.Unmarshal(svg, &picture); err != nil {
		return err.Error()
	}
	return picture.Title
}
