package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"biomcp/store/damaged"
)

// Checked is what a check saw: so many parts of the file, of how many.
type Checked struct{ Parts, Of int }

// checkedTables are the tables whose rows are read by a check.
var checkedTables = []damaged.Table{
	documentTable, pageTable, provenanceTable, sourceTable, fileTable,
	{Name: "vector", Key: "id", Columns: "id, data"},
	{Name: "vector_code", Key: "id", Columns: "keys, data"},
}

// Check checks for at most the given time: the structure of the file, that every row can
// be read, and every document, and its journal. What it does not get to is spread over
// the whole file, so that a part that was checked says something of the rest. The error is
// of kind Corrupt if there is damage.
func (s *Store) Check(ctx context.Context, within time.Duration) (c Checked, err error) {
	const op = "check corpus"
	err = s.read(ctx, op, func(r *reader) error {
		// From this row on the reader holds a snapshot, so that nobody moves pages from
		// the journal to the file.
		if _, err := s.loadIndex(r); err != nil {
			return err
		}
		found, err := damaged.Unread(s.path, pageSize)
		if err != nil {
			return err
		}
		k := check{s: s, r: r}
		if err := k.plan(); err != nil {
			return err
		}
		c.Of = 1 + len(k.parts)
		structure, cancel := context.WithTimeout(ctx, within/3)
		n, err := damaged.Findings(structure, r.conn, "quick_check(100)")
		if found += n; err == nil {
			c.Parts++
		}
		cancel()
		timed, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		for i := range k.parts {
			if err = k.read(timed, k.parts[i*spread(len(k.parts))%len(k.parts)]); timed.Err() != nil {
				break
			}
			switch {
			case IsKind(wrap(ctx, op, err), Corrupt):
				found++
			case err != nil:
				return err
			}
			c.Parts++
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if found > 0 {
			return newError(Corrupt, op, "the file is damaged: %d faults were found", found)
		}
		return nil
	})
	return c, err
}

// check is one run of Check.
type check struct {
	s     *Store
	r     *reader
	parts []damaged.Table // each with a range of the keys
}

// plan divides the tables into parts of a few megabytes.
func (k *check) plan() error {
	var pages int64
	if err := k.r.row("PRAGMA page_count", nil, &pages); err != nil {
		return err
	}
	n := min(4096, 1+pages/1000)
	for _, t := range checkedTables {
		var first, last sql.NullInt64
		if err := k.r.row("SELECT min("+t.Key+"), max("+t.Key+") FROM "+t.Name, nil, &first, &last); err != nil {
			return err
		}
		width := (last.Int64-first.Int64)/n + 1
		for at := first.Int64; first.Valid && at <= last.Int64; at += width {
			t.First, t.Last = at, at+width-1
			k.parts = append(k.parts, t)
		}
	}
	return nil
}

// spread is a step that leads through all of n parts, from each far away.
func spread(n int) int {
	step := max(1, n*618/1000)
	for a, b := step, n; b > 0; {
		if a, b = b, a%b; b == 0 && a > 1 {
			step++
			a, b = step, n
		}
	}
	return step
}

// read reads the rows of a part.
func (k *check) read(ctx context.Context, t damaged.Table) error {
	rows, err := k.r.conn.QueryContext(ctx, "SELECT "+t.Columns+" FROM "+t.Name+" WHERE "+t.Key+" BETWEEN ? AND ?", t.First, t.Last)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values := make([]any, len(columns))
	for i := range values {
		values[i] = new(sql.RawBytes)
	}
	for rows.Next() {
		switch t.Name {
		case documentTable.Name:
			var row stored
			var st State
			if err = row.scan(&st, rows.Scan); err == nil && row.body != nil {
				_, err = k.s.whole(k.r, row, st)
			}
		case pageTable.Name:
			var sound bool
			if sound, err = pageSound(rows.Scan); err == nil && !sound {
				err = errBody
			}
		default:
			err = rows.Scan(values...)
		}
		if err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), ctx.Err())
}
