package charts

import (
	"bytes"
	"image"
	"image/png"
	"math"

	"github.com/wcharczuk/go-chart/v2"
)

// Labels are the texts of a chart. All but the title may be empty. Those of the axes
// are named by what an axis shows; each kind of chart knows which axis that is.
type Labels struct {
	Title    string
	Subtitle string // below the title: a denominator, a p-value
	Note     string // below the chart: what was left out, how it was estimated

	Group    string // what the names are: "Variant class"
	Value    string // what was measured, with its unit: "Expression (z-score)"
	Against  string // what the value is compared with, with its unit
	Count    string // what was counted: "Mutations"
	Share    string // what the shares from 0 to 1 are: "Survival probability"
	Time     string // with its unit: "Time (months)"
	Position string // along what: "Amino acid position"
}

func (l Labels) labels() Labels { return l }

// Value is a named number.
type Value struct {
	Name  string
	Value float64
}

const (
	defaultWidth, defaultHeight = 800, 520
	leastWidth, leastHeight     = 480.0, 320.0 // a smaller picture is drawn at this size and reduced
)

// SVG draws a chart as an SVG document with a title, a description, text as text,
// and the numbers of each mark as its own title.
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
	reduced(r, th, unit, width, height, ch, o).paint(ch, o)
	var b bytes.Buffer
	err = r.Save(&b)
	return b.Bytes(), err
}

// PNG draws a chart as a PNG image with Options.Scale pixels for each unit of width. It
// refuses more than 16,777,216 pixels with a SizeError.
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

// pixels is the image with some pixels for each unit of width.
func pixels(ch Chart, o Options, th look, scale float64) (*image.RGBA, error) {
	if err := ch.Check(o); err != nil {
		return nil, err
	}
	width, height := o.extent(ch)
	r, err := chart.PNG(int(math.Round(width*scale)), int(height*scale))
	if err != nil {
		return nil, err
	}
	reduced(raster{r}, th, scale, width, height, ch, o).paint(ch, o)
	var taken chart.ImageWriter
	if err := r.Save(&taken); err != nil {
		return nil, err
	}
	picture, err := taken.Image()
	if err != nil {
		return nil, err
	}
	return picture.(*image.RGBA), nil // go-chart's renderer of pixels hands on its own
}

// raster is go-chart's renderer of pixels with round circles: its own are of parabolas.
type raster struct{ chart.Renderer }

// Circle adds a circle to the path.
func (r raster) Circle(radius float64, x, y int) {
	r.MoveTo(x+int(math.Round(radius)), y)
	r.ArcTo(x, y, radius, radius, 0, 2*math.Pi)
}

// Terminal draws a chart with Unicode characters in Options.Rows lines of
// Options.Cols columns. It writes escape codes only with Options.Color.
func Terminal(ch Chart, o Options) (string, error) {
	o, th, err := o.resolve("dark")
	if err != nil {
		return "", err
	}
	if err := ch.Check(o); err != nil {
		return "", err
	}
	r := newCells(o.Cols, o.Rows, th.background, o.Color)
	c := newCanvas(r, th, 1, float64(o.Cols*cellWidth), float64(o.Rows*cellHeight))
	c.cells, c.plain = true, !o.Color
	c.paint(ch, o)
	var b bytes.Buffer
	err = r.Save(&b)
	return b.String(), err
}
