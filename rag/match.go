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

// Resolve returns q with each condition on documents replaced by whether the document with these
// passages matches it: store.All if it does, and an empty store.Or if not. A passage of the document
// matches the result if and only if it matches q.
func Resolve(q store.Query, passages []Bag) store.Query {
	resolveAll := func(parts []store.Query) []store.Query {
		all := make([]store.Query, len(parts))
		for i, p := range parts {
			all[i] = Resolve(p, passages)
		}
		return all
	}
	switch q := q.(type) {
	case store.Documents:
		if documentMatches(q.Query, passages) {
			return store.All{}
		}
		return store.Or{}
	case store.Not:
		return store.Not{Query: Resolve(q.Query, passages)}
	case store.And:
		return store.And(resolveAll(q))
	case store.Or:
		return store.Or(resolveAll(q))
	}
	return q
}

// documentMatches reports whether the document with these passages matches the part of a
// store.Documents query.
func documentMatches(q store.Query, passages []Bag) bool {
	matches := func(part store.Query) bool { return documentMatches(part, passages) }
	switch q := q.(type) {
	case store.Documents:
		return matches(q.Query)
	case store.Not:
		return !matches(q.Query)
	case store.And:
		return !slices.ContainsFunc(q, func(part store.Query) bool { return !matches(part) })
	case store.Or:
		return slices.ContainsFunc(q, matches)
	}
	return slices.ContainsFunc(passages, func(b Bag) bool { return b.Matches(q) })
}

// Matches reports whether a text matches a query, as defined by store.Query. The text is taken as a
// document of one passage.
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
	case store.Documents:
		return b.Matches(q.Query)
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
