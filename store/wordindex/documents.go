package wordindex

import "biomcp/store/postings"

// documentsFunc creates an iterator over the documents of one segment. It is safe for concurrent
// use for several segments.
type documentsFunc = func(segment int) (postings.Documents, error)

// planDocuments plans the part of a Documents query.
func (e *search) planDocuments(q Query) (documentsFunc, error) {
	switch q := q.(type) {
	case Or:
		parts, err := mapErr(q, e.planDocuments)
		return func(i int) (postings.Documents, error) {
			docs, err := iterators(parts, i)
			return postings.NewSomeDocuments(docs), err
		}, err
	case And:
		return e.planCommonDocuments(q)
	case Not:
		return e.planCommonDocuments(And{q})
	case Documents:
		return e.planDocuments(q.Query)
	}
	chunks, err := e.plan(q)
	return func(i int) (postings.Documents, error) {
		it, err := chunks(i)
		if err != nil {
			return nil, err
		}
		return postings.NewAnyChunk(e.views[i], it), nil
	}, err
}

func (e *search) planCommonDocuments(q And) (documentsFunc, error) {
	wanted, unwanted := q.split()
	parts, err := mapErr(wanted, e.planDocuments)
	if err != nil {
		return nil, err
	}
	not, err := mapErr(unwanted, e.planDocuments)
	if err != nil {
		return nil, err
	}
	return func(i int) (postings.Documents, error) {
		docs, err := iterators(parts, i)
		if err != nil {
			return nil, err
		}
		nots, err := iterators(not, i)
		return postings.NewCommonDocuments(e.views[i], docs, nots), err
	}, nil
}

// split returns the parts of an And that must match, and the queries of its Not parts. wanted is
// All if there are only Not parts.
func (q And) split() (wanted, unwanted []Query) {
	for _, part := range q {
		if not, ok := part.(Not); ok {
			unwanted = append(unwanted, not.Query)
		} else {
			wanted = append(wanted, part)
		}
	}
	if len(wanted) == 0 {
		wanted = []Query{All{}}
	}
	return wanted, unwanted
}
