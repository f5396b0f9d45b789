package charts

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
)

// Options say how a chart looks. The zero value is a light chart of the default size of
// its kind.
type Options struct {
	Title         string  // instead of the chart's own
	Theme         string  // one of Themes; "" is light, at a terminal dark
	Palette       string  // one of Palettes; "" is okabe-ito
	Width, Height int     // of SVG and PNG in pixels; 0 is the default of the kind
	Scale         float64 // of PNG; 0 is 2
	Cols, Rows    int     // of a terminal in characters; 0 is 100 by 32
	Color         bool    // at a terminal
	Log           bool    // axes of values are logarithmic, of the kinds that have one; see Chart.Check
}

const maxPixels = 1 << 24

// Limits are the least and the greatest value of an option, and its unit.
type Limits struct {
	Option      string // in lower case
	Least, Most float64
	Unit        string
	get         func(Options) float64
}

// AllLimits returns the limits of every option that is a number.
func AllLimits() []Limits { return slices.Clone(limits) }

var limits = []Limits{
	{"cols", 20, 500, "columns at a terminal", func(o Options) float64 { return float64(o.Cols) }},
	{"rows", 8, 200, "rows at a terminal", func(o Options) float64 { return float64(o.Rows) }},
	{"width", 240, 4096, "pixels of SVG and PNG", func(o Options) float64 { return float64(o.Width) }},
	{"height", 160, 4096, "pixels of SVG and PNG", func(o Options) float64 { return float64(o.Height) }},
	{"scale", .5, 4, "pixels of PNG for each pixel of width", func(o Options) float64 { return o.Scale }},
}

// LimitError is an option whose value is outside its limits.
type LimitError struct {
	Limits
	Value float64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s must be %g to %g, not %g", e.Option, e.Least, e.Most, e.Value)
}

// NameError is a theme or a palette that does not exist.
type NameError struct {
	Option, Name string
	Known        []string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("unknown chart %s %q; known: %s", e.Option, e.Name, strings.Join(e.Known, ", "))
}

// SizeError is an image that is too large.
type SizeError struct{ Width, Height int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("an image of %d by %d pixels has more than %d", e.Width, e.Height, maxPixels)
}

// LogError is a chart that cannot have a logarithmic axis.
type LogError struct {
	Kind  string
	Kinds []string // that can
	Least float64  // value, if Kind is one of them: it is negative
}

func (e *LogError) Error() string {
	if slices.Contains(e.Kinds, e.Kind) {
		return "a logarithmic axis has no negative values, and the least is " + number(e.Least)
	}
	return fmt.Sprintf("%s has no logarithmic axis; it is for %s", e.Kind, strings.Join(e.Kinds, ", "))
}

// Check returns a LogError if the options ask for a logarithmic axis that the chart cannot
// have.
func (ch Chart) Check(o Options) error {
	e := &LogError{Kind: ch.kind, Kinds: named(func(k added) bool { return k.log })}
	if e.Least = slices.Min(append(ch.values, 0)); !o.Log || slices.Contains(e.Kinds, ch.kind) && e.Least >= 0 {
		return nil
	}
	return e
}

// edgeNote says how many values a logarithmic axis has no place for.
func (ch Chart) edgeNote(o Options) string {
	n := 0
	for _, v := range ch.values {
		n += b2i(v == 0)
	}
	if !o.Log || n == 0 {
		return ""
	}
	return english.Plural(n, "value of 0 is", "values of 0 are") + " at the end of the logarithmic axis."
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Check returns a LimitError or a NameError for the first option that is wrong.
func (o Options) Check() error {
	_, _, err := o.resolve("light")
	return err
}

// resolve returns the options with their defaults, and the theme with the palette.
func (o Options) resolve(theme string) (Options, look, error) {
	for _, l := range limits {
		if v := l.get(o); v != 0 && !(v >= l.Least && v <= l.Most) {
			return o, look{}, &LimitError{l, v}
		}
	}
	o.Cols, o.Rows, o.Scale = cmp.Or(o.Cols, 100), cmp.Or(o.Rows, 32), cmp.Or(o.Scale, 2)
	named := func(option, name string, known []string) (int, error) {
		i := slices.Index(known, strings.ReplaceAll(name, "_", "-"))
		if i < 0 {
			return 0, &NameError{option, name, known}
		}
		return i, nil
	}
	i, err := named("theme", cmp.Or(o.Theme, theme), Themes())
	if err != nil {
		return o, look{}, err
	}
	j, err := named("palette", cmp.Or(o.Palette, "okabe-ito"), Palettes())
	if err != nil {
		return o, look{}, err
	}
	th := themes[i]
	th.palette = th.visible(palettes[j].colors)
	return o, th, nil
}

// extent returns the width and height of the picture of a chart.
func (o Options) extent(ch Chart) (width, height float64) {
	return float64(cmp.Or(o.Width, defaultWidth)), min(cmp.Or(float64(o.Height), ch.height), 4096)
}

func (o Options) titleOf(ch Chart) string { return cmp.Or(o.Title, ch.Title) }
