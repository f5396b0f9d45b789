package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Options say how a chart looks; the zero value is a light chart of the chart's own
// size.
type Options struct {
	Title         string  // instead of the chart's own
	Theme         string  // one of Themes; "" is light, at a terminal dark
	Palette       string  // one of Palettes; "" is okabe-ito
	Width, Height int     // of SVG and PNG, 240-4096 by 160-4096 pixels; 0 is the chart's own
	Scale         float64 // of PNG, 0.5-4.0; 0 is 2.0
	Cols, Rows    int     // of a terminal, 20-500 by 8-200 characters; 0 is 100 by 32
	Color         bool    // at a terminal
}

const maxPixels = 1 << 24

// Check reports the first option that is out of bounds or unknown.
func (o Options) Check() error {
	_, _, err := o.resolve("light")
	return err
}

// resolve returns the options with their defaults, and the theme with the palette.
func (o Options) resolve(theme string) (Options, look, error) {
	for _, b := range []struct {
		name        string
		value       int
		least, most int
	}{{"--width", o.Width, 240, 4096}, {"--height", o.Height, 160, 4096}, {"--cols", o.Cols, 20, 500}, {"--rows", o.Rows, 8, 200}} {
		if b.value != 0 && (b.value < b.least || b.value > b.most) {
			return o, look{}, fmt.Errorf("%s must be %d-%d, not %d", b.name, b.least, b.most, b.value)
		}
	}
	o.Scale = cmp.Or(o.Scale, 2)
	if math.IsNaN(o.Scale) || o.Scale < 0.5 || o.Scale > 4 {
		return o, look{}, fmt.Errorf("--scale must be 0.5-4.0, not %g", o.Scale)
	}
	o.Cols, o.Rows = cmp.Or(o.Cols, 100), cmp.Or(o.Rows, 32)
	o.Theme = strings.ReplaceAll(cmp.Or(o.Theme, theme), "_", "-")
	i := slices.IndexFunc(themes, func(t look) bool { return t.name == o.Theme })
	if i < 0 {
		return o, look{}, fmt.Errorf("unknown chart theme %q; themes: %s", o.Theme, strings.Join(Themes(), ", "))
	}
	th := themes[i]
	o.Palette = strings.ReplaceAll(cmp.Or(o.Palette, "okabe-ito"), "_", "-")
	i = slices.IndexFunc(palettes, func(p palette) bool { return p.name == o.Palette })
	if i < 0 {
		return o, look{}, fmt.Errorf("unknown chart palette %q; palettes: %s", o.Palette, strings.Join(Palettes(), ", "))
	}
	th.palette = palettes[i].colors
	return o, th, nil
}

// extent is the width and height of the picture of a chart.
func (o Options) extent(ch Chart) (width, height float64) {
	width, height = ch.size()
	if o.Width > 0 {
		width = float64(o.Width)
	}
	if o.Height > 0 {
		height = float64(o.Height)
	}
	return width, min(height, 4096)
}

func (o Options) titleOf(ch Chart) string { return cmp.Or(o.Title, ch.labels().Title) }
