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

// FileName is the name of the file in the data folder.
const FileName = "tables.db"

const fileType disk.FileType = 0x62696f74 // "biot"

// layout creates layout version 1 in a new file.
const layout = "CREATE TABLE dataset(name TEXT PRIMARY KEY, info TEXT NOT NULL); PRAGMA user_version=1"

// writeWait is the maximum wait for another writer, which may be storing a large table.
const writeWait = 5 * time.Minute

const opening = "open local tables"

func noTables() error { return disk.NewError(disk.NotFound, opening, "there are no local tables yet") }

// Tables is an open file of local tables. Several processes may have it open. One at a time writes;
// each reader sees the state at which its transaction began.
type Tables struct {
	db       *sql.DB
	readOnly bool
}

// Open opens the local tables of a data folder. If the file is missing it is created, or, if
// readOnly is set, Open returns an error of kind disk.NotFound.
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
		if disk.CanOpenImmutable(path, err) {
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
	db, err := disk.Open(path, mode, "busy_timeout(250)", "synchronous(FULL)", "cache_size(-16384)",
		"journal_size_limit(67108864)", "temp_store(MEMORY)")
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
		db.SetMaxOpenConns(1) // Establish configures a single connection
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

// queryRower is a transaction or a connection.
type queryRower interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// versionOf returns the layout version, or 0 for a new file. The error is of kind disk.OtherLayout
// if a newer version of the program wrote the file.
func versionOf(ctx context.Context, tx queryRower) (version int, err error) {
	err = tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	if err == nil && version > 1 {
		err = disk.NewError(disk.OtherLayout, opening,
			"the tables have layout %d, and this program knows layout 1: "+
				"update biomcp, or sync them into another data folder", version)
	}
	return version, err
}

// write runs f in one write transaction. If f fails, the transaction is rolled back. An error that
// is not from SQLite is returned unchanged.
func (t *Tables) write(ctx context.Context, op string, f func(tx *sql.Conn) error) error {
	if t.readOnly {
		return disk.NewError(disk.ReadOnly, op, "the local tables were opened read-only")
	}
	return disk.WrapSQLite(ctx, op, disk.InTx(ctx, t.db, writeWait, f))
}

// read runs f in one read transaction, so that all reads see one snapshot. It returns errors as
// write does.
func (t *Tables) read(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	tx, err := t.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return disk.Wrap(ctx, op, err)
	}
	defer tx.Rollback()
	return disk.WrapSQLite(ctx, op, f(tx))
}

// shrink returns unused space to the disk unless readers prevent it.
func (t *Tables) shrink(ctx context.Context) {
	for _, pragma := range []string{"incremental_vacuum", "wal_checkpoint(TRUNCATE)"} {
		if rows, err := t.db.QueryContext(ctx, "PRAGMA "+pragma); err == nil {
			for rows.Next() { // each row frees a page
			}
			_, _ = rows.Err(), rows.Close() // the next call frees the rest
		}
	}
}

// Close closes the file.
func (t *Tables) Close() error { return t.db.Close() }
