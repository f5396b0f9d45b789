package query

import "strings"

// A Query is a parsed search.
type Query struct {
	Text          string
	Filters       []AppliedFilter // in the order of the spec
	Dates         Span
	Sort          string
	Offset, Limit int

	Notices []string // about the flags, for the answer
}

// Values returns the values of a filter. It returns nil if the filter was not given.
func (q *Query) Values(flag string) []string {
	var out []string
	for _, f := range q.Filters {
		if f.Flag == flag {
			out = append(out, f.Value)
		}
	}
	return out
}

// Value returns the first value of a filter, or "" if it was not given.
func (q *Query) Value(flag string) string {
	if values := q.Values(flag); len(values) > 0 {
		return values[0]
	}
	return ""
}

// Terms returns the text of the query in parentheses, the terms of its filters and the given terms,
// joined with AND.
func (q *Query) Terms(extra ...string) string {
	var parts []string
	if q.Text != "" {
		parts = append(parts, "("+q.Text+")")
	}
	for _, f := range q.Filters {
		if f.Term != "" {
			parts = append(parts, f.Term)
		}
	}
	return strings.Join(append(parts, extra...), " AND ")
}
