package store

import (
	"context"
	"maps"
	"runtime"
	"slices"

	"biomcp/store/postings"

	"github.com/sourcegraph/conc/pool"
)

// any finds the best chunks that hold any of the words.
func (e *search) any(words map[string]float64, top *postings.Top) error {
	sorted := slices.Sorted(maps.Keys(words))
	var parts []func(context.Context) error
	for i, v := range e.views {
		var terms []postings.Weighted
		for _, w := range sorted {
			info, err := e.term(w)
			if err != nil {
				return err
			}
			if l := info.lists[i]; l != nil {
				terms = append(terms, postings.Weighted{List: l, Weight: words[w] * e.idf(info.df)})
			}
		}
		if len(terms) == 0 {
			continue
		}
		for from := 0; from < v.Seg.Chunks; from += postings.PartLen {
			parts = append(parts, func(ctx context.Context) error {
				part := *v // a View is of one goroutine
				return postings.Or(ctx, &part, uint32(from), uint32(from+postings.PartLen), terms, e.model, i, top)
			})
		}
	}
	return e.concurrently(parts)
}

// maxSearchers is how many goroutines one search takes at most.
const maxSearchers = 4

// concurrently runs all parts of a search, some at a time.
func (e *search) concurrently(parts []func(context.Context) error) error {
	n := min(maxSearchers, runtime.GOMAXPROCS(0), len(parts))
	if n < 2 {
		for _, part := range parts {
			if err := part(e.ctx); err != nil {
				return err
			}
		}
		return nil
	}
	p := pool.New().WithContext(e.ctx).WithCancelOnError().WithFirstError().WithMaxGoroutines(n)
	for _, part := range parts {
		p.Go(part)
	}
	return p.Wait()
}
