package rag

import (
	"cmp"
	"context"
	"time"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// ReadOptions holds what reading a query with fields needs beside its text.
type ReadOptions struct {
	Today    time.Time
	Headings map[string]string // headings by the name as typed
	Authors  map[string]string // authors as a filter takes them, by the name as typed
}

// A reader is the part of a parser that reads values of fields.
type reader struct {
	options  ReadOptions
	headings []string // names of MeSH headings, as typed
	authors  []string // names that authors may have, as typed
}

// Read reads a query with fields. An entry term in a field of MeSH headings stands for its heading if
// headings knows it, and several words before a tag of authors are a name if authors knows it. Both may be nil.
// An error of either leaves the names as typed.
func Read(
	ctx context.Context, a *analyze.Analyzer, text string, headings Headings, authors Authors, today time.Time,
) (Query, error) {
	o := ReadOptions{Today: today}
	q := ReadQuery(a, text, o)
	var errNames, errAuthors error
	if headings != nil && len(q.headings) > 0 {
		o.Headings, errNames = headings(ctx, q.headings)
	}
	if authors != nil && len(q.authors) > 0 {
		o.Authors, errAuthors = authors(ctx, q.authors)
	}
	if len(o.Headings) > 0 || len(o.Authors) > 0 {
		q = ReadQuery(a, text, o)
	}
	return q, cmp.Or(errNames, errAuthors)
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
