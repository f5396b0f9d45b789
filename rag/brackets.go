package rag

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// unknownField returns the field of tags that PubMed does not have.
var unknownField = sync.OnceValue(func() *Field { return &Field{missing: unknown} })

// endsOperand reports whether no word follows text[:end] in its operand.
func endsOperand(text string, end int) bool {
	after := strings.Fields(text[end:])
	return len(after) == 0 || after[0][0] == ')' || slices.Contains([]string{"AND", "OR", "NOT"}, after[0])
}

// looksLikeTag reports whether the brackets from i to end are an unknown tag: letters after a word, and if
// a blank is between them, at the end of an operand.
func looksLikeTag(text string, i, end int) bool {
	name := text[i+1 : end-1]
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	if len(name) < 2 || strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }) {
		return false
	}
	if unicode.IsSpace(before) {
		return len(name) > 2 && endsOperand(text, end)
	}
	isCase := name == strings.ToLower(name) || name == strings.ToUpper(name)
	return i > 0 && before != '[' && before != '(' && before != '-' && (isCase || len(name) > 2)
}

// elements returns symbols of chemical elements that are also tags.
var elements = sync.OnceValue(func() []string { return strings.Fields("Au Cn Ir La Lr Pa Pt Rn Si Ta Ti") })

// isElement reports whether the brackets from i to end are the symbol of an element, as in gold [Au]
// nanoparticles: after a blank, in the case of the symbol, and before a word.
func isElement(text string, i, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.IsSpace(before) && slices.Contains(elements(), text[i+1:end-1]) && !endsOperand(text, end)
}
