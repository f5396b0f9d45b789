package pubmed

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"biomcp/entrez/record"
)

// Superscript converts s to Unicode's superscript characters as [record.Superscript] does.
func Superscript(s string) (string, bool) { return record.Superscript(s) }

// Subscript converts s to subscript characters as [record.Subscript] does.
func Subscript(s string) (string, bool) { return record.Subscript(s) }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

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
