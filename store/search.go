package store

import (
	"context"

	"biomcp/store/wordindex"
)

// Aliases of the query, filter and hit types of package wordindex.
type (
	Query     = wordindex.Query
	Term      = wordindex.Term
	Or        = wordindex.Or
	And       = wordindex.And
	Not       = wordindex.Not
	Phrase    = wordindex.Phrase
	Slot      = wordindex.Slot
	Prefix    = wordindex.Prefix
	All       = wordindex.All
	Filter    = wordindex.Filter
	Documents = wordindex.Documents
	Where     = wordindex.Where
	Scope     = wordindex.Scope
	Hit       = wordindex.Hit
)

// Parts of a chunk in which a term, phrase or prefix must be (wordindex.Scope).
const (
	Anywhere = wordindex.Anywhere
	InTitle  = wordindex.InTitle
	InText   = wordindex.InText
)

// Search returns the k best chunks for q that pass the filter (wordindex.Index.Search).
func (s *Store) Search(ctx context.Context, q Query, f Filter, k int) ([]Hit, error) {
	return s.words.Search(ctx, q, f, k)
}

// List returns the documents that pass the filter, newest first, and their number (wordindex.Index.List).
func (s *Store) List(ctx context.Context, f Filter, offset, limit int) (hits []Hit, total int, err error) {
	return s.words.List(ctx, f, offset, limit)
}

// DocFreq returns the number of chunks that hold each term.
func (s *Store) DocFreq(ctx context.Context, terms ...string) ([]int64, error) {
	return s.words.DocFreq(ctx, terms...)
}

// ChunksWithoutFields returns the number of chunks that an earlier program indexed
// (wordindex.Index.ChunksWithoutFields).
func (s *Store) ChunksWithoutFields(ctx context.Context) (int64, error) {
	return s.words.ChunksWithoutFields(ctx)
}
