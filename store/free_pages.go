package store

import (
	"context"
	"database/sql"
	"fmt"

	"biomcp/store/disk"
	"biomcp/store/rows"
)

// Unused pages are returned to the disk if they make up at least a fiftieth of the file; otherwise
// later batches use them. Each step writes at most 16 MB.
const (
	unusedShare = 50
	unusedStep  = 2000
)

// Shrink returns unused pages of the file to the disk if there are many: after vectors were removed
// or large index parts merged. It stops early if another process writes; the next call continues.
func (s *Store) Shrink(ctx context.Context) error {
	const op = "shrink corpus"
	if s.o.ReadOnly {
		return disk.NewError(ReadOnly, op, "the corpus was opened read-only")
	}
	return s.db.UseWriter(ctx, func(w *rows.Conn) error { return shrink(ctx, op, w.SQL) })
}

func shrink(ctx context.Context, op string, w *sql.Conn) error {
	count := func(pragma string) (n int64, err error) {
		err = w.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&n)
		return n, err
	}
	for before := int64(-1); ; {
		unused, err := count("freelist_count")
		if err != nil {
			return rows.Wrap(ctx, op, err)
		}
		pages, err := count("page_count")
		switch {
		case err != nil:
			return rows.Wrap(ctx, op, err)
		case before < 0 && (unused < unusedStep || unused*unusedShare < pages):
			return nil
		case unused == 0 || unused == before:
			_, err = w.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
			return ignoreBusy(ctx, op, err)
		}
		before = unused
		if _, err := w.ExecContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", unusedStep)); err != nil {
			return ignoreBusy(ctx, op, err)
		}
	}
}

// ignoreBusy returns err wrapped, or nil if another process holds the lock.
func ignoreBusy(ctx context.Context, op string, err error) error {
	if disk.IsBusy(err) {
		return nil
	}
	return rows.Wrap(ctx, op, err)
}
