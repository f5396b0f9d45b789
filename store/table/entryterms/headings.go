package entryterms

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed headings.txt.gz
var packedHeadings []byte

// loadHeadings returns lines of the name of a heading, a tab and "|" before and after each of its keys.
var loadHeadings = sync.OnceValue(func() string { return unpack(packedHeadings) })

// FindHeading returns the heading that a text names where a heading is expected, as in a field of PubMed:
// by its name, by an entry term, or by a name of the Disease Ontology that no heading or entry term has. It
// ignores case, the number and the order of the words, so that it also finds the inverted names that
// MeSH lists. It knows all headings, and all entry terms of the concept that a heading names.
func FindHeading(term string) (name string, ok bool) {
	term = strings.ToLower(strings.Join(strings.Fields(term), " "))
	for _, key := range []string{term, Key(term)} {
		if name, ok := findKey(key); ok {
			return name, true
		}
	}
	h, ok := find(term)
	return h.Name, ok
}

func findKey(key string) (name string, ok bool) {
	lines := loadHeadings()
	at := strings.Index(lines, "|"+key+"|")
	if key == "" || strings.Contains(key, "|") || at < 0 {
		return "", false
	}
	name, _, _ = strings.Cut(lines[strings.LastIndexByte(lines[:at], '\n')+1:], "\t")
	return name, true
}

// HasWord reports whether a word, ignoring case and number, is a word of a heading or an entry term.
func HasWord(word string) bool {
	word = strings.ToLower(word)
	for _, text := range []string{loadHeadings(), load().entries} {
		if hasWord(text, word) || hasWord(text, Key(word)) {
			return true
		}
	}
	return false
}

// hasWord reports whether a text has a word with no letter before or after it.
func hasWord(text, word string) bool {
	isLetter := func(b byte) bool { return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' }
	for at := 0; word != ""; at++ {
		i := strings.Index(text[at:], word)
		if i < 0 {
			break
		}
		at += i
		end := at + len(word)
		if (at == 0 || !isLetter(text[at-1])) && (end == len(text) || !isLetter(text[end])) {
			return true
		}
	}
	return false
}

// Key returns the form of a term by which FindHeading compares: its words in lower case and in the singular,
// sorted.
func Key(term string) string {
	words := strings.FieldsFunc(strings.ToLower(term), func(r rune) bool { return strings.ContainsRune(" ,-|\t\n", r) })
	for i, w := range words {
		switch {
		case len(w) > 4 && strings.HasSuffix(w, "ies"):
			words[i] = strings.TrimSuffix(w, "ies") + "y"
		case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}
