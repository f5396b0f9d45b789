package rag

import (
	"context"
	"time"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// Read reads a query with fields. An entry term in a field of MeSH headings stands for its heading if
// find, which may be nil, knows it. An error of find leaves the names as typed.
func Read(ctx context.Context, a *analyze.Analyzer, text string, find Thesaurus, today time.Time) (Query, error) {
	o := ReadOptions{Today: today}
	q := ReadQuery(a, text, o)
	if find == nil || len(q.headings) == 0 {
		return q, nil
	}
	names, err := find(ctx, q.headings)
	o.Headings = map[string]string{}
	for term, found := range names {
		if found.Kind == Heading && len(found.All) > 0 {
			o.Headings[term] = found.All[0]
		}
	}
	if err != nil || len(o.Headings) == 0 {
		return q, err
	}
	return ReadQuery(a, text, o), nil
}

// Filtered returns a filter that documents pass if they pass f and the conditions of the query.
func (q Query) Filtered(f store.Filter) store.Filter {
	if len(q.Conditions) == 0 {
		return f
	}
	return store.Filter{All: append([]store.Filter{f}, q.Conditions...)}
}

// required returns what every hit of a search must match, or nil if the words are alternatives.
func (q Query) required() store.Query {
	switch {
	case q.Strict:
		return q.Lexical
	case q.Condition != nil:
		return store.Documents{Query: q.Condition}
	}
	return nil
}
