package charts

import (
	"fmt"
	"reflect"
	"slices"
)

// Data is one form of data with its labels. Each form is defined beside a kind of chart that
// shows it.
type Data interface{ labels() Labels }

// A kind draws data of the form D. Each kind is registered by one value in a file of its own, and
// is then available for all data of its form.
type kind[D Data] struct {
	name string
	// across and up are the labels of the horizontal and the vertical axis; nil: none. If groups
	// are on the vertical axis, across is their label.
	across, up role
	height     func(D) float64   // image height; nil: the default
	note       func(D) string    // added to the note of the labels; nil: none
	values     func(D) []float64 // finite values on axes that may be logarithmic; nil: no such axis
	describe   func(D) string
	draw       func(*canvas, rect, D)
}

// A role returns the label of an axis.
type role func(Labels) string

func groupLabel(l Labels) string    { return l.Group }
func valueLabel(l Labels) string    { return l.Value }
func againstLabel(l Labels) string  { return l.Against }
func countLabel(l Labels) string    { return l.Count }
func shareLabel(l Labels) string    { return l.Share }
func timeLabel(l Labels) string     { return l.Time }
func positionLabel(l Labels) string { return l.Position }

// always returns a role whose label does not depend on the data.
func always(label string) role { return func(Labels) string { return label } }

// A Chart is data with a way to draw it.
type Chart struct {
	Labels
	kind       string
	values     []float64 // values on axes that may be logarithmic
	across, up string
	height     float64
	blank      bool // there is no data to show
	describe   func() string
	draw       func(*canvas, rect)
}

// Describe describes the image in words, for the description of an SVG or the alternative text of
// an image.
func (ch Chart) Describe() string { return ch.describe() }

// kinds holds the registered kinds, ordered by file name.
var kinds []added

type added struct {
	name  string
	log   bool // it supports a logarithmic axis
	form  reflect.Type
	chart func(Data) Chart
}

// add registers a kind.
func add[D Data](k kind[D]) kind[D] {
	kinds = append(kinds, added{k.name, k.values != nil, reflect.TypeFor[D](), func(d Data) Chart { return k.chart(d.(D)) }})
	return k
}

func (k kind[D]) chart(d D) Chart {
	ch := Chart{Labels: d.labels(), kind: k.name, height: defaultHeight,
		describe: func() string { return k.describe(d) }, draw: func(c *canvas, area rect) { k.draw(c, area, d) }}
	if k.across != nil {
		ch.across = k.across(ch.Labels)
	}
	if k.up != nil {
		ch.up = k.up(ch.Labels)
	}
	if k.height != nil {
		ch.height = k.height(d)
	}
	if k.values != nil {
		ch.values = k.values(d)
	}
	if k.note != nil {
		ch.Note = joined(ch.Note, k.note(d))
	}
	ch.blank = ch.isBlank()
	return ch
}

// Kinds returns the names of the kinds that show any of the forms, in the order of the forms.
// Only the types of the arguments matter.
func Kinds(forms ...Data) (names []string) {
	for _, f := range forms {
		for _, k := range kinds {
			if k.form == reflect.TypeOf(f) && !slices.Contains(names, k.name) {
				names = append(names, k.name)
			}
		}
	}
	return names
}

// LogKinds returns the names of those Kinds that support a logarithmic axis.
func LogKinds(forms ...Data) []string {
	return named(func(k added) bool {
		return k.log && slices.ContainsFunc(forms, func(f Data) bool { return k.form == reflect.TypeOf(f) })
	})
}

// AllKinds returns the names of all kinds.
func AllKinds() []string { return named(func(added) bool { return true }) }

// named returns the names of the kinds for which the function of returns true.
func named(of func(added) bool) (names []string) {
	for _, k := range kinds {
		if of(k) && !slices.Contains(names, k.name) {
			names = append(names, k.name)
		}
	}
	return names
}

// New returns a chart of the given kind. It returns an error if no such kind shows data of this
// form.
func New(kind string, d Data) (Chart, error) {
	for _, k := range kinds {
		if k.name == kind && k.form == reflect.TypeOf(d) {
			return k.chart(d), nil
		}
	}
	return Chart{}, fmt.Errorf("no chart %q shows %T", kind, d)
}
