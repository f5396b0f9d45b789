package weaviate

import (
	"cmp"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/entrez/record"
	"biomcp/store"
)

// A clause is a condition in a query to the server. Nil means no condition.
type clause = *filters.WhereBuilder

func newClause(property string, operator filters.WhereOperator) clause {
	return filters.Where().WithPath([]string{property}).WithOperator(operator)
}

// join joins conditions. A nil condition always holds.
func join(operator filters.WhereOperator, parts ...clause) clause {
	var some []clause
	for _, p := range parts {
		if p != nil {
			some = append(some, p)
		}
	}
	switch {
	case len(some) == 0, operator == filters.Or && len(some) < len(parts):
		return nil
	case len(some) == 1:
		return some[0]
	}
	return filters.Where().WithOperator(operator).WithOperands(some)
}

// filterClause returns the condition for a filter.
func filterClause(f store.Filter) (clause, error) {
	var parts []clause
	for _, bound := range []struct {
		text string
		to   bool
	}{{f.From, false}, {f.To, true}} {
		if bound.text == "" {
			continue
		}
		date, ok := record.ParseDate(bound.text)
		switch {
		case !ok:
			return nil, newError(Invalid, "search", "invalid date %q: use 2024, 2024-05 or 2024-05-11", bound.text)
		case bound.to:
			parts = append(parts, newClause(propDate, filters.LessThanEqual).WithValueInt(int64(date.Last().Number())))
		default:
			first := int64(date.First().Number())
			parts = append(parts, newClause(propDate, filters.GreaterThanEqual).WithValueInt(first))
		}
	}
	oneOf := func(property string, list ...string) {
		if len(list) > 0 {
			folded := make([]string, len(list))
			for i, name := range list {
				folded[i] = cmp.Or(fold(name), "_") // "_" matches nothing, because no name is blank
			}
			parts = append(parts, newClause(property, filters.ContainsAny).WithValueText(folded...))
		}
	}
	oneOf(propJournalNames, f.Journals...)
	oneOf(propTypeNames, f.PubTypes...)
	for _, n := range f.NotTypes {
		// For a list property, NotEqual matches every object without the value (the server's
		// adapters/repos/db/inverted/row_reader_roaring_set.go, v1.27.0).
		parts = append(parts, newClause(propTypeNames, filters.NotEqual).WithValueText(cmp.Or(fold(n), "_")))
	}
	for _, m := range f.Mesh {
		oneOf(propMeshNames, m)
	}
	if f.PMIDs != nil {
		// PMID 0 does not exist, and keeps the list from being empty.
		parts = append(parts, ofPMIDs(append([]record.PMID{0}, f.PMIDs...)))
	}
	is := func(property string, asked, value bool) {
		if asked {
			parts = append(parts, newClause(property, filters.Equal).WithValueBoolean(value))
		}
	}
	is(propHasPMC, f.HasPMC, true)
	is(propRetracted, f.ExcludeRetracted, false)
	is(propHuman, f.Humans, true)
	is(propAnimal, f.Animals, true)
	return join(filters.And, parts...), nil
}

// argument formats a condition as a GraphQL argument. It returns "" for nil.
func argument(w clause) string {
	if w == nil {
		return ""
	}
	return w.String() + " "
}
