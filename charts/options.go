package charts

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"
	"gonum.org/v1/gonum/stat"
)

// Options controls how a chart looks. The zero value is a light chart of the kind's default size.
type Options struct {
	Title         string  // replaces the chart's title if not ""
	Theme         string  // one of Themes; "": light, or dark at a terminal
	Palette       string  // one of Palettes; "": okabe-ito
	Width, Height int     // SVG and PNG size in pixels; 0: the kind's default
	Scale         float64 // PNG pixels per pixel of width; 0: 2
	Cols, Rows    int     // terminal size in characters; 0: 100 by 32
	Color         bool    // use colours at a terminal
	Log           bool    // make value axes logarithmic; see Chart.Check
}

const maxPixels = 1 << 24

// Limits are the minimum and maximum value of an option, and its unit.
type Limits struct {
	Option   string // in lower case
	Min, Max float64
	Unit     string
	get      func(Options) float64
}

// AllLimits returns the limits of every numeric option.
func AllLimits() []Limits { return slices.Clone(limits) }

var limits = []Limits{
	{"cols", 20, 500, "columns at a terminal", func(o Options) float64 { return float64(o.Cols) }},
	{"rows", 8, 200, "rows at a terminal", func(o Options) float64 { return float64(o.Rows) }},
	{"width", 240, 4096, "pixels of SVG and PNG", func(o Options) float64 { return float64(o.Width) }},
	{"height", 160, 4096, "pixels of SVG and PNG", func(o Options) float64 { return float64(o.Height) }},
	{"scale", .5, 4, "pixels of PNG for each pixel of width", func(o Options) float64 { return o.Scale }},
}

// A LimitError reports an option whose value is outside its limits.
type LimitError struct {
	Limits
	Value float64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s must be %g to %g, not %g", e.Option, e.Min, e.Max, e.Value)
}

// A NameError reports an unknown theme or palette.
type NameError struct {
	Option, Name string
	Available    []string
}

func (e *NameError) Error() string {
	return fmt.Sprintf("unknown chart %s %q; available: %s", e.Option, e.Name, strings.Join(e.Available, ", "))
}

// A SizeError reports an image that is too large.
type SizeError struct{ Width, Height int }

func (e *SizeError) Error() string {
	return fmt.Sprintf("an image of %d by %d pixels has more than %d", e.Width, e.Height, maxPixels)
}

// A LogError reports a chart that cannot have a logarithmic axis.
type LogError struct {
	Kind     string
	Kinds    []string // kinds that support a logarithmic axis
	Smallest float64  // the smallest value, which is negative, if Kind is one of Kinds
}

func (e *LogError) Error() string {
	if slices.Contains(e.Kinds, e.Kind) {
		return "a logarithmic axis cannot show negative values; the smallest is " + number(e.Smallest)
	}
	return fmt.Sprintf("%s has no logarithmic axis; available for: %s", e.Kind, strings.Join(e.Kinds, ", "))
}

// Check returns a LogError if the options ask for a logarithmic axis that the chart cannot have.
func (ch Chart) Check(o Options) error {
	e := &LogError{Kind: ch.kind, Kinds: kindNames(func(k registeredKind) bool { return k.log })}
	if e.Smallest = slices.Min(append(ch.values, 0)); !o.Log || slices.Contains(e.Kinds, ch.kind) && e.Smallest >= 0 {
		return nil
	}
	return e
}

// IsSkewed reports whether the values of a chart would be clearer on a logarithmic axis, which it can
// have: none is negative, a few are much greater than most, and their logarithms are less skewed.
func (ch Chart) IsSkewed() bool {
	const few, strong = 10, 2
	var logs []float64
	for _, v := range ch.values {
		if v > 0 {
			logs = append(logs, math.Log(v))
		}
	}
	if len(logs) < few || slices.Min(ch.values) < 0 || !slices.Contains(kindNames(func(k registeredKind) bool { return k.log }), ch.kind) {
		return false
	}
	skew := stat.Skew(ch.values, nil)
	return skew > strong && math.Abs(stat.Skew(logs, nil)) < skew/2
}

// edgeNote returns a note about the values of 0 on a logarithmic axis, or "" if there are none.
func (ch Chart) edgeNote(o Options) string {
	n := 0
	for _, v := range ch.values {
		n += boolToInt(v == 0)
	}
	if !o.Log || n == 0 {
		return ""
	}
	return english.Plural(n, "value of 0 is", "values of 0 are") + " at the end of the logarithmic axis."
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Check returns a LimitError or a NameError for the first invalid option.
func (o Options) Check() error {
	_, _, err := o.resolve("light")
	return err
}

// resolve returns the options with their defaults, and the theme with its palette.
func (o Options) resolve(theme string) (Options, look, error) {
	for _, l := range limits {
		if v := l.get(o); v != 0 && !(v >= l.Min && v <= l.Max) {
			return o, look{}, &LimitError{l, v}
		}
	}
	o.Cols, o.Rows, o.Scale = cmp.Or(o.Cols, 100), cmp.Or(o.Rows, 32), cmp.Or(o.Scale, 2)
	index := func(option, name string, names []string) (int, error) {
		i := slices.Index(names, strings.ReplaceAll(name, "_", "-"))
		if i < 0 {
			return 0, &NameError{option, name, names}
		}
		return i, nil
	}
	i, err := index("theme", cmp.Or(o.Theme, theme), Themes())
	if err != nil {
		return o, look{}, err
	}
	j, err := index("palette", cmp.Or(o.Palette, "okabe-ito"), Palettes())
	if err != nil {
		return o, look{}, err
	}
	th := themes[i]
	th.palette = th.visible(palettes[j].colors())
	if list := palettes[j].classes(); list != nil {
		th.classes = th.visible(list)
	}
	return o, th, nil
}

// extent returns the width and height of a chart's image.
func (o Options) extent(ch Chart) (width, height float64) {
	return float64(cmp.Or(o.Width, defaultWidth)), min(cmp.Or(float64(o.Height), ch.height), 4096)
}

func (o Options) titleOf(ch Chart) string { return cmp.Or(o.Title, ch.Title) }
