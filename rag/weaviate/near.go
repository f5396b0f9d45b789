package weaviate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"biomcp/store"
)

// Near returns the k chunks whose vectors are nearest to v, by the server's graph
// (HNSW), which may overlook some: exact is true only where there is nothing to
// overlook.
func (x *Index) Near(ctx context.Context, v []float32, f store.Filter, k int) (hits []store.Hit, exact bool, err error) {
	hits = []store.Hit{}
	filter, err := whereOf(f)
	switch {
	case err != nil:
		return nil, false, err
	case ctx.Err() != nil:
		return nil, false, context.Cause(ctx)
	case x.model == "" || k <= 0:
		return hits, true, nil
	case len(v) != x.dim:
		return nil, false, newError(Invariant, "search", "the query has a vector of %d numbers, the index is for %d", len(v), x.dim)
	}
	if err := x.Check(ctx); err != nil {
		return nil, false, err
	}
	vector, err := json.Marshal(v)
	if err != nil {
		return nil, false, newError(Invalid, "search", "the query's vector holds something that is no number")
	}
	x.storing.RLock()
	defer x.storing.RUnlock()
	arguments := fmt.Sprintf("%snearVector:{vector:%s targetVectors:[%q]} limit:%d", argument(filter), vector, vectorName, min(k, most))
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
	slices.SortStableFunc(hits, compareHits)
	return hits, false, nil
}
