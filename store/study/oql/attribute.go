package oql

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// A NoNumbers error reports a comparison of size with an attribute without numbers.
type NoNumbers struct {
	Attribute *Attribute
}

func (e *NoNumbers) Error() string {
	return fmt.Sprintf("%s compares numbers, and %s has none", e.Attribute, e.Attribute.ID)
}

// attribute compares the values of an attribute: as numbers if both are, otherwise = and != compare
// texts, ignoring case.
func (e *Evaluator) attribute(a *Attribute) (values, error) {
	list, err := e.source.Attribute(a.ID)
	if err != nil {
		return nil, err
	}
	limit, high := e.source.Interval(a.Value)
	if limit != high {
		limit = math.NaN()
	}
	byText := a.Op == "=" || a.Op == "!="
	v, occurs, numbers := make(values, len(list)), false, false
	known := map[string]int32{} // the value of each text
	for i, text := range list {
		one, seen := known[text]
		if !seen {
			var isNumber bool
			one, isNumber = e.compareText(a, text, limit)
			known[text], numbers = one, numbers || isNumber
			occurs = occurs || one == boolValue(a.Op == "=") || one < 0 && isNumber
		}
		v[i] = one
	}
	if !byText && !numbers {
		return nil, &NoNumbers{Attribute: a}
	}
	if byText && !occurs {
		e.noteAbsent(a, known)
	}
	return v, nil
}

// mostValues is the maximum number of values of an attribute that a note lists.
const mostValues = 6

// noteAbsent notes that no sample has the value of a comparison by = or !=. The keys of known are the values.
func (e *Evaluator) noteAbsent(a *Attribute, known map[string]int32) {
	note := fmt.Sprintf("no sample has %s", &Attribute{a.ID, "=", a.Value})
	if a.Op == "!=" {
		note += fmt.Sprintf(": %s selects all samples that have a value", a)
	}
	list := slices.Sorted(maps.Keys(known))
	list = slices.DeleteFunc(list, func(text string) bool { return text == "" })
	if n := len(list); n > 0 && n <= mostValues {
		note += "; the values are " + strings.Join(list, ", ")
	}
	e.note("%s", note)
}

// compareText compares one value. It also reports whether the value and the limit are numbers.
func (e *Evaluator) compareText(a *Attribute, text string, limit float64) (value int32, isNumber bool) {
	low, high := e.source.Interval(text)
	isNumber = !math.IsNaN(low) && !math.IsNaN(limit)
	byText := a.Op == "=" || a.Op == "!="
	switch {
	case text == "":
		return e.unknown("no value of " + a.ID), false
	case byText && strings.EqualFold(strings.TrimSpace(text), a.Value):
		return boolValue(a.Op == "="), isNumber
	case isNumber && compare(low, high, a.Op, limit):
		return 1, true
	case isNumber && compare(low, high, opposite(a.Op), limit):
		return 0, true
	case isNumber:
		return e.unknown("a bound of " + a.ID + " that the comparison divides"), true
	case byText:
		return boolValue(a.Op == "!="), false
	}
	return e.unknown("a value of " + a.ID + " that is not a number"), false
}
