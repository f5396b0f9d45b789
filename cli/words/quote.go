package words

import "strings"

// Quote joins words into one line that Split and a POSIX shell split into the same words. It
// puts a word in single quotes only if necessary, and escapes a single quote inside.
//
// Split rejects control characters other than tab and newline, and invalid UTF-8. Quote quotes
// words with them anyway.
func Quote(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if plain(w) {
			b.WriteString(w)
			continue
		}
		b.WriteByte('\'')
		b.WriteString(strings.ReplaceAll(w, "'", `'\''`))
		b.WriteByte('\'')
	}
	return b.String()
}

// plain reports whether every shell takes w literally. An equals sign is plain only in a flag,
// because a shell reads a leading a=b as an assignment.
func plain(w string) bool {
	for i := 0; i < len(w); i++ {
		c := w[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-_./:,+@%", c) >= 0:
		case c == '=' && w[0] == '-':
		default:
			return false
		}
	}
	return w != ""
}
