package entity

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/entrez/record"
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

// hasOtherNames reports whether any filter supports other names.
func (s *SearchOf[H]) hasOtherNames() bool {
	return slices.ContainsFunc(s.Filters, func(f Filter) bool { return f.OtherNames != nil })
}

// resolveNames adds other names to the filters of a query, each with a notice, unless --exact is given.
// If a source does not answer, the search goes on without its names.
func (s *SearchOf[H]) resolveNames(ctx context.Context, in *command.Input, q *Query) {
	if !s.hasOtherNames() || in.Bool("exact") {
		return
	}
	notices := make([]string, len(q.Filters))
	var asks []func(context.Context)
	for i := range q.Filters {
		for _, f := range s.Filters {
			if applied := &q.Filters[i]; f.Flag == applied.Flag && f.OtherNames != nil {
				asks = append(asks, func(ctx context.Context) {
					other, err := f.OtherNames(ctx, in, applied.Value)
					notices[i] = applied.addNames(other, err, f.Term)
				})
			}
		}
	}
	_ = FetchOptional(ctx, asks...) // the search reports a cancelled ctx
	for _, n := range notices {
		if n != "" {
			q.notices = append(q.notices, n)
		}
	}
}

// addNames extends a filter by other names and returns a notice.
func (f *AppliedFilter) addNames(other OtherNames, err error, term func(string) (string, error)) (notice string) {
	switch {
	case err != nil:
		return "other names of " + f.flagText() + " are not searched for: " + err.Error()
	case other.Description == "":
		return ""
	case len(other.Names) == 0:
		return f.flagText() + " is " + other.Description + ": it is searched for as typed"
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
	f.alternatives = strings.Join(append(typed, other.Names...), "\n")
	return f.flagText() + " is " + other.Description + said
}

// replaceableName returns the name of a filter that the dropped phrase contains, if other names of the
// filter were searched for, so that the search did not become broader. Otherwise it returns "".
func (q *Query) replaceableName(phrase string, dropped []record.DroppedTerm) string {
	part := normalize(phrase)
	for _, f := range q.Filters {
		names := strings.Split(f.alternatives, "\n")
		of := func(phrase string) func(string) bool {
			return func(name string) bool { return phrase != "" && containsPhrase(normalize(phrase), normalize(name)) }
		}
		i := slices.IndexFunc(names, of(part))
		if part == "" || i < 0 {
			continue
		}
		name := names[i]
		for _, d := range dropped {
			names = slices.DeleteFunc(names, of(d.Phrase))
		}
		if len(names) > 0 {
			return name
		}
	}
	return ""
}
