package rag

import (
	"slices"
	"strings"

	"biomcp/store"
)

// A Bag holds the positions of each term of a text.
type Bag map[string][]uint32

// NewBag returns the Bag of some tokens.
func NewBag(tokens []store.Token) Bag {
	b := make(Bag, len(tokens))
	for _, t := range tokens {
		b[t.Term] = append(b[t.Term], t.Pos)
	}
	return b
}

// Matches reports whether a text matches a query, as defined by store.Query.
func (b Bag) Matches(q store.Query) bool {
	switch q := q.(type) {
	case store.All:
		return true
	case store.Term:
		return len(b[q.Text]) > 0
	case store.Or:
		return slices.ContainsFunc(q, b.Matches)
	case store.And:
		return !slices.ContainsFunc(q, func(part store.Query) bool { return !b.Matches(part) })
	case store.Not:
		return !b.Matches(q.Query)
	case store.Prefix:
		for term := range b {
			if strings.HasPrefix(term, q.Text) {
				return true
			}
		}
	case store.Phrase:
		return len(q.Slots) > 0 && len(b.starts(q.Slots)) > 0
	}
	return false
}

// PhraseAt reports whether the text has the phrase with these slots at position start.
func (b Bag) PhraseAt(slots []store.Slot, start uint32) bool {
	for _, slot := range slots {
		if !slices.ContainsFunc(slot.Terms, func(term string) bool { return slices.Contains(b[term], start+slot.At) }) {
			return false
		}
	}
	return true
}
