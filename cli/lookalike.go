package cli

import (
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/spf13/pflag"
)

// dashes are the longer dashes that an editor substitutes for one or two hyphens.
const dashes = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"

// cyrillic replaces Cyrillic letters with the Latin letters that they look like.
var cyrillic = sync.OnceValue(func() *strings.Replacer {
	return strings.NewReplacer(
		"А", "A", "В", "B", "Е", "E", "Ѕ", "S", "І", "I", "Ј", "J", "К", "K", "М", "M", "Н", "H", "О", "O", "Р", "P",
		"С", "C", "Т", "T", "У", "Y", "Х", "X",
		"а", "a", "е", "e", "ѕ", "s", "і", "i", "ј", "j", "о", "o", "р", "p", "с", "c", "у", "y", "х", "x")
})

// plainSpaces replaces special spaces, such as no-break spaces from a web page, with plain
// ones.
func plainSpaces(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Zs, r) {
			return ' '
		}
		return r
	}, word)
}

// toASCII replaces full-width characters and Cyrillic lookalikes in word with ASCII, and
// removes zero-width characters. It returns word unchanged unless it contains an ASCII
// character and the result is pure ASCII.
func toASCII(word string) string {
	narrow := strings.Map(func(r rune) rune {
		switch {
		case r == '\u200b' || r == '\u2060' || r == '\ufeff':
			return -1
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		}
		return r
	}, word)
	isASCII := func(r rune) bool { return r <= unicode.MaxASCII }
	notASCII := func(r rune) bool { return !isASCII(r) }
	plain := cyrillic().Replace(narrow)
	if strings.ContainsFunc(narrow, isASCII) && !strings.ContainsFunc(plain, notASCII) {
		return plain
	}
	return word
}

// withShortDashes replaces the long dashes before a known flag name with hyphens. It returns any
// other word unchanged.
func (c *call) withShortDashes(set *pflag.FlagSet, word string) string {
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
	c.words, c.corrected = slices.Clone(c.words), true
	c.words[slices.Index(c.words, word)] = flag
	return flag
}
