package oql

import (
	"fmt"
	"slices"
)

// A Source provides the data of a study. Samples are represented by their index.
type Source interface {
	Len() int // number of samples
	Mutations(gene string) (*Mutations, error)
	Fusions(gene string) (*Fusions, error)
	// Values returns copy number from -2 to 2, or z-scores of expression or protein, NaN if a
	// sample was not profiled.
	Values(kind Kind, gene string) ([]float64, error)
	Attribute(id string) ([]string, error)         // by sample, "" if missing
	Interval(value string) (low, high float64)     // ends of a clinical value; NaN if it is not a number
	SampleList(file string) (in []bool, err error) // by sample
}

// Absent is the error of a Source for data that the study lacks: of every gene, or a row of one.
type Absent struct {
	Gene string // "" for every gene
	Err  error
}

func (e *Absent) Error() string { return e.Err.Error() }
func (e *Absent) Unwrap() error { return e.Err }

// Mutations holds the mutations of a gene.
type Mutations struct {
	List                 []MutationEvent
	Profiled             []bool
	HasDriver, HasStatus bool // the file tells drivers from passengers, germline from somatic
}

// A MutationEvent is one mutation.
type MutationEvent struct {
	Sample           int
	Class            string // one of Classes except TRUNC; "OTHER" for another
	Change           string // without p.
	From, To         int    // protein positions; 0 if unknown
	Driver, Germline bool
}

// Fusions holds the structural variants of a gene.
type Fusions struct {
	List                 []FusionEvent
	Profiled             []bool
	Unlisted             bool // nothing lists the examined samples
	HasDriver, HasStatus bool
}

// A FusionEvent is one structural variant.
type FusionEvent struct {
	Sample               int
	Upstream, Downstream string // genes in upper case; "" if there is none
	Gene1, Gene2         bool   // the site is the gene
	Driver, Germline     bool
}

// A State tells whether a sample meets an expression.
type State int8

// The states.
const (
	Unknown State = iota
	NotMet
	Met
)

// A Result is the value of an expression for each sample.
type Result struct {
	States []State
	// Reasons explains Unknown: an index in Texts for each sample, -1 for another state.
	Reasons []int
	Texts   []string
}

// An Event is an alteration of a sample that a line matches.
type Event struct {
	Sample           int
	Gene             string
	Kind             Kind
	Class            string // class of a mutation
	Change           string // protein change; the genes of a fusion
	Copies           int    // of copy number
	High             bool   // of expression and protein: above the threshold
	Driver, Germline bool
}

// An Evaluator evaluates expressions over a source. It keeps the data that it has read. It must not be
// used concurrently.
type Evaluator struct {
	Notes   []string // remarks on the data, each once
	source  Source
	reasons []string
	kinds   map[[2]string]*kindData
}

// NewEvaluator returns an evaluator over a source.
func NewEvaluator(s Source) *Evaluator {
	return &Evaluator{source: s, kinds: map[[2]string]*kindData{}}
}

// values holds 1 for a sample that meets an expression, 0 for one that does not, and -1-i for an
// unknown one, where i is the index of the reason in Evaluator.reasons.
type values []int32

func not(a int32) int32 {
	if a < 0 {
		return a
	}
	return 1 - a
}

func and(a, b int32) int32 {
	switch {
	case a == 0 || b == 0:
		return 0
	case a < 0:
		return a
	}
	return b
}

func or(a, b int32) int32 {
	switch {
	case a == 1 || b == 1:
		return 1
	case a < 0:
		return a
	}
	return b
}

func (v values) combine(w values, op func(a, b int32) int32) {
	for i := range v {
		v[i] = op(v[i], w[i])
	}
}

// unknown returns the value of a sample that is unknown for a reason.
func (e *Evaluator) unknown(reason string) int32 {
	i := slices.Index(e.reasons, reason)
	if i < 0 {
		i = len(e.reasons)
		e.reasons = append(e.reasons, reason)
	}
	return int32(-1 - i)
}

func (e *Evaluator) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.Notes, text) {
		e.Notes = append(e.Notes, text)
	}
}

// Eval evaluates an expression.
func (e *Evaluator) Eval(x Expr) (*Result, error) {
	v, err := e.eval(x)
	if err != nil {
		return nil, err
	}
	return e.result(v), nil
}

func (e *Evaluator) result(v values) *Result {
	r := &Result{States: make([]State, len(v)), Reasons: make([]int, len(v)), Texts: e.reasons}
	for i, one := range v {
		r.Reasons[i] = -1
		switch {
		case one < 0:
			r.Reasons[i] = int(-1 - one)
		default:
			r.States[i] = NotMet + State(one)
		}
	}
	return r
}

func (e *Evaluator) eval(x Expr) (values, error) {
	switch x := x.(type) {
	case *Line:
		l, err := e.line(x)
		return l.values, err
	case *Attribute:
		return e.attribute(x)
	case *SampleList:
		in, err := e.source.SampleList(x.File)
		v := make(values, len(in))
		for i, is := range in {
			v[i] = boolValue(is)
		}
		return v, err
	case Not:
		v, err := e.eval(x.X)
		for i := range v {
			v[i] = not(v[i])
		}
		return v, err
	case And:
		return e.evalAll(x, and)
	case Or:
		return e.evalAll(x, or)
	}
	return nil, fmt.Errorf("oql: no expression %T", x)
}

func (e *Evaluator) evalAll(list []Expr, op func(a, b int32) int32) (all values, err error) {
	for i, x := range list {
		v, err := e.eval(x)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			all = v
			continue
		}
		all.combine(v, op)
	}
	return all, nil
}

// A TrackData holds the alterations of a track.
type TrackData struct {
	Events   []Event
	Profiled []bool // by sample: profiled for at least one kind of alteration of the track, as in cBioPortal
	Partly   []bool // by sample: without an event, and not profiled for another kind
	Unlisted bool   // nothing lists the samples examined for any of its kinds
}

// Track returns the alterations of a track.
func (e *Evaluator) Track(t Track) (*TrackData, error) {
	d, unlisted := &TrackData{}, true
	var all values
	for i := range t.Lines {
		l, err := e.line(&t.Lines[i])
		if err != nil {
			return nil, err
		}
		d.Events, unlisted = append(d.Events, l.events...), unlisted && l.unlisted
		if all == nil {
			all, d.Profiled = l.values, l.profiled
			continue
		}
		all.combine(l.values, or)
		for k, in := range l.profiled {
			d.Profiled[k] = d.Profiled[k] || in
		}
	}
	d.Partly, d.Unlisted = make([]bool, len(all)), unlisted
	for i, v := range all {
		d.Partly[i] = v < 0 && d.Profiled[i]
	}
	return d, nil
}

func boolValue(b bool) int32 {
	if b {
		return 1
	}
	return 0
}
