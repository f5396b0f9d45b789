package disk

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"time"
)

// Layout is what a Database is.
type Layout struct {
	ID     uint32 // the application id in its header
	What   string // in messages: "local tables"
	Schema string // run once in a new file
}

// Database is an SQLite file of a Layout. Several processes may have it open; one at a
// time writes, and readers see what was there when they began.
type Database struct {
	layout Layout
	db     *sql.DB
	mode   string
}

// databaseWait is how long a writer waits for another, who may be storing a large table.
const databaseWait = 5 * time.Minute

// OpenDatabase opens the file to be read only or, where it need not be there, to be
// written. The error is of kind NotFound if there is nothing to read.
func OpenDatabase(ctx context.Context, path string, l Layout, readOnly bool) (*Database, error) {
	op := "open " + l.What
	if _, err := os.Stat(path); readOnly && err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, NewError(NotFound, op, "there are none yet")
		}
		return nil, Wrap(ctx, op, err)
	}
	if err := FileType(l.ID).Check(ctx, op, path); err != nil {
		return nil, err
	}
	if readOnly {
		d, err := l.open(ctx, path, "ro")
		if IsStill(path, err) {
			d, err = l.open(ctx, path, "ro&immutable=1")
		}
		return d, Wrap(ctx, op, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, Wrap(ctx, op, err)
	}
	d, err := l.open(ctx, path, "rwc")
	return d, Wrap(ctx, op, err)
}

func (l Layout) open(ctx context.Context, path, mode string) (*Database, error) {
	name, err := DSN(path, mode, "busy_timeout(250)", "synchronous(FULL)", "cache_size(-16384)", "journal_size_limit(67108864)", "temp_store(MEMORY)")
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return nil, err
	}
	d := &Database{layout: l, db: db, mode: mode}
	if mode == "rwc" {
		db.SetMaxOpenConns(1) // what establish sets belongs to one connection
		err = d.establish(ctx)
	} else {
		var version int
		if err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err == nil {
			err = l.known(version)
		}
	}
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return d, nil
}

func (d *Database) establish(ctx context.Context) error {
	if err := FileType(d.layout.ID).Establish(ctx, d.db, 4096); err != nil {
		return err
	}
	return d.Write(ctx, "open "+d.layout.What, func(tx *sql.Conn) error {
		var version int
		if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
			return err
		}
		if version == 0 {
			_, err := tx.ExecContext(ctx, d.layout.Schema+"; PRAGMA user_version=1")
			return err
		}
		return d.layout.known(version)
	})
}

func (l Layout) known(version int) error {
	if version > 1 {
		return NewError(OtherLayout, "open "+l.What, "they have layout %d, and this program knows layout 1: update biomcp, or sync them into another data folder", version)
	}
	if version == 0 {
		return NewError(NotFound, "open "+l.What, "there are none yet")
	}
	return nil
}

// Write runs f in one write transaction, which is stored for good when Write returns
// nil, and undone otherwise. An error that is not of SQLite is returned unchanged.
func (d *Database) Write(ctx context.Context, op string, f func(tx *sql.Conn) error) error {
	if d.mode != "rwc" {
		return NewError(ReadOnly, op, "the %s were opened to be read only", d.layout.What)
	}
	return ours(ctx, op, InTx(ctx, d.db, databaseWait, f))
}

// ours wraps an error of SQLite, and returns another one unchanged.
func ours(ctx context.Context, op string, err error) error {
	if code(err) == 0 && ctx.Err() == nil {
		return err
	}
	return Wrap(ctx, op, err)
}

// Read runs f in one read transaction: all that it reads is of the same time. It
// returns errors as Write does.
func (d *Database) Read(ctx context.Context, op string, f func(tx *sql.Tx) error) error {
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Wrap(ctx, op, err)
	}
	defer tx.Rollback()
	return ours(ctx, op, f(tx))
}

// Shrink gives the space of what was removed back to the disk, as far as nobody is
// reading.
func (d *Database) Shrink(ctx context.Context) {
	for _, pragma := range []string{"incremental_vacuum", "wal_checkpoint(TRUNCATE)"} {
		if rows, err := d.db.QueryContext(ctx, "PRAGMA "+pragma); err == nil {
			for rows.Next() { // a page is freed for each row
			}
			_, _ = rows.Err(), rows.Close() // the space is given back the next time
		}
	}
}

// Close releases the file.
func (d *Database) Close() error { return d.db.Close() }
