package entity

import (
	"errors"
	"slices"
	"strings"

	"biomcp/cli/result"
)

// Balanced is a text without its unbalanced quotes, parentheses and brackets.
func Balanced(s string) string {
	var drop, open []int
	quote := -1
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == '"' && quote < 0:
			quote = i
		case r == '"':
			quote = -1
		case quote >= 0:
		case r == '(' || r == '[':
			open = append(open, i)
		case r == ')' || r == ']':
			if n := len(open); n > 0 && (runes[open[n-1]] == '(') == (r == ')') {
				open = open[:n-1]
			} else {
				drop = append(drop, i)
			}
		}
	}
	if quote >= 0 {
		drop = append(drop, quote)
	}
	drop = append(drop, open...)
	var out []rune
	for i, r := range runes {
		if !slices.Contains(drop, i) {
			out = append(out, r)
		}
	}
	return strings.TrimSpace(string(out))
}

// CheckBalance requires every quote, parenthesis and bracket to be closed: NCBI
// drops an unbalanced one, and may search for something else.
func CheckBalance(what, s string, help ...string) error {
	unbalanced := func(name string) error { return result.Invalid(what+" has "+name, help...) }
	names := map[rune]string{')': "unbalanced parentheses", ']': "unbalanced brackets"}
	var awaited []rune // the closing ones, innermost last
	quoted := false
	for _, r := range s {
		switch {
		case r == '"':
			quoted = !quoted
		case quoted:
		case r == '(':
			awaited = append(awaited, ')')
		case r == '[':
			awaited = append(awaited, ']')
		case r == ')' || r == ']':
			if len(awaited) == 0 || awaited[len(awaited)-1] != r {
				return unbalanced(names[r])
			}
			awaited = awaited[:len(awaited)-1]
		}
	}
	switch {
	case quoted:
		return unbalanced(`an unbalanced quote (")`)
	case len(awaited) > 0:
		return unbalanced(names[awaited[len(awaited)-1]])
	}
	return nil
}

// mended is a refusal of a text with the command line to type instead, where the text is
// accepted once it is balanced.
func mended(err error, text string, check func(string) error, line func(string) result.Argv) error {
	var f *result.Failure
	if m := Balanced(text); errors.As(err, &f) && m != "" && check(m) == nil {
		f.Try = line(m)
	}
	return err
}
