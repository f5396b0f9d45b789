package result

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text from outside safe to print on one line or several: newline
// stays, tab becomes a space, every other control character (ESC and the C1
// range included, which terminals obey) and the bidirectional overrides, which
// can make text read as what it is not, are dropped. Invalid UTF-8 becomes
// U+FFFD.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	return strings.ReplaceAll(harmless(s), "\t", " ")
}

// harmless is clean that leaves tabs: for text whose columns they make.
func harmless(s string) string {
	return strings.Map(func(r rune) rune {
		if dangerous(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// line is clean for a place that holds one line.
func line(s string) string {
	s = clean(s)
	if strings.Contains(s, "\n") || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029") { // ContainsAny takes long with these
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
			return r == '\n' || r == '\u2028' || r == '\u2029'
		}), " ")
	}
	return s
}

func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
				return r == '\t' || dangerous(r)
			})
		}
	}
	return true
}

func dangerous(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) ||
		r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}
