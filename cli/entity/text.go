package entity

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/cli/result"
)

// CheckText refuses a text that is too long, is not UTF-8 or has control
// characters other than those in spaces. what names the text in the message;
// help is the command that explains it.
func CheckText(what, s string, maxBytes int, spaces string, help ...string) error {
	control := func(r rune) bool { return unicode.IsControl(r) && !strings.ContainsRune(spaces, r) }
	switch {
	case len(s) > maxBytes:
		return result.Invalid(fmt.Sprintf("%s has %d bytes; at most %d are accepted", what, len(s), maxBytes), help...)
	case !utf8.ValidString(s) || strings.ContainsFunc(s, control):
		return result.Invalid(what+" holds bytes that are not text", help...)
	}
	return nil
}

// maxText is the most bytes of a name, a term or the value of a filter.
const maxText = 1000

// CheckTerm refuses an empty text and what is no short line of text.
func CheckTerm(s string, help ...string) error {
	if s == "" {
		return result.Invalid("the text is empty", help...)
	}
	return CheckText("the text", s, maxText, "", help...)
}

// Range is the numbers that a flag names, its ends included.
type Range struct{ From, To int }

// ParseRange reads numbers from 1, which do not fall: 3, 2-4, or 5-, which has no end.
func ParseRange(text string) (r Range, ok bool) {
	first, last, several := strings.Cut(text, "-")
	from, err := strconv.Atoi(first)
	r = Range{from, from}
	if several {
		r.To = math.MaxInt
	}
	if last != "" {
		var bad error
		r.To, bad = strconv.Atoi(last)
		err = cmp.Or(err, bad)
	}
	return r, err == nil && 1 <= r.From && r.From <= r.To
}

// Number is a number as text, "" if it is not known.
func Number[N int | int64 | float64](n *N) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(*n)
}

// Text is a text, "" if it is not known.
func Text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// EtAl is the first n names, and "et al." where there are more.
func EtAl(names []string, n int) string {
	if len(names) <= n {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:n], ", ") + ", et al."
}

// Some is a list in a sentence: the first few, and how many more there are.
func Some(names []string) string {
	const few = 5
	if len(names) <= few+1 { // "and 1 more" is no shorter
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
}

// Cut is a text of at most n letters, cut after a word.
func Cut(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	head := string(r[:n])
	if i := strings.LastIndexByte(head, ' '); i > 0 {
		head = head[:i]
	}
	return head + " …"
}

// balanced is a text without its unbalanced quotes, parentheses and brackets, and without the
// operator that then stands at its end. A field at its end is closed: cancer[ti.
func balanced(s string) string {
	drop, runes := unbalanced(s), []rune(s)
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
	if n := len(words) - 1; n >= 0 && operator(words[n]) {
		return strings.Join(words[:n], " ")
	}
	return strings.TrimSpace(string(out))
}

// unbalanced are the places of the quotes, parentheses and brackets of a text, counted in
// letters, that are not closed or close nothing.
func unbalanced(s string) (places []int) {
	var open []int
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
				places = append(places, i)
			}
		}
	}
	if quote >= 0 {
		places = append(places, quote)
	}
	return append(places, open...)
}

// CheckBalance requires every quote, parenthesis and bracket to be closed: NCBI
// drops an unbalanced one, and may search for something else. Operators alone are no query.
func CheckBalance(what, s string, help ...string) error {
	places := unbalanced(s)
	words := strings.Fields(strings.NewReplacer("(", " ", ")", " ").Replace(s))
	if len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool { return !operator(w) }) {
		return result.Invalid(what+" has operators and no word to search for", help...)
	}
	if len(places) == 0 {
		return nil
	}
	name := "unbalanced parentheses"
	switch []rune(s)[places[0]] {
	case '"':
		name = `an unbalanced quote (")`
	case '[', ']':
		name = "unbalanced brackets"
	}
	return result.Invalid(what+" has "+name, help...)
}

// mended is a refusal of a text with the command line to type instead, where the text is
// accepted once it is balanced.
func mended(err error, text string, check func(string) error, line func(string) result.Argv) error {
	f, ok := errors.AsType[*result.Failure](err)
	if m := balanced(text); ok && m != "" && check(m) == nil {
		f.Try = line(m)
	}
	return err
}
