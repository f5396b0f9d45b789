package entity

import (
	"fmt"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity/query"
	"biomcp/cli/result"
)

// QuotedTerm returns a Term function for a filter of search <entity>. It makes a value a phrase with a
// field tag of the E-utilities, and returns an error for quotes and brackets, which NCBI would read
// as syntax.
func QuotedTerm(entity, flag, tag string) func(string) (string, error) {
	help := []string{"search", entity, "--help"}
	return func(v string) (string, error) {
		if err := query.CheckTerm(v, help...); err != nil {
			return "", err
		}
		if strings.ContainsAny(v, `"[]`) {
			return "", result.Invalid("--"+flag+` cannot hold ", [ or ]`, help...)
		}
		return `"` + v + `"[` + tag + "]", nil
	}
}

// QuotedListTerm is like QuotedTerm for a flag that may be repeated and whose values may contain
// commas. It makes a value with commas find both the whole value and a list of values that must
// all hold.
func QuotedListTerm(entity, flag, tag string) func(string) (string, error) {
	quoted := QuotedTerm(entity, flag, tag)
	return func(v string) (string, error) {
		parts := query.SplitList(v)
		if len(parts) < 2 {
			return quoted(v)
		}
		whole, err := quoted(v)
		for i, part := range parts {
			if err == nil {
				parts[i], err = quoted(part)
			}
		}
		return "(" + whole + " OR (" + strings.Join(parts, " AND ") + "))", err
	}
}

// ParsedTerm returns a Term function for a filter of search <entity>. It converts a value with read. If
// read returns false, the error says that the value is not want, such as "a symbol such as BRAF".
func ParsedTerm(entity, flag, want string, read func(value string) (term string, ok bool)) func(string) (string, error) {
	return func(v string) (string, error) {
		term, ok := read(v)
		if !ok {
			message := fmt.Sprintf("--%s %q is not %s", flag, command.Clip(v), want)
			return "", result.Invalid(message, "search", entity, "--help")
		}
		return term, nil
	}
}

// AnyTerm extends term to lists: it converts each value of a comma-separated list and joins the terms
// with OR.
func AnyTerm(term func(value string) (string, error)) func(string) (string, error) {
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

// ListTerm returns a Term function for a filter with a fixed list of values. It makes a value a
// phrase with a field tag of the E-utilities, with spaces for hyphens and before in front.
func ListTerm(tag, before string) func(string) (string, error) {
	return func(v string) (string, error) {
		return `"` + before + strings.ReplaceAll(v, "-", " ") + `"[` + tag + "]", nil
	}
}
