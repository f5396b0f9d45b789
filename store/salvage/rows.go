package salvage

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// Table describes the rows to read of a table. Key is an integer column with values from First to
// Last: the rowid, or the first column of the primary key of a table without rowid.
type Table struct {
	Name, Key, Columns string
	First, Last        int64
	IntactWhere        string // SQL condition that a row is undamaged; "" for none
}

var errDamagedRow = errors.New("a row is damaged")

// Each calls f with every readable row of a table, in no particular order. A row of a table without
// rowid may occur twice. f scans the row. Each stops only if f fails or ctx ends. It returns the
// number of rows and key ranges that could not be read or are damaged.
func (f *File) Each(ctx context.Context, t Table, rowFunc func(scan func(...any) error) error) (unread int, err error) {
	query := fmt.Sprintf("SELECT %[1]s, %[2]s, %[3]s FROM %[4]s WHERE %[1]s BETWEEN ? AND ? ORDER BY %[1]s",
		t.Key, cmp.Or(t.IntactWhere, "1"), t.Columns, t.Name)
	r := ranges{ctx: ctx, rowFunc: rowFunc}
	for _, order := range []struct {
		stmt  **sql.Stmt
		query string
	}{{&r.up, query}, {&r.down, query + " DESC"}} {
		if *order.stmt, err = f.db.PrepareContext(ctx, order.query); err != nil {
			if ctx.Err() != nil {
				return 0, context.Cause(ctx)
			}
			return 1, nil // the table definitions cannot be read
		}
		defer (*order.stmt).Close()
	}
	r.readAll(t.First, t.Last)
	return r.unread, r.failed
}

// ranges reads ranges of keys.
type ranges struct {
	ctx      context.Context
	up, down *sql.Stmt
	rowFunc  func(scan func(...any) error) error
	failed   error // error of each or ctx
	unread   int   // number of unreadable rows and ranges
}

// scan reads the rows of a range in one direction until it meets an unreadable one. It returns the
// last key it read, or none, and whether it read the whole range.
func (r *ranges) scan(s *sql.Stmt, from, to, noKey int64) (last int64, whole bool) {
	last = noKey
	rows, err := s.QueryContext(r.ctx, from, to)
	if err == nil {
		for rows.Next() {
			var key int64
			var sound sql.NullBool
			var other error // the row has values of unexpected types, or is damaged
			err := r.rowFunc(func(dest ...any) error {
				if other = rows.Scan(append([]any{&key, &sound}, dest...)...); other == nil && !sound.Bool {
					other = errDamagedRow
				}
				return other
			})
			if key >= from && key <= to {
				last = key
			}
			if other != nil {
				r.unread++
			} else if err != nil {
				r.failed = err
				break
			}
		}
		err = rows.Err()
		rows.Close()
	}
	if r.failed == nil && r.ctx.Err() != nil {
		r.failed = context.Cause(r.ctx)
	}
	return last, err == nil && r.failed == nil
}

// readAll reads a range that may span billions of keys. After an unreadable row it tries every nearby
// key, and farther away steps of 1/256 of the distance.
func (r *ranges) readAll(from, to int64) {
	for from <= to && r.failed == nil {
		last, whole := r.scan(r.up, from, to, from-1)
		if whole || r.failed != nil {
			return
		}
		from = last + 1
		r.unread++
		for size, found := int64(1), false; !found && from <= to && r.failed == nil; size *= 2 {
			end := min(from+size-1, to)
			found = r.readAround(from, end, max(1, size>>8))
			from = end + 1
		}
	}
}

// readAround reads the readable parts of a range, down to parts of size step. It reports whether it
// could read anything.
func (r *ranges) readAround(from, to, step int64) (found bool) {
	last, whole := r.scan(r.up, from, to, from-1)
	if found = last >= from; whole || r.failed != nil {
		return found || r.failed != nil
	}
	if from = last + 1; from > to {
		return found
	}
	if to-from < step {
		first, _ := r.scan(r.down, from, to, to+1)
		return found || first <= to
	}
	middle := from + (to-from)/2
	low := r.readAround(from, middle, step)
	return r.readAround(middle+1, to, step) || low || found
}
