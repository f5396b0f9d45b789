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
	// xLabel and yLabel are the labels of the horizontal and the vertical axis; nil: none. If
	// groups are on the vertical axis, xLabel is their label.
	xLabel, yLabel role
	height         func(D) float64 // image height; nil: the default
	note           func(D) string  // added to the note of the labels; nil: none
	// merged returns a note about marks that stand for several objects on this canvas, in an area of this
	// width, or "". No canvas omits it. nil: each mark stands for one.
	merged   func(*canvas, rect, D) string
	values   func(D) []float64 // finite values on axes that may be logarithmic; nil: no such axis
	describe func(D) string
	draw     func(*canvas, rect, D)
}

// A role returns the label of an axis.
type role func(Labels) string

func groupLabel(l Labels) string    { return l.Group }
func valueLabel(l Labels) string    { return l.Value }
func againstLabel(l Labels) string  { return l.Comparison }
func countLabel(l Labels) string    { return l.Count }
func shareLabel(l Labels) string    { return l.Share }
func timeLabel(l Labels) string     { return l.Time }
func positionLabel(l Labels) string { return l.Position }

// fixedLabel returns a role whose label does not depend on the data.
func fixedLabel(label string) role { return func(Labels) string { return label } }

// A Chart is data with a way to draw it.
type Chart struct {
	Labels
	kind           string
	values         []float64 // values on axes that may be logarithmic
	xLabel, yLabel string
	height         float64
	blank          bool   // there is no data to show
	kindNote       string // the part of the note that explains the kind of chart
	merged         func(*canvas, rect) string
	describe       func() string
	draw           func(*canvas, rect)
}

// Describe describes the image in words, for the description of an SVG or the alternative text of
// an image.
func (ch Chart) Describe() string { return ch.describe() }

// kinds holds the registered kinds, ordered by file name.
var kinds = kindRoom[:0]

// kindRoom is the memory of kinds, so that registering them at the start of every program allocates none.
var kindRoom [32]registeredKind

type registeredKind struct {
	name  string
	log   bool // it supports a logarithmic axis
	form  reflect.Type
	chart func(Data) Chart
}

// register registers a kind.
func register[D Data](k kind[D]) kind[D] {
	kinds = append(kinds, registeredKind{k.name, k.values != nil, reflect.TypeFor[D](), func(d Data) Chart { return k.chart(d.(D)) }})
	return k
}

func (k kind[D]) chart(d D) Chart {
	ch := Chart{Labels: d.labels(), kind: k.name, height: defaultHeight,
		describe: func() string { return k.describe(d) }, draw: func(c *canvas, area rect) { k.draw(c, area, d) },
		merged: func(*canvas, rect) string { return "" }}
	if k.merged != nil {
		ch.merged = func(c *canvas, area rect) string { return k.merged(c, area, d) }
	}
	if k.xLabel != nil {
		ch.xLabel = k.xLabel(ch.Labels)
	}
	if k.yLabel != nil {
		ch.yLabel = k.yLabel(ch.Labels)
	}
	if k.height != nil {
		ch.height = k.height(d)
	}
	if k.values != nil {
		ch.values = k.values(d)
	}
	if k.note != nil {
		ch.kindNote = k.note(d)
		ch.Note = joinNotes(ch.Note, ch.kindNote)
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
	return kindNames(func(k registeredKind) bool {
		return k.log && slices.ContainsFunc(forms, func(f Data) bool { return k.form == reflect.TypeOf(f) })
	})
}

// AllKinds returns the names of all kinds.
func AllKinds() []string { return kindNames(func(registeredKind) bool { return true }) }

// kindNames returns the names of the kinds for which match returns true.
func kindNames(match func(registeredKind) bool) (names []string) {
	for _, k := range kinds {
		if match(k) && !slices.Contains(names, k.name) {
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
