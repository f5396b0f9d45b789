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

// Malformed is the refusal of a filter's value; want is what it should be: "a symbol
// such as BRAF".
func Malformed(entity, flag, value, want string) error {
	return result.Invalid(fmt.Sprintf("--%s %q is not %s", flag, command.Clip(value), want), "search", entity, "--help")
}
