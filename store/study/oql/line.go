package oql

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// kindOrder lists the kinds in the order in which their reasons are given.
var kindOrder = []Kind{Mutation, CopyNumber, Fusion, Expression, Protein}

// A lineData holds the value of a line, its events, and the samples profiled for one of its kinds.
type lineData struct {
	values
	events   []Event
	profiled []bool
	unlisted bool // nothing lists the samples examined for any kind
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
	d.events, d.unlisted = append(d.events, k.events...), k.unlisted && (d.unlisted || d.values == nil)
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
		d.profiled[i] = d.profiled[i] || k.profiled[i]
		if v >= 0 || !optional || !k.unlisted {
			d.values[i] = or(d.values[i], v)
		}
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
			return &Absent{Err: fmt.Errorf("no column cbp_driver says which %s are drivers", kind.words())}
		case (a.Germline || a.Somatic) && !hasStatus:
			return &Absent{Err: fmt.Errorf("no column for the status says which %s are germline", kind.words())}
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
			matches = matches || a.matchesMutation(one)
			a.Op = "="
			found[i] = found[i] || a.matchesMutation(one)
		}
		if matches {
			k.add(Event{
				Sample: one.Sample, Gene: gene, Kind: Mutation, Class: one.Class, Change: one.Change,
				Driver: one.Driver, Germline: one.Germline,
			})
		}
	}
	for i, a := range list {
		if a.Change != "" && !found[i] {
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
