package record

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// PlainLetters holds letters that Unicode does not decompose, with the spelling that PubMed's
// search uses for them.
var PlainLetters = map[rune]string{
	'ß': "ss", 'ẞ': "ss", 'æ': "ae", 'Æ': "ae", 'œ': "oe", 'Œ': "oe",
	'ø': "o", 'Ø': "o", 'ð': "d", 'Ð': "d", 'þ': "th", 'Þ': "th",
	'ł': "l", 'Ł': "l", 'đ': "d", 'Đ': "d", 'ħ': "h", 'Ħ': "h", 'ı': "i", 'ŋ': "n",
}

// FoldName returns the words of a name in lower case, without diacritics, periods and apostrophes, and
// with single spaces for all other characters.
func FoldName(name string) string {
	var b strings.Builder
	gap := false
	for _, r := range norm.NFKD.String(name) {
		plain, ok := PlainLetters[r]
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
