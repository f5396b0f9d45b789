package charts

import (
	"fmt"
	"math"
	"strings"
)

// The least size of the area that shows the data, and the least scale of the texts. A smaller image
// omits parts of its chart: see [omission].
const (
	leastPlotWidth, leastPlotHeight = 150.0, 90.0
	leastPlotRows                   = 5 // at a terminal
	leastScale                      = .5
)

// An omission tells which parts a chart omits for want of room.
type omission int

const (
	wholeChart omission = iota
	details             // the numbers in the legend, and the note of the kind
	table               // also the numbers below or beside the data
)

// A RoomError reports an image that is too small for its chart.
type RoomError struct {
	Kind          string
	Width, Height int // the least size in pixels that is large enough
}

func (e *RoomError) Error() string {
	return fmt.Sprintf("this %s chart requires an image of at least %d by %d pixels", e.Kind, e.Width, e.Height)
}

// CheckRoom returns a RoomError if the requested size of an image is too small. Otherwise it returns
// a sentence about the parts that the image omits, or "".
func (ch Chart) CheckRoom(o Options) (omitted string, err error) {
	o, l, err := o.resolve("light")
	if err != nil || ch.blank || o.Width == 0 && o.Height == 0 {
		return "", err
	}
	width, height := o.extent(ch)
	_, omit, fits := ch.layout(l, 1, width, height, o)
	if !fits {
		return "", ch.leastSize(l, width, height, o)
	}
	return [...]string{"", "the picture is small: it omits numbers of its legend and explanations of its note",
		"the picture is small: it omits numbers of its legend, explanations of its note and the table beside the data"}[omit], nil
}

// leastSize returns the error with the least size that is large enough: higher, or else also wider.
func (ch Chart) leastSize(l look, width, height float64, o Options) error {
	const step = 40
	for w := width; w < 2000; w += 4 * step {
		for h := height; h < math.Max(2*height, 1200); h += step {
			if scale := ch.baseScale(w, h); scale >= leastScale && ch.fits(l, 1, w, h, o, scale, table) {
				return &RoomError{ch.kind, int(w), int(h)}
			}
		}
	}
	return &RoomError{ch.kind, defaultWidth, int(ch.height)}
}

// baseScale returns the scale of a chart in an image. An image smaller than the least size of the
// chart is drawn larger and scaled down.
func (ch Chart) baseScale(width, height float64) float64 {
	leastWidth, leastHeight := minWidth, minHeight
	if ch.height > defaultHeight {
		leastWidth, leastHeight = defaultWidth, ch.height
	}
	return math.Min(1, math.Min(width/leastWidth, height/leastHeight))
}

// fits reports whether a chart fits into an image at a scale.
func (ch Chart) fits(l look, unit, width, height float64, o Options, scale float64, omit omission) bool {
	trial := newCanvas(newSVG(width, height, unit, "", ""), l, unit*scale, width/scale, height/scale)
	trial.omit = omit
	trial.paint(ch, o)
	return !trial.overflows && !trial.isCramped()
}

// layout returns the scale at which a chart fits into an image, and what it omits then.
func (ch Chart) layout(l look, unit, width, height float64, o Options) (scale float64, omit omission, fits bool) {
	scale = ch.baseScale(width, height)
	for omit = wholeChart; omit <= table; omit++ {
		if ch.fits(l, unit, width, height, o, scale, omit) {
			return scale, omit, scale >= leastScale
		}
	}
	for range 8 {
		if scale *= .85; ch.fits(l, unit, width, height, o, scale, table) {
			return scale, table, scale >= leastScale
		}
	}
	return scale, table, false
}

// isCramped reports whether the area of the data is too small.
func (c *canvas) isCramped() bool {
	if c.cells {
		return c.data.height() > 0 && c.data.height() < leastPlotRows*cellHeight
	}
	return c.data.width() > 0 && (c.data.width() < leastPlotWidth || c.data.height() < leastPlotHeight)
}

// terminalOmission returns what a chart omits at a terminal of the size of the canvas.
func (ch Chart) terminalOmission(o Options, l look) omission {
	for omit := wholeChart; omit < table; omit++ {
		trial := newTerminalCanvas(newCells(o.Cols, o.Rows, l.background, o.Color), l, o)
		trial.omit = omit
		trial.paint(ch, o)
		if !trial.overflows && !trial.isCramped() {
			return omit
		}
	}
	return table
}

// withoutDetails returns a name of a legend without the numbers in brackets.
func withoutDetails(name string) string {
	short, _, _ := strings.Cut(name, " (n=")
	return short
}
