package words

import "strings"

// Quote writes words as one line that Split, and a POSIX shell, read back as
// the same words. A word that needs no quotes gets none; any other is put in
// single quotes, and a single quote inside is closed, escaped and opened again.
//
// Words holding control characters other than tab and newline, or bytes that
// are not UTF-8, come out quoted all the same, but Split refuses them.
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

// plain reports whether every shell takes w literally. An equals sign is
// plain only in a flag, since a shell takes a leading a=b for an assignment.
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
