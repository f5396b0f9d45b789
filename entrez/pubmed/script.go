package pubmed

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// parenthesize encloses s in parentheses as an operand of a fraction, root or power, unless it is a
// single number, name, bracketed expression or sign with its marks.
func parenthesize(s string) string {
	compound := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && r != '.' && r != '%'
	}
	_, first := utf8.DecodeRuneInString(s)
	if strings.TrimLeftFunc(s[first:], unicode.IsMark) == "" || !strings.ContainsFunc(s, compound) || isEnclosed(s) {
		return s
	}
	return "(" + s + ")"
}

// isEnclosed reports whether one pair of brackets encloses all of s.
func isEnclosed(s string) bool {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		}
		if depth <= 0 {
			return i > 0 && i == len(s)-1
		}
	}
	return false
}
