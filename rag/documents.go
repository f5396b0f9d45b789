package rag

import (
	"slices"

	"biomcp/store"
)

// onDocuments converts a query whose operators combine documents to one on passages. A passage
// matches if it has a word that q asks for and its document meets condition, which is nil if every
// such document does.
func onDocuments(q store.Query, strict bool) (lexical, condition store.Query) {
	if !strict || !hasOperator(q) {
		return q, nil
	}
	return askedIn(q), q
}

// withRequired joins a query whose words are alternatives to one that is required of the document.
func withRequired(q store.Query, required store.And) (lexical, condition store.Query) {
	condition = simplify(required)
	words := store.Or{q}
	more := asked(required)
	if _, all := more.(store.All); !all {
		words = append(words, more)
	}
	return store.And{simplify(words), store.Documents{Query: condition}}, condition
}

// askedIn returns a query for the passages with a word that q asks for, in documents that match q.
func askedIn(q store.Query) store.Query {
	switch q.(type) {
	case store.And, store.Not:
		return store.And{asked(q), store.Documents{Query: q}}
	case store.Where:
		return q
	}
	return asked(q)
}

// asked returns a query for the passages with a word that q asks for, if their document is known to
// match q.
func asked(q store.Query) store.Query {
	switch q := q.(type) {
	case store.Not, store.Where:
		return store.All{}
	case store.Or:
		var or store.Or
		for _, part := range q {
			or = append(or, askedIn(part))
		}
		return or
	case store.And:
		var or store.Or
		for _, part := range q {
			switch words := asked(part).(type) {
			case store.All:
			case store.Or:
				or = append(or, words...)
			default:
				or = append(or, words)
			}
		}
		if len(or) == 0 {
			return store.All{}
		}
		return simplify(or)
	}
	return q
}

// hasOperator reports whether q has an And or a Not.
func hasOperator(q store.Query) bool {
	switch q := q.(type) {
	case store.And, store.Not:
		return true
	case store.Or:
		return slices.ContainsFunc(q, hasOperator)
	}
	return false
}
