package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// fileType is what a database of ours is recognised by: the application id in its
// header (https://www.sqlite.org/fileformat.html#application_id), or, in a file of
// a program older than that, its tables.
type fileType struct {
	id     uint32
	tables string // a query that counts those of ours
	count  int    // how many a file of an older program has
}

var (
	corpusFile = fileType{0x62696f63, "SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN ('document','provenance','checkpoint','job_slice','dictionary')", 5} // "bioc"
	cacheFile  = fileType{0x62696f72, "SELECT count(*) FROM pragma_table_info('reply') WHERE name IN ('key','source','stored','expires','body')", 5}                          // "bior"
)

// check refuses a file that holds something else: Corrupt where it is no SQLite
// file (SQLite takes one of a few bytes for an empty database and would write over
// it), Foreign where it is a database of another program. It writes nothing, makes
// no journal, and does not open a file of ours with SQLite at all.
func (f fileType) check(ctx context.Context, op, path string) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wrap(ctx, op, err)
	}
	defer file.Close()
	const magic, idAt = "SQLite format 3\x00", 68
	head := make([]byte, 100)
	n, err := io.ReadFull(file, head)
	switch {
	case n == 0:
		return nil
	case err != nil || string(head[:len(magic)]) != magic:
		return newError(Corrupt, op, "the file is not a biomcp database")
	case binary.BigEndian.Uint32(head[idAt:]) == f.id:
		return nil
	case binary.BigEndian.Uint32(head[idAt:]) != 0:
		return newError(Foreign, op, "the file is a database of another program and was left as it is: move it elsewhere, or set another folder")
	}
	tables, ours, err := f.look(ctx, path)
	if wal, statErr := os.Stat(path + "-wal"); err == nil && tables == 0 && statErr == nil && wal.Size() > 0 {
		tables, ours, err = f.lookAtCopy(ctx, path) // all it holds may be in its journal yet
	}
	if err == nil && tables > 0 && ours != f.count {
		err = newError(Foreign, op, "the file is a database of another program and was left as it is: move it elsewhere, or set another folder")
	}
	return wrap(ctx, op, err)
}

// look counts the tables of a file, and those of ours, without its journal.
func (f fileType) look(ctx context.Context, path string) (tables, ours int, err error) {
	name, err := dsn(path, "ro&immutable=1")
	if err != nil {
		return 0, 0, err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	if err = db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables); err == nil {
		err = db.QueryRowContext(ctx, f.tables).Scan(&ours)
	}
	return tables, ours, err
}

// lookAtCopy is look on a copy of a file and its journal, which are put together
// there.
func (f fileType) lookAtCopy(ctx context.Context, path string) (tables, ours int, err error) {
	dir, err := os.MkdirTemp("", "biomcp-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(dir)
	there := filepath.Join(dir, "copy.db")
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(there+suffix, path+suffix); err != nil {
			return 0, 0, err
		}
	}
	name, err := dsn(there, "rw")
	if err != nil {
		return 0, 0, err
	}
	db, err := sql.Open("sqlite", name)
	if err != nil {
		return 0, 0, err
	}
	_, err = db.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	if err = errors.Join(err, db.Close()); err != nil {
		return 0, 0, err
	}
	return f.look(ctx, there)
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// stamp writes the application id into a file of an older program.
func (f fileType) stamp(ctx context.Context, db *sql.DB, wait time.Duration, op string) error {
	var id uint32
	if err := db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil || id == f.id {
		return err
	}
	return inTx(ctx, db, wait, op, func(tx *sql.Conn) error {
		_, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id=%d", f.id))
		return err
	})
}
