package cli

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/pflag"
)

// dashes are longer dashes, which an editor makes of two short ones or of one.
const dashes = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

// cyrillic are letters that look like Latin ones, each before the one it looks like.
var cyrillic = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"А", "A", "В", "B", "Е", "E", "Ѕ", "S", "І", "I", "Ј", "J", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P", "С", "C", "Т", "T", "У", "Y", "Х", "X",
		"а", "a", "е", "e", "ѕ", "s", "і", "i", "ј", "j", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x")
})

// plainBlanks is a word in which the blanks of a page or a chat, such as no-break spaces, are
// plain ones.
func plainBlanks(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, word)
}

// inLatin is a word of ASCII letters and digits, some of which were typed in full width, or
// as Cyrillic letters that look like them, or with letters of no width between them; other
// words are as they are.
func inLatin(word string) string {
	narrow := strings.Map(func(r rune) rune {
		switch {
		case r == '\u200b' || r == '\u2060' || r == '\ufeff':
			return -1
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		}
		return r
	}, word)
	ascii := func(r rune) bool { return r <= unicode.MaxASCII }
	if plain := cyrillic().Replace(narrow); strings.ContainsFunc(narrow, ascii) && !strings.ContainsFunc(plain, func(r rune) bool { return !ascii(r) }) {
		return plain
	}
	return word
}

// shortDashes has a word that is a flag of the set but for a longer dash with the dashes of one.
func (c *call) shortDashes(set *pflag.FlagSet, word string) string {
	rest := strings.TrimLeft(word, dashes+"-")
	name, _, _ := strings.Cut(rest, "=")
	flag := ""
	switch {
	case !strings.ContainsAny(word[:len(word)-len(rest)], dashes):
	case len(name) > 1 && set.Lookup(name) != nil:
		flag = "--" + rest
	case len(name) == 1 && set.ShorthandLookup(name) != nil:
		flag = "-" + rest
	}
	if flag == "" {
		return word
	}
	c.words, c.slip = slices.Clone(c.words), true
	c.words[slices.Index(c.words, word)] = flag
	return flag
}
