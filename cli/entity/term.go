package entity

import (
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// Terms is the text of a query, in parentheses, its filters as sent, and further
// terms, all of which must hold.
func (q *Query) Terms(more ...string) string {
	var parts []string
	if q.Text != "" {
		parts = append(parts, "("+q.Text+")")
	}
	for _, f := range q.Filters {
		if f.Term != "" {
			parts = append(parts, f.Term)
		}
	}
	return strings.Join(append(parts, more...), " AND ")
}

// Quoted makes the value of a filter of search <entity> a phrase with a field tag of
// the E-utilities. What NCBI would take for its syntax is refused.
func Quoted(entity, flag, tag string) func(string) (string, error) {
	help := []string{"search", entity, "--help"}
	return func(v string) (string, error) {
		if err := CheckTerm(v, help...); err != nil {
			return "", err
		}
		if strings.ContainsAny(v, `"[]`) {
			return "", result.Invalid("--"+flag+` cannot hold ", [ or ]`, help...)
		}
		return `"` + v + `"[` + tag + "]", nil
	}
}

// Formed makes the value of a filter of search <entity> a term. A value that read does
// not accept is refused, with want, what it should be: "a symbol such as BRAF".
func Formed(entity, flag, want string, read func(value string) (term string, ok bool)) func(string) (string, error) {
	return func(v string) (string, error) {
		term, ok := read(v)
		if !ok {
			return "", result.Invalid(fmt.Sprintf("--%s %q is not %s", flag, command.Clip(v), want), "search", entity, "--help")
		}
		return term, nil
	}
}

// AnyOf makes a term for one of several values, separated by commas, of term for each.
func AnyOf(term func(value string) (string, error)) func(string) (string, error) {
	return func(list string) (string, error) {
		var terms []string
		for _, v := range strings.Split(list, ",") {
			t, err := term(v)
			if err != nil {
				return "", err
			}
			terms = append(terms, t)
		}
		if len(terms) == 1 {
			return terms[0], nil
		}
		return "(" + strings.Join(terms, " OR ") + ")", nil
	}
}

// Listed makes a value of a filter's list a phrase with a field tag of the E-utilities.
// Hyphens are blanks.
func Listed(tag, before string) func(string) (string, error) {
	return func(v string) (string, error) {
		return `"` + before + strings.ReplaceAll(v, "-", " ") + `"[` + tag + "]", nil
	}
}
