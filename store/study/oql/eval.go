package oql

import (
	"errors"
	"fmt"
	"math"
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

func boolValue(b bool) int32 {
	if b {
		return 1
	}
	return 0
}

// kindOrder lists the kinds in the order in which their reasons are given.
var kindOrder = []Kind{Mutation, CopyNumber, Fusion, Expression, Protein}

// A lineData holds the value of a line, its events, and the samples profiled for one of its kinds.
type lineData struct {
	values
	events   []Event
	profiled []bool
}

func (e *Evaluator) line(l *Line) (d lineData, err error) {
	list, isDefault := l.Alterations, l.Alterations == nil
	if isDefault {
		list = defaults
	}
	var absent error
	for _, kind := range kindOrder {
		mine, optional := ofKind(list, kind)
		if mine == nil {
			continue
		}
		optional = optional || isDefault
		k, err := e.kind(kind, l.Gene, mine)
		var none *Absent
		if missing := errors.As(err, &none); missing && (optional || none.Gene != "") {
			if optional {
				e.note("%s of %s is not counted: %s", kind, l.Gene, none)
				absent = err
				continue
			}
			k, err = &kindData{values: make(values, e.source.Len()), profiled: make([]bool, e.source.Len())}, nil
			for i := range k.values {
				k.values[i] = e.unknown(none.Error())
			}
		}
		if err != nil {
			return d, err
		}
		d.add(k, optional)
	}
	if d.values == nil {
		return d, absent
	}
	return d, nil
}

// add joins the data of a kind by OR. If the kind is optional and nothing lists the examined samples,
// only its events count.
func (d *lineData) add(k *kindData, optional bool) {
	d.events = append(d.events, k.events...)
	if d.values == nil {
		d.values, d.profiled = slices.Clone(k.values), slices.Clone(k.profiled)
		if optional && k.unlisted { // there is no other kind yet
			for i := range d.values {
				d.values[i] = max(0, d.values[i])
			}
		}
		return
	}
	for i, v := range k.values {
		if v < 0 && optional && k.unlisted {
			continue
		}
		d.values[i] = or(d.values[i], v)
		d.profiled[i] = d.profiled[i] || k.profiled[i]
	}
}

// ofKind returns the alterations of a kind. optional reports whether they are only AnyKind.
func ofKind(list []Alteration, kind Kind) (mine []Alteration, optional bool) {
	optional = true
	for _, a := range list {
		switch {
		case a.Kind == kind:
			mine, optional = append(mine, a), false
		case a.Kind != AnyKind:
		case kind == Mutation || kind == Fusion:
			mine = append(mine, Alteration{Kind: kind, Modifiers: a.Modifiers})
		case kind == CopyNumber:
			for _, copies := range []int{2, -2} {
				mine = append(mine, Alteration{Kind: kind, Op: "=", Copies: copies, Modifiers: a.Modifiers})
			}
		}
	}
	return mine, optional
}

// A kindData holds the value of the alterations of one kind.
type kindData struct {
	values
	events   []Event
	profiled []bool
	unlisted bool
}

func (e *Evaluator) kind(kind Kind, gene string, list []Alteration) (k *kindData, err error) {
	key := [2]string{gene, joinAlterations(list)}
	if k, known := e.kinds[key]; known {
		return k, nil
	}
	switch kind {
	case Mutation:
		k, err = e.mutations(gene, list)
	case Fusion:
		k, err = e.fusions(gene, list)
	default:
		k, err = e.numbers(kind, gene, list)
	}
	if err == nil {
		e.kinds[key] = k
	}
	return k, err
}

// start returns the values before any event: not met if profiled.
func (e *Evaluator) start(profiled []bool, reason string) *kindData {
	k, unknown := &kindData{values: make(values, len(profiled)), profiled: profiled}, e.unknown(reason)
	for i, in := range profiled {
		if !in {
			k.values[i] = unknown
		}
	}
	return k
}

func (k *kindData) add(event Event) {
	k.values[event.Sample] = 1
	k.events = append(k.events, event)
}

// lacking returns the error for a modifier that the data of a kind do not have, or nil.
func lacking(gene string, kind Kind, list []Alteration, hasDriver, hasStatus bool) error {
	for _, a := range list {
		switch {
		case a.Driver && !hasDriver:
			return &Absent{Err: fmt.Errorf("the data of the study do not say which %s are drivers (column cbp_driver)", kind.words())}
		case (a.Germline || a.Somatic) && !hasStatus:
			return &Absent{Err: fmt.Errorf("the data of the study do not say which %s are germline (a column for the status)", kind.words())}
		}
	}
	return nil
}

// words names what is altered, for messages.
func (k Kind) words() string {
	switch k {
	case Mutation:
		return "mutations"
	case Fusion:
		return "structural variants"
	case CopyNumber:
		return "copy number"
	case Expression:
		return "expression"
	}
	return "protein levels"
}

func (e *Evaluator) mutations(gene string, list []Alteration) (*kindData, error) {
	m, err := e.source.Mutations(gene)
	if err != nil {
		return nil, err
	}
	if err := lacking(gene, Mutation, list, m.HasDriver, m.HasStatus); err != nil {
		return nil, err
	}
	k := e.start(m.Profiled, "not profiled for mutations of "+gene)
	found := make([]bool, len(list))
	for _, one := range m.List {
		matches := false
		for i, a := range list {
			if a.matchesMutation(one) {
				matches, found[i] = true, true
			}
		}
		if matches {
			k.add(Event{
				Sample: one.Sample, Gene: gene, Kind: Mutation, Class: one.Class, Change: one.Change,
				Driver: one.Driver, Germline: one.Germline,
			})
		}
	}
	for i, a := range list {
		if a.Change != "" && a.Op == "=" && !found[i] {
			e.note("no sample has the mutation %s of %s", a.Change, gene)
		}
	}
	return k, nil
}

func (e *Evaluator) fusions(gene string, list []Alteration) (*kindData, error) {
	f, err := e.source.Fusions(gene)
	if err != nil {
		return nil, err
	}
	if err := lacking(gene, Fusion, list, f.HasDriver, f.HasStatus); err != nil {
		return nil, err
	}
	profiled, reason := f.Profiled, "not profiled for structural variants of "+gene
	if f.Unlisted {
		profiled, reason = make([]bool, len(profiled)), "no list says which samples were examined for structural variants"
	}
	k := e.start(profiled, reason)
	k.unlisted = f.Unlisted
	for _, one := range f.List {
		if slices.ContainsFunc(list, func(a Alteration) bool { return a.matchesFusion(one) }) {
			k.add(Event{
				Sample: one.Sample, Gene: gene, Kind: Fusion, Change: one.Upstream + "::" + one.Downstream,
				Driver: one.Driver, Germline: one.Germline,
			})
			k.profiled[one.Sample] = true
		}
	}
	return k, nil
}

func (e *Evaluator) numbers(kind Kind, gene string, list []Alteration) (*kindData, error) {
	if err := lacking(gene, kind, list, false, false); err != nil {
		return nil, err
	}
	x, err := e.source.Values(kind, gene)
	if err != nil {
		return nil, err
	}
	profiled := make([]bool, len(x))
	for i, v := range x {
		profiled[i] = !math.IsNaN(v)
	}
	k := e.start(profiled, "no "+kind.words()+" of "+gene)
	for i, v := range x {
		for _, a := range list {
			if !profiled[i] || !compare(v, v, a.Op, a.limit()) {
				continue
			}
			event := Event{Sample: i, Gene: gene, Kind: kind}
			if kind == CopyNumber {
				event.Copies = int(v)
			} else {
				event.High = a.Op[0] == '>'
			}
			k.add(event)
			break
		}
	}
	return k, nil
}
