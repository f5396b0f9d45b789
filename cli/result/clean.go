package result

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text from outside safe to print. It keeps newlines and replaces tabs with
// spaces. It removes all other control characters, including ESC and the C1 range, which
// control terminals, and the bidirectional overrides, which can disguise text. Invalid
// UTF-8 becomes U+FFFD.
func clean(s string) string {
	if isClean(s) {
		return s
	}
	return strings.ReplaceAll(removeControls(s), "\t", " ")
}

// removeControls does the same as clean but keeps tabs, for text with columns.
func removeControls(s string) string {
	return strings.Map(func(r rune) rune {
		if isDangerous(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// line does the same as clean and replaces line breaks with spaces.
func line(s string) string {
	s = clean(s)
	// Three calls of Contains are faster than ContainsAny with characters beyond ASCII.
	if strings.Contains(s, "\n") || strings.Contains(s, "\u2028") || strings.Contains(s, "\u2029") {
		s = strings.Join(strings.FieldsFunc(s, func(r rune) bool {
			return r == '\n' || r == '\u2028' || r == '\u2029'
		}), " ")
	}
	return s
}

// isClean reports whether clean would return s unchanged.
func isClean(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c < 0x20 || c >= 0x7f {
			return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
				return r == '\t' || isDangerous(r)
			})
		}
	}
	return true
}

// isDangerous reports whether r is a control character or bidirectional override, except
// newline and tab.
func isDangerous(r rune) bool {
	if r == '\n' || r == '\t' {
		return false
	}
	return unicode.IsControl(r) ||
		r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}
