package query

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/cli/result"
	"biomcp/entrez/ncbi"
)

// CheckText returns an error if s is too long, is not UTF-8 or has control characters other than
// those in spaces. label names the text in the message; help is the command that explains it.
func CheckText(label, s string, maxBytes int, spaces string, help ...string) error {
	control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(spaces, r) }
	switch {
	case len(s) > maxBytes:
		return result.Invalid(fmt.Sprintf("%s has %d bytes; at most %d are accepted", label, len(s), maxBytes), help...)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, control):
		return result.Invalid(label+" holds bytes that are not text", help...)
	}
	return nil
}

// maxText is the maximum size of a name, a term or the value of a filter, in bytes.
const maxText = 1000

// CheckTerm returns an error unless s is a short line of text.
func CheckTerm(s string, help ...string) error {
	if s == "" {
		return result.Invalid("the text is empty", help...)
	}
	return CheckText("the text", s, maxText, "", help...)
}

// balance removes the unbalanced quotes, parentheses and brackets of s, and an operator left at
// its end. It closes a field tag at the end instead: cancer[ti becomes cancer[ti].
func balance(s string) string {
	drop, runes := unbalancedPositions(s), []rune(s)
	if len(drop) == 1 && drop[0] > 0 && runes[drop[0]] == '[' {
		field := runes[drop[0]+1:]
		if len(field) > 0 && !slices.ContainsFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && r != '/' }) {
			return s + "]"
		}
	}
	var out []rune
	for i, r := range runes {
		if !slices.Contains(drop, i) {
			out = append(out, r)
		}
	}
	words := strings.Fields(string(out))
	if n := len(words) - 1; n >= 0 && IsOperator(words[n]) {
		return strings.Join(words[:n], " ")
	}
	return strings.TrimSpace(string(out))
}

// unbalancedPositions returns the positions of unbalanced quotes, parentheses and brackets, counted in
// characters.
func unbalancedPositions(s string) (places []int) {
	var open []int
	quote := -1
	runes := []rune(ncbi.StraightQuotes(s))
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
				places = append(places, i)
			}
		}
	}
	if quote >= 0 {
		places = append(places, quote)
	}
	return append(places, open...)
}

// CheckBalance returns an error unless every quote, parenthesis and bracket is closed, because NCBI
// drops an unbalanced one and may then search for something else. It also rejects a query of
// operators only.
func CheckBalance(label, s string, help ...string) error {
	places := unbalancedPositions(s)
	words := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(s))
	if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !IsOperator(w) }) {
		return result.Invalid(label+" has operators and no word to search for", help...)
	}
	if len(places) == 0 {
		return nil
	}
	name := "unbalanced parentheses"
	switch []rune(ncbi.StraightQuotes(s))[places[0]] {
	case '"':
		name = `an unbalanced quote (")`
	case '[', ']':
		name = "unbalanced brackets"
	}
	return result.Invalid(label+" has "+name, help...)
}

// SuggestBalanced adds a suggestion to err: the command line with the balanced text, if check accepts it.
func SuggestBalanced(err error, text string, check func(string) error, line func(string) result.Argv) error {
	f, ok := errors.AsType[*result.Failure](err)
	if m := balance(text); ok && m != "" && check(m) == nil {
		f.Try = line(m)
	}
	return err
}

// HasLetterOrDigit reports whether text has a letter or a digit. Searches ignore all other signs.
func HasLetterOrDigit(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// IsOperator reports whether word is a Boolean operator in a query.
func IsOperator(word string) bool { return word == "AND" || word == "OR" || word == "NOT" }

// SplitList returns the parts of a text between commas, without empty ones.
func SplitList(v string) []string { return ncbi.List(strings.Split(v, ",")) }
