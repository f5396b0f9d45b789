package store

import (
	"runtime"
	"sync/atomic"

	"github.com/sourcegraph/conc/pool"

	"biomcp/store/rows"
)

// maxSharing is the maximum number of connections that share the work of a search.
const maxSharing = 4

// share calls f with each number below parts. It uses the connection of the search and, for several
// parts, also free connections that read the same snapshot, concurrently.
func (n *vectorSearch) share(parts int, f func(r *rows.Conn, part int) error) error {
	var taken atomic.Int64
	take := func(r *rows.Conn) error {
		for part := taken.Add(1) - 1; part < int64(parts); part = taken.Add(1) - 1 {
			if err := n.ctx.Err(); err != nil {
				return err
			}
			if err := f(r, int(part)); err != nil {
				return err
			}
		}
		return nil
	}
	all := pool.New().WithErrors().WithFirstError()
	for range min(maxSharing, runtime.GOMAXPROCS(0), 1+parts/2) - 1 {
		all.Go(func() (failed error) {
			// If no connection is free, the search only takes longer.
			_ = n.s.db.TryRead(n.ctx, "search by meaning", func(r *rows.Conn) error {
				if n.sameIn(r) {
					failed = take(r)
				}
				return nil
			})
			return failed
		})
	}
	all.Go(func() error { return take(n.r) })
	return all.Wait()
}

// sameIn reports whether r reads the same data as the search.
func (n *vectorSearch) sameIn(r *rows.Conn) bool {
	ix, err := n.s.words.Load(r)
	if err != nil || ix.Generation != n.ix.Generation {
		return false
	}
	m, err := n.s.modelOf(r, n.model.ID) // the model may be about to be removed
	return err == nil && m == n.model
}
