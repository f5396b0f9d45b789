package weaviate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/store"
)

// Near returns the k chunks whose vectors are nearest to v. The server's graph (HNSW)
// may miss some: exact is true only if there are no vectors to search.
func (x *Index) Near(ctx context.Context, v []float32, f store.Filter, k int) (hits []store.Hit, exact bool, err error) {
	hits = []store.Hit{}
	model, dim := x.vectors()
	filter, err := whereOf(f)
	switch {
	case err != nil:
		return nil, false, err
	case ctx.Err() != nil:
		return nil, false, context.Cause(ctx)
	case model == "" || k <= 0:
		return hits, true, nil
	case len(v) != dim:
		return nil, false, newError(Invariant, "search", "the query has a vector of dimension %d, the model %s has dimension %d", len(v), model, dim)
	}
	if err := x.Check(ctx); err != nil {
		return nil, false, err
	}
	if some, err := x.comparable(); err != nil || !some {
		return hits, true, err
	}
	vector, err := json.Marshal(v)
	if err != nil {
		return nil, false, newError(Invalid, "search", "the vector of the query has NaN or infinite components")
	}
	x.storing.RLock()
	defer x.storing.RUnlock()
	// There may be vectors of a previous model while those of a new one are put.
	ours := on(propModel, filters.Equal).WithValueText(printable(model))
	filter = join(filters.And, ours, filter)
	arguments := fmt.Sprintf("%snearVector:{vector:%s targetVectors:[%q]} limit:%d", argument(filter), vector, vectorName, min(k, maxResults))
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
		return hits, true, x.otherModel(ctx, model)
	}
	slices.SortStableFunc(hits, compareHits)
	return hits, false, nil
}

// comparable reports whether there are vectors. It fails with Invariant if they have
// another dimension than ours.
func (x *Index) comparable() (bool, error) {
	x.checking.Lock()
	defer x.checking.Unlock()
	have := x.storedDim()
	if have != 0 && have != x.dim {
		return false, x.otherDim(have)
	}
	return have != 0, nil
}

// otherModel fails with Invariant if there are vectors, and none is of the model.
func (x *Index) otherModel(ctx context.Context, model string) error {
	look := func(name string, w where) string { return x.get(name, argument(w)+"limit:1", propModel) }
	found, err := x.query(ctx, "search", "{Get{"+
		look("ours", on(propModel, filters.Equal).WithValueText(printable(model)))+" "+
		look("any", on(propModel, filters.Like).WithValueText("*"))+"}}")
	if err != nil {
		return err
	}
	if any := found["Get"]["any"]; len(any) > 0 && len(found["Get"]["ours"]) == 0 {
		return newError(Invariant, "search", "the class %s has vectors of the model %s, the corpus has vectors of %s", x.class, any[0].text(propModel), model)
	}
	return nil
}
