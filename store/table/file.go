package table

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"biomcp/store/disk"
)

// FileName is the file in the data folder.
const FileName = "tables.db"

const fileType disk.FileType = 0x62696f74 // "biot"

// layout is run once in a new file, and makes it one of version 1.
const layout = "CREATE TABLE dataset(name TEXT PRIMARY KEY, info TEXT NOT NULL); PRAGMA user_version=1"

// writeWait is how long a writer waits for another, who may be storing a large table.
const writeWait = 5 * time.Minute

const opening = "open local tables"

func noTables() error { return disk.NewError(disk.NotFound, opening, "there are none yet") }

// Tables is the file of local tables. Several processes may have it open; one at a time
// writes, and readers see what was there when they began.
type Tables struct {
	db       *sql.DB
	readOnly bool
}

// Open opens the local tables of a data folder. To be written they are made where they
// are missing; to be read only, the error is then of kind disk.NotFound.
func Open(ctx context.Context, dir string, readOnly bool) (*Tables, error) {
	path := filepath.Join(dir, FileName)
	if _, err := os.Stat(path); readOnly && errors.Is(err, fs.ErrNotExist) {
		return nil, noTables()
	}
	if err := fileType.Check(ctx, opening, path); err != nil {
		return nil, err
	}
	if readOnly {
		t, err := open(ctx, path, "ro")
		if disk.IsStill(path, err) {
			t, err = open(ctx, path, "ro&immutable=1")
		}
		return t, disk.Wrap(ctx, opening, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, disk.Wrap(ctx, opening, err)
	}
	t, err := open(ctx, path, "rwc")
	return t, disk.Wrap(ctx, opening, err)
}

func open(ctx context.Context, path, mode string) (*Tables, error) {
	db, err := disk.Open(path, mode, "busy_timeout(250)", "synchronous(FULL)", "cache_size(-16384)", "journal_size_limit(67108864)", "temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	t := &Tables{db, mode != "rwc"}
	if t.readOnly {
		var version int
		if version, err = versionOf(ctx, db); err == nil && version == 0 {
			err = noTables()
		}
	} else {
		db.SetMaxOpenConns(1) // what Establish sets belongs to one connection
		if err = fileType.Establish(ctx, db, 4096); err == nil {
			err = t.write(ctx, opening, func(tx *sql.Conn) error {
				version, err := versionOf(ctx, tx)
				if err == nil && version == 0 {
					_, err = tx.ExecContext(ctx, layout)
				}
				return err
			})
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return t, nil
}

// rower is a transaction, to write or to read, or any connection.
type rower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// versionOf is the version of the layout, 0 in a new file. The error is of kind
// disk.OtherLayout if a later program made it.
func versionOf(ctx context.Context, tx rower) (version int, err error) {
	err = tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil && version > 1 {
		err = disk.NewError(disk.OtherLayout, opening, "they have layout %d, and this program knows layout 1: update biomcp, or sync them into another data folder", version)
	}
	return version, err
}

// write runs f in one write transaction, which is stored for good when write returns
// nil, and undone otherwise. An error that is not of SQLite is returned unchanged.
func (t *Tables) write(ctx context.Context, op string, f func(tx *sql.Conn) error) error {
	if t.readOnly {
		return disk.NewError(disk.ReadOnly, op, "the local tables were opened to be read only")
	}
	return disk.WrapSQLite(ctx, op, disk.InTx(ctx, t.db, writeWait, f))
}

// read runs f in one read transaction: all that it reads is of the same time. It
// returns errors as write does.
func (t *Tables) read(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	tx, err := t.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return disk.Wrap(ctx, op, err)
	}
	defer tx.Rollback()
	return disk.WrapSQLite(ctx, op, f(tx))
}

// shrink gives the space of what was removed back to the disk, as far as nobody is
// reading.
func (t *Tables) shrink(ctx context.Context) {
	for _, pragma := range []string{"incremental_vacuum", "wal_checkpoint(TRUNCATE)"} {
		if rows, err := t.db.QueryContext(ctx, "PRAGMA "+pragma); err == nil {
			for rows.Next() { // a page is freed for each row
			}
			_, _ = rows.Err(), rows.Close() // the space is given back the next time
		}
	}
}

// Close releases the file.
func (t *Tables) Close() error { return t.db.Close() }
