package charts

import (
	"bytes"
	"fmt"

	"github.com/wcharczuk/go-chart/v2"
)

// Chart is one of the kinds of this package.
type Chart interface {
	// Describe says in words what the picture shows: the description of an SVG,
	// and the alternative text of an image.
	Describe() string

	labels() Labels
	// size is the width and height in pixels that the chart takes by default.
	size() (width, height float64)
	draw(c *canvas, area rect)
}

// Labels are the texts of a chart. All but the title may be empty.
type Labels struct {
	Title    string
	Subtitle string // under the title: a denominator, a p-value
	X, Y     string // of the axes, with the unit
	Note     string // below the chart: what was left out, how it was estimated
}

func (l Labels) labels() Labels { return l }

// Value is a named number.
type Value struct {
	Name  string
	Value float64
}

// Sample is a named group of measurements.
type Sample struct {
	Name   string
	Values []float64
}

const (
	defaultWidth, defaultHeight = 800.0, 520.0
	leastWidth, leastHeight     = 480.0, 320.0 // what is smaller is drawn at this size and reduced
)

// SVG draws a chart as an SVG document with a title, a description, text as text,
// and the numbers of each mark as its own title.
func SVG(ch Chart, o Options) ([]byte, error) {
	o, th, err := o.resolve("light")
	if err != nil {
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

// PNG draws a chart as a PNG image of Options.Scale pixels a unit of width. More
// than 16,777,216 pixels are refused.
func PNG(ch Chart, o Options) ([]byte, error) {
	o, th, err := o.resolve("light")
	if err != nil {
		return nil, err
	}
	width, height := o.extent(ch)
	w, h := int(width*o.Scale), int(height*o.Scale)
	if w*h > maxPixels {
		return nil, fmt.Errorf("an image of %d by %d pixels is larger than %d pixels: lower --scale, --width or --height", w, h, maxPixels)
	}
	r, err := chart.PNG(w, h)
	if err != nil {
		return nil, err
	}
	reduced(r, th, o.Scale, width, height, ch, o).paint(ch, o)
	var b bytes.Buffer
	err = r.Save(&b)
	return b.Bytes(), err
}

// Terminal draws a chart with Unicode characters, Options.Cols by Options.Rows of
// them, each line ended by a newline. Without Options.Color it has no escape codes.
func Terminal(ch Chart, o Options) (string, error) {
	o, th, err := o.resolve("dark")
	if err != nil {
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
