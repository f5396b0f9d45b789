package weaviate

import (
	"math"
	"slices"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/rag"
	"biomcp/store"
)

// plain returns a query with its terms in the form that the server stores.
func plain(q store.Query) store.Query {
	switch q := q.(type) {
	case store.Term:
		return store.Term{Text: plainTerm(q.Text), Weight: q.Weight}
	case store.Prefix:
		return store.Prefix{Text: plainTerm(q.Text), Weight: q.Weight}
	case store.Phrase:
		slots := make([]store.Slot, len(q.Slots))
		for i, s := range q.Slots {
			slots[i].At = s.At
			for _, term := range s.Terms {
				slots[i].Terms = append(slots[i].Terms, plainTerm(term))
			}
		}
		return store.Phrase{Slots: slots, Weight: q.Weight}
	case store.Not:
		return store.Not{Query: plain(q.Query)}
	case store.Documents:
		return store.Documents{Query: plain(q.Query)}
	case store.And:
		return store.And(plainAll(q))
	case store.Or:
		return store.Or(plainAll(q))
	}
	return q
}

func plainAll(parts []store.Query) []store.Query {
	all := make([]store.Query, len(parts))
	for i, p := range parts {
		all[i] = plain(p)
	}
	return all
}

// leaves holds the parts of a query that contribute to a score.
type leaves struct {
	terms    []store.Term // includes the terms of phrases
	prefixes []store.Prefix
}

func (l *leaves) add(q store.Query) {
	switch q := q.(type) {
	case store.Term:
		l.terms = append(l.terms, q)
	case store.Prefix:
		l.prefixes = append(l.prefixes, q)
	case store.Phrase:
		for _, slot := range q.Slots {
			for _, term := range slot.Terms {
				l.terms = append(l.terms, store.Term{Text: term, Weight: q.Weight})
			}
		}
	case store.And:
		for _, part := range q {
			l.add(part)
		}
	case store.Or:
		for _, part := range q {
			l.add(part)
		}
	}
}

// anyWord reports whether q consists only of alternative terms.
func anyWord(q store.Query) bool {
	switch q := q.(type) {
	case store.Term:
		return true
	case store.Or:
		return !slices.ContainsFunc(q, func(part store.Query) bool { return !anyWord(part) })
	}
	return false
}

// hasLeaf reports whether every chunk that matches q contains one of its leaves.
func hasLeaf(q store.Query) bool {
	switch q := q.(type) {
	case store.Term, store.Prefix, store.Phrase:
		return true
	case store.And:
		return slices.ContainsFunc(q, hasLeaf)
	case store.Or:
		return !slices.ContainsFunc(q, func(part store.Query) bool { return !hasLeaf(part) })
	}
	return false
}

// flat reports whether the server can score q: exactly the matches pass superset, and their
// score is the sum over all terms of q in a chunk.
func flat(q store.Query) bool { return exact(q, false) && additive(q) }

// exact reports whether only matches pass superset.
func exact(q store.Query, not bool) bool {
	inexact := func(part store.Query) bool { return !exact(part, not) }
	switch q := q.(type) {
	case store.Term:
		return true
	case store.Prefix, store.All:
		return !not
	case store.Not:
		return exact(q.Query, !not)
	case store.And:
		return (len(q) > 0 || !not) && !slices.ContainsFunc(q, inexact)
	case store.Or:
		return (len(q) > 0 || not) && !slices.ContainsFunc(q, inexact)
	}
	return false
}

// additive reports whether every term of q in a chunk adds to its score. A term of an And
// within an Or adds nothing if the others are absent.
func additive(q store.Query) bool {
	and, ok := q.(store.And)
	if !ok {
		return sumOfTerms(q)
	}
	return !slices.ContainsFunc(and, func(part store.Query) bool { return !additive(part) })
}

func sumOfTerms(q store.Query) bool {
	switch q := q.(type) {
	case store.Term:
		return repetitions(q.Weight) > 0
	case store.All, store.Not:
		return true
	case store.Or:
		return !slices.ContainsFunc(q, func(part store.Query) bool { return !sumOfTerms(part) })
	}
	return false
}

// repetitions returns how often to repeat a term in a query to give it a weight, or zero if
// repetition cannot express the weight.
func repetitions(weight float64) int {
	switch {
	case weight == 0:
		return 1
	case weight != math.Trunc(weight) || weight < 1 || weight > 20:
		return 0
	}
	return int(weight)
}

// matchesNothing reports whether q cannot match any chunk.
func matchesNothing(q store.Query) bool {
	switch q := q.(type) {
	case store.Or:
		return !slices.ContainsFunc(q, func(part store.Query) bool { return !matchesNothing(part) })
	case store.And:
		return slices.ContainsFunc(q, matchesNothing)
	case store.Phrase:
		return len(q.Slots) == 0
	case store.Documents:
		return matchesNothing(q.Query)
	}
	return false
}

// superset returns a condition that holds for all chunks that match q, or with not for all that
// do not match, and for as few others as possible. It is inexact because the server has no
// positions for phrases, no condition for the absence of a prefix, and no condition on the other
// chunks of a document. Nil always holds.
func superset(q store.Query, not bool) clause {
	switch q := q.(type) {
	case store.Term:
		if not {
			return newClause(propTerms, filters.NotEqual).WithValueText(q.Text)
		}
		return newClause(propTerms, filters.Equal).WithValueText(q.Text)
	case store.Prefix:
		if !not {
			return newClause(propTerms, filters.Like).WithValueText(q.Text + "*")
		}
	case store.Phrase:
		if !not {
			var slots []clause
			for _, s := range q.Slots {
				slots = append(slots, newClause(propTerms, filters.ContainsAny).WithValueText(s.Terms...))
			}
			return join(filters.And, slots...)
		}
	case store.Not:
		return superset(q.Query, !not)
	case store.And:
		return supersets(q, not, filters.And, filters.Or)
	case store.Or:
		return supersets(q, not, filters.Or, filters.And)
	}
	return nil
}

func supersets(parts []store.Query, not bool, positive, negative filters.WhereOperator) clause {
	var all []clause
	for _, p := range parts {
		all = append(all, superset(p, not))
	}
	if not {
		return join(negative, all...)
	}
	return join(positive, all...)
}

// hasPhrase reports whether q contains a phrase, which requires positions.
func hasPhrase(q store.Query) bool {
	return rag.HasPart(q, func(part store.Query) bool { _, is := part.(store.Phrase); return is })
}

// hasDocuments reports whether q contains a condition on documents.
func hasDocuments(q store.Query) bool {
	return rag.HasPart(q, func(part store.Query) bool { _, is := part.(store.Documents); return is })
}
