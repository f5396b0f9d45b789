package store

import (
	"runtime"
	"sync/atomic"

	"github.com/sourcegraph/conc/pool"

	"biomcp/store/rows"
)

// maxSharing is how many connections share the work of a search.
const maxSharing = 4

// share calls f with each number below parts: on the connection of the search and, where
// there are several parts, at the same time on others that are free and read the same.
func (n *near) share(parts int, f func(r *rows.Conn, part int) error) error {
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
			_ = n.s.db.TryRead(n.ctx, "search by meaning", func(r *rows.Conn) error { // without it the search takes longer
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

// sameIn reports whether r reads what the search reads.
func (n *near) sameIn(r *rows.Conn) bool {
	ix, err := n.s.words.Load(r)
	if err != nil || ix.Generation != n.ix.Generation {
		return false
	}
	m, err := n.s.modelOf(r, n.model.ID) // not one that is being removed
	return err == nil && m == n.model
}
