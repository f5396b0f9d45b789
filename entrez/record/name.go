package record

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// PlainLetter returns the spelling that PubMed's search uses for a letter that Unicode does not
// decompose, such as ss for ß. It returns "", false for any other letter.
func PlainLetter(r rune) (spelling string, ok bool) {
	switch r {
	case 'ß', 'ẞ':
		return "ss", true
	case 'æ', 'Æ':
		return "ae", true
	case 'œ', 'Œ':
		return "oe", true
	case 'ø', 'Ø':
		return "o", true
	case 'ð', 'Ð', 'đ', 'Đ':
		return "d", true
	case 'þ', 'Þ':
		return "th", true
	case 'ł', 'Ł':
		return "l", true
	case 'ħ', 'Ħ':
		return "h", true
	case 'ı':
		return "i", true
	case 'ŋ':
		return "n", true
	}
	return "", false
}

// FoldName returns the words of a name in lower case, without diacritics, periods and apostrophes, and
// with single spaces for all other characters.
func FoldName(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(name) {
		plain, ok := PlainLetter(r)
		switch {
		case ok:
		case unicode.IsLetter(r), unicode.IsNumber(r):
			plain = string(unicode.ToLower(r))
		case unicode.Is(unicode.Mn, r), r == '.', r == '\'', r == '’', r == '‘', r == '`':
			continue
		default:
			gap = b.Len() > 0
			continue
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteString(plain)
	}
	return b.String()
}
