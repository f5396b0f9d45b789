package weaviate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/store"
)

// SearchVectors returns the k chunks whose vectors are nearest to values. The server's HNSW graph may
// miss some, so exact is true only if there are no vectors to search.
func (x *Index) SearchVectors(
	ctx context.Context, values []float32, f store.Filter, k int,
) (hits []store.Hit, exact bool, err error) {
	return x.searchVectors(ctx, passage, values, f, k)
}

// searchVectors searches the chunks by vector v, as SearchVectors does.
func (x *Index) searchVectors(
	ctx context.Context, v vector, values []float32, f store.Filter, k int,
) (hits []store.Hit, exact bool, err error) {
	hits = []store.Hit{}
	m := x.modelOf(v)
	filter, err := filterClause(f)
	switch {
	case err != nil:
		return nil, false, err
	case ctx.Err() != nil:
		return nil, false, context.Cause(ctx)
	case m.name == "" || k <= 0:
		return hits, true, nil
	case len(values) != m.dim:
		return nil, false, newError(Invariant, "search",
			"the query has a vector of dimension %d, the model %s has dimension %d", len(values), m.name, m.dim)
	}
	if err := x.Check(ctx); err != nil {
		return nil, false, err
	}
	if some, err := x.hasVectors(v, m); err != nil || !some {
		return hits, true, err
	}
	numbers, err := json.Marshal(values)
	if err != nil {
		return nil, false, newError(Invalid, "search", "the vector of the query has NaN or infinite components")
	}
	x.storing.RLock()
	defer x.storing.RUnlock()
	// While vectors of a new model are put, there may be vectors of an earlier one.
	ours := newClause(v.property(), filters.Equal).WithValueText(printable(m.name))
	filter = join(filters.And, ours, filter)
	arguments := fmt.Sprintf("%snearVector:{vector:%s targetVectors:[%q]} limit:%d",
		argument(filter), numbers, v.String(), min(k, maxResults))
	found, err := x.query(ctx, "search", "{Get{"+x.get("hits", arguments, hitFields+" _additional{distance}")+"}}")
	if err != nil {
		return nil, false, err
	}
	for _, r := range found["Get"]["hits"] {
		if h, ok := r.hit(); ok {
			h.Score = 1 - r.row("_additional").number("distance")
			hits = append(hits, h)
		}
	}
	if len(hits) == 0 {
		return hits, true, x.otherModel(ctx, v, m)
	}
	slices.SortStableFunc(hits, compareHits)
	return hits, false, nil
}

// hasVectors reports whether there are vectors. It returns an error of kind Invariant if they
// have another dimension than those of m.
func (x *Index) hasVectors(v vector, m model) (bool, error) {
	x.checking.Lock()
	defer x.checking.Unlock()
	dim := x.classNote().dim(v)
	if dim != 0 && dim != m.dim {
		return false, x.otherDim(dim, m)
	}
	return dim != 0, nil
}

// otherModel returns an error of kind Invariant if there are vectors, but none of model m.
func (x *Index) otherModel(ctx context.Context, v vector, m model) error {
	look := func(name string, w clause) string { return x.get(name, argument(w)+"limit:1", v.property()) }
	found, err := x.query(ctx, "search", "{Get{"+
		look("ours", newClause(v.property(), filters.Equal).WithValueText(printable(m.name)))+" "+
		look("any", newClause(v.property(), filters.Like).WithValueText("*"))+"}}")
	if err != nil {
		return err
	}
	if any := found["Get"]["any"]; len(any) > 0 && len(found["Get"]["ours"]) == 0 {
		return newError(Invariant, "search", "the class %s has vectors of the model %s, the corpus has vectors of %s",
			x.class, any[0].text(v.property()), m.name)
	}
	return nil
}
