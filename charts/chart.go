package charts

import (
	"bytes"
	"image"
	"image/png"
	"math"

	"github.com/wcharczuk/go-chart/v2"
)

// Labels holds the texts of a chart. All but the title may be empty. Axis labels are named by the
// quantity on the axis; each kind of chart puts them on the right axis.
type Labels struct {
	Title    string
	Subtitle string // below the title, such as a denominator or a p-value
	Note     string // below the chart, such as exclusions or a method

	Group      string // meaning of the names, such as "Variant class"
	Value      string // measured quantity with its unit, such as "Expression (z-score)"
	Comparison string // quantity that the value is compared with, with its unit
	Count      string // counted objects, such as "Mutations"
	Share      string // meaning of shares from 0 to 1, such as "Survival probability"
	Time       string // time with its unit, such as "Time (months)"
	Position   string // such as "Amino acid position"

	// Significance is the vertical axis of a volcano plot that shows p-values instead of q-values.
	Significance string

	MutationClasses bool // the names are mutation classes, whose colours are equal in every chart
}

func (l Labels) labels() Labels { return l }

// A Value is a named number.
type Value struct {
	Name  string
	Value float64
}

const (
	defaultWidth, defaultHeight = 800, 520
	minWidth, minHeight         = 480.0, 320.0 // smaller images are drawn at this size and scaled down
)

// SVG draws a chart as an SVG document. The document has a title and a description, its texts are
// text elements, and each mark has its numbers as its title.
func SVG(ch Chart, o Options) ([]byte, error) {
	o, th, err := o.resolve("light")
	if err != nil {
		return nil, err
	}
	if err := ch.Check(o); err != nil {
		return nil, err
	}
	width, height := o.extent(ch)
	const unit = 4 // coordinates are quarters of a pixel
	r := newSVG(width, height, unit, clean(o.titleOf(ch)), clean(ch.Describe()))
	newScaledCanvas(r, th, unit, width, height, ch, o).paint(ch, o)
	var b bytes.Buffer
	err = r.Save(&b)
	return b.Bytes(), err
}

// PNG draws a chart as a PNG image with Options.Scale pixels per unit of width. It returns a
// SizeError for an image of more than 16,777,216 pixels.
func PNG(ch Chart, o Options) ([]byte, error) {
	o, th, err := o.resolve("light")
	if err != nil {
		return nil, err
	}
	width, height := o.extent(ch)
	if w, h := int(width*o.Scale), int(height*o.Scale); w*h > maxPixels {
		return nil, &SizeError{w, h}
	}
	picture, err := pixels(ch, o, th, o.Scale)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = png.Encode(&b, picture)
	return b.Bytes(), err
}

// pixels draws a chart as an image with scale pixels per unit of width.
func pixels(ch Chart, o Options, th look, scale float64) (*image.RGBA, error) {
	if err := ch.Check(o); err != nil {
		return nil, err
	}
	width, height := o.extent(ch)
	r, err := chart.PNG(int(math.Round(width*scale)), int(height*scale))
	if err != nil {
		return nil, err
	}
	newScaledCanvas(raster{r}, th, scale, width, height, ch, o).paint(ch, o)
	var taken chart.ImageWriter
	if err := r.Save(&taken); err != nil {
		return nil, err
	}
	picture, err := taken.Image()
	if err != nil {
		return nil, err
	}
	return picture.(*image.RGBA), nil // the type that go-chart's PNG renderer uses
}

// raster is go-chart's PNG renderer with exact circles; go-chart approximates them by parabolas.
type raster struct{ chart.Renderer }

// Circle adds a circle to the path.
func (r raster) Circle(radius float64, x, y int) {
	r.MoveTo(x+int(math.Round(radius)), y)
	r.ArcTo(x, y, radius, radius, 0, 2*math.Pi)
}

// Terminal draws a chart with Unicode characters in Options.Rows lines of Options.Cols columns.
// It writes escape codes only if Options.Color is set.
func Terminal(ch Chart, o Options) (string, error) {
	o, th, err := o.resolve("dark")
	if err != nil {
		return "", err
	}
	if err := ch.Check(o); err != nil {
		return "", err
	}
	r := newCells(o.Cols, o.Rows, th.background, o.Color)
	c := newTerminalCanvas(r, th, o)
	c.omit = ch.terminalOmission(o, th)
	c.paint(ch, o)
	var b bytes.Buffer
	err = r.Save(&b)
	return b.String(), err
}
