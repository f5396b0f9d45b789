package rag

import (
	"slices"
	"strings"

	"biomcp/store"
	"biomcp/store/postings"
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

// ChunkBag returns the Bag of a chunk's tokens, with the ends of its title and text.
func ChunkBag(c store.Chunk) Bag {
	b := NewBag(c.Tokens)
	if c.TextEnd > 0 {
		b[postings.BoundsTerm] = []uint32{c.TitleEnd, c.TextEnd}
	}
	return b
}

// HasPart reports whether is returns true for q or a part of it.
func HasPart(q store.Query, is func(store.Query) bool) bool {
	contains := func(part store.Query) bool { return HasPart(part, is) }
	if is(q) {
		return true
	}
	switch q := q.(type) {
	case store.Not:
		return contains(q.Query)
	case store.Documents:
		return contains(q.Query)
	case store.And:
		return slices.ContainsFunc(q, contains)
	case store.Or:
		return slices.ContainsFunc(q, contains)
	}
	return false
}

// WithConditions returns q with each store.Where replaced by whether a document passes its filter:
// store.All if it does, and an empty store.Or if not.
func WithConditions(q store.Query, passes func(store.Filter) bool) store.Query {
	return replace(q, func(q store.Query) store.Query {
		if where, ok := q.(store.Where); ok {
			return truth(passes(where.Filter))
		}
		return nil
	})
}

// truth returns a query that matches everything or nothing.
func truth(matches bool) store.Query {
	if matches {
		return store.All{}
	}
	return store.Or{}
}

// replace returns q with each part for which with does not return nil replaced by the result.
func replace(q store.Query, with func(store.Query) store.Query) store.Query {
	all := func(parts []store.Query) []store.Query {
		list := make([]store.Query, len(parts))
		for i, part := range parts {
			list[i] = replace(part, with)
		}
		return list
	}
	if other := with(q); other != nil {
		return other
	}
	switch q := q.(type) {
	case store.Not:
		return store.Not{Query: replace(q.Query, with)}
	case store.Documents:
		return store.Documents{Query: replace(q.Query, with)}
	case store.And:
		return store.And(all(q))
	case store.Or:
		return store.Or(all(q))
	}
	return q
}

// Resolve returns q with each condition on documents replaced by whether the document with these
// passages matches it: store.All if it does, and an empty store.Or if not. A passage of the document
// matches the result if and only if it matches q.
func Resolve(q store.Query, passages []Bag) store.Query {
	return replace(q, func(q store.Query) store.Query {
		if of, ok := q.(store.Documents); ok {
			return truth(documentMatches(of.Query, passages))
		}
		return nil
	})
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
		return b.in(q.Scope, b[q.Text], 0)
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
			if strings.HasPrefix(term, q.Text) && b.in(q.Scope, b[term], 0) {
				return true
			}
		}
	case store.Phrase:
		return len(q.Slots) > 0 && b.in(q.Scope, b.starts(q.Slots), q.Slots[len(q.Slots)-1].At)
	}
	return false
}

// in reports whether something of a length that begins at one of some positions is in a part of the text.
func (b Bag) in(scope store.Scope, starts []uint32, length uint32) bool {
	return slices.ContainsFunc(starts, func(at uint32) bool { return scope.Contains(b[postings.BoundsTerm], at+length) })
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
