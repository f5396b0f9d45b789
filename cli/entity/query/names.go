package query

import (
	"cmp"
	"strings"

	"biomcp/cli/command"
)

// OtherNames holds other names of the thing that a filter value names. If Description is set but Names is
// empty, the search uses the value alone.
type OtherNames struct {
	Names       []string
	Description string // describes the value, for the end of a sentence: "an alias of ERBB2"
	// Term finds the value or any of the names; "" means the terms of all joined with OR.
	Term      string
	ValuePart string // the part of the value that has other names; "" means all
	// ReplaceValue excludes the value itself from the search, such as an ID.
	ReplaceValue bool
}

// AddNames extends a filter by other names and returns a notice.
func (f *AppliedFilter) AddNames(other OtherNames, err error, term func(string) (string, error)) (notice string) {
	switch {
	case err != nil:
		return "other names of " + f.String() + " are not searched for: " + err.Error()
	case other.Description == "":
		return ""
	case len(other.Names) == 0:
		return f.String() + " is " + other.Description + ": it is searched for as typed"
	}
	var terms, typed []string
	said := ": each is searched for; --exact searches for " + command.Clip(f.Value) + " alone"
	if other.ReplaceValue {
		said = ", which is searched for"
	} else {
		terms, typed = []string{f.Term}, []string{cmp.Or(other.ValuePart, f.Value)}
	}
	for _, name := range other.Names {
		if t, err := term(name); err == nil {
			terms = append(terms, t)
		}
	}
	f.Term = cmp.Or(other.Term, "("+strings.Join(terms, " OR ")+")")
	f.Alternatives = strings.Join(append(typed, other.Names...), "\n")
	return f.String() + " is " + other.Description + said
}

// String returns the filter as on a command line.
func (f AppliedFilter) String() string { return strings.TrimSuffix("--"+f.Flag+" "+f.Value, " true") }
