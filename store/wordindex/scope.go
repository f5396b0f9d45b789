package wordindex

import (
	"context"

	"biomcp/store/postings"
	"biomcp/store/rows"
)

// bounds returns the list of postings.BoundsTerm in each segment, or nil lists for Anywhere.
func (e *search) bounds(scope Scope) ([]*postings.List, error) {
	if scope == Anywhere {
		return make([]*postings.List, len(e.ix.Segments)), nil
	}
	info, err := e.term(postings.BoundsTerm)
	if err != nil {
		return nil, err
	}
	return info.lists, nil
}

// planPrefixIn plans a prefix in a part of a chunk as a phrase of one slot.
func (e *search) planPrefixIn(scope Scope, prefix string, weight float64) (iteratorFunc, error) {
	bounds, err := e.bounds(scope)
	if err != nil {
		return nil, err
	}
	slots := make([]postings.SlotLists, len(e.views))
	for i, v := range e.views {
		if slots[i].Lists, err = v.PrefixLists(e.ctx, []byte(prefix)); err != nil {
			return nil, err
		}
	}
	return func(i int) (postings.Iterator, error) {
		if bounds[i] == nil || len(slots[i].Lists) == 0 {
			return matchNone(i)
		}
		return postings.NewPhraseIn(e.views[i], scope, bounds[i], slots[i:i+1], weight, e.model)
	}, nil
}

// planWhere plans a condition on properties of documents.
func (e *search) planWhere(f Filter) (iteratorFunc, error) {
	compiled, err := f.Compile()
	if err != nil {
		return nil, err
	}
	return func(i int) (postings.Iterator, error) {
		accepted, err := e.ix.Segments[i].acceptedChunks(e.src, compiled)
		if accepted == nil {
			return postings.NewAll(e.views[i]), err
		}
		return postings.NewSet(accepted), err
	}, nil
}

// ChunksWithoutFields returns the number of chunks that an earlier program indexed, without the
// authors, languages, grants and major topics of their documents, and without their parts.
func (x *Index) ChunksWithoutFields(ctx context.Context) (n int64, err error) {
	err = x.db.Read(ctx, "search", func(r *rows.Conn) error {
		e, err := x.begin(ctx, r)
		if err != nil {
			return err
		}
		bounds, err := e.term(postings.BoundsTerm)
		if err == nil {
			n = e.ix.Chunks - bounds.df
		}
		return err
	})
	return n, err
}
