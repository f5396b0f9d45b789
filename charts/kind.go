package charts

import (
	"fmt"
	"reflect"
	"slices"
)

// Data is one form of data with the labels of its charts. Each form is defined beside
// a kind of chart that shows it.
type Data interface{ labels() Labels }

// kind is a way to draw data of the form D. A kind is added by one value, in a file of
// its own: it can then be asked for wherever there is data of its form.
type kind[D Data] struct {
	name       string
	across, up role              // of the axes, nil for none; across also serves groups that lie at the left
	height     func(D) float64   // of the picture; nil: always the default
	note       func(D) string    // added to the note of the labels; nil: none
	values     func(D) []float64 // finite, on the axes that may be logarithmic; nil: there is none
	describe   func(D) string
	draw       func(*canvas, rect, D)
}

// role chooses the label of an axis by what the axis shows.
type role func(Labels) string

func groupLabel(l Labels) string    { return l.Group }
func valueLabel(l Labels) string    { return l.Value }
func againstLabel(l Labels) string  { return l.Against }
func countLabel(l Labels) string    { return l.Count }
func shareLabel(l Labels) string    { return l.Share }
func timeLabel(l Labels) string     { return l.Time }
func positionLabel(l Labels) string { return l.Position }

// always is the role of an axis whose label does not depend on the data.
func always(label string) role { return func(Labels) string { return label } }

// Chart is data with a way to draw it.
type Chart struct {
	Labels
	kind       string
	values     []float64 // on axes that may be logarithmic
	across, up string
	height     float64
	blank      bool // there is nothing to show
	describe   func() string
	draw       func(*canvas, rect)
}

// Describe says in words what the picture shows: the description of an SVG, and the
// alternative text of an image.
func (ch Chart) Describe() string { return ch.describe() }

// kinds are the kinds that were added, in the order of their files.
var kinds []added

type added struct {
	name  string
	log   bool // it may have a logarithmic axis
	form  reflect.Type
	chart func(Data) Chart
}

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

// Kinds returns the names of the kinds that show some forms of data, in the order of the
// forms. Of a form only the type counts.
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

// LogKinds returns the names of Kinds without the kinds that can have no logarithmic axis.
func LogKinds(forms ...Data) []string {
	return named(func(k added) bool {
		return k.log && slices.ContainsFunc(forms, func(f Data) bool { return k.form == reflect.TypeOf(f) })
	})
}

// AllKinds returns the names of all kinds.
func AllKinds() []string { return named(func(added) bool { return true }) }

// named returns the names of some kinds.
func named(of func(added) bool) (names []string) {
	for _, k := range kinds {
		if of(k) && !slices.Contains(names, k.name) {
			names = append(names, k.name)
		}
	}
	return names
}

// New returns the chart of a kind that shows some data.
func New(kind string, d Data) (Chart, error) {
	for _, k := range kinds {
		if k.name == kind && k.form == reflect.TypeOf(d) {
			return k.chart(d), nil
		}
	}
	return Chart{}, fmt.Errorf("no chart %q shows %T", kind, d)
}
