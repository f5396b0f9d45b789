package store

import (
	"context"
	"fmt"

	"biomcp/store/disk"
	"biomcp/store/rows"
)

// Unused pages of the file are given back where they are a fiftieth of it or more; the
// next batches use fewer. Each step writes 16 MB at most.
const (
	unusedShare = 50
	unusedStep  = 2000
)

// Shrink gives unused pages of the file back to the disk where there are many: after
// vectors were removed, or large parts of the index merged. Another process that writes
// ends it early, and the rest is given back the next time.
func (s *Store) Shrink(ctx context.Context) error {
	const op = "shrink corpus"
	if s.o.ReadOnly {
		return disk.NewError(ReadOnly, op, "the corpus was opened to be read only")
	}
	count := func(what string) (n int64, err error) {
		err = s.db.Writer.QueryRowContext(ctx, "PRAGMA "+what).Scan(&n)
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
			_, err = s.db.Writer.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
			return yielding(ctx, op, err)
		}
		before = unused
		if _, err := s.db.Writer.ExecContext(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", unusedStep)); err != nil {
			return yielding(ctx, op, err)
		}
	}
}

// yielding is the error of a step that gives way to other processes.
func yielding(ctx context.Context, op string, err error) error {
	if disk.IsBusy(err) {
		return nil
	}
	return rows.Wrap(ctx, op, err)
}
