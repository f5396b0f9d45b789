package disk

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"
)

// Open opens a file in a mode of SQLite (https://www.sqlite.org/uri.html#urimode). The
// driver runs the pragmas for each connection, busy_timeout first, the rest by name.
func Open(path, mode string, pragmas ...string) (*sql.DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	q, err := url.ParseQuery("mode=" + mode)
	if err != nil {
		return nil, err
	}
	for _, pragma := range pragmas {
		q.Add("_pragma", pragma)
	}
	// The file: form is needed for mode=ro, and url.URL escapes the '?', '#' and '%' a
	// folder name may hold.
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: p, RawQuery: q.Encode()}).String())
}

// Establish makes a new file what it is to be for good: its application id, its page
// size, giving space back, a write-ahead journal. SQLite answers "busy" at once, without waiting, while
// another process is doing the same; and setting auto_vacuum writes, so an existing
// file is left alone.
func (f FileType) Establish(ctx context.Context, db *sql.DB, pageSize int) error {
	steps := func() error {
		var pages int
		var mode string
		if err := db.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
			return err
		}
		if pages == 0 {
			// In one transaction, so that no file is without its application id.
			_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA page_size=%d; BEGIN; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA application_id=%d; COMMIT", pageSize, f))
			if err != nil {
				db.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
				return err
			}
		}
		return db.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode)
	}
	for attempt := 0; ; attempt++ {
		err := steps()
		if !IsBusy(err) || attempt == 200 || ctx.Err() != nil {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// InTx runs f in one write transaction, taken at once so that two processes
// never both read and then both find that they cannot write. It waits for that
// long for another process to finish writing. It returns errors of SQLite and of f as they are.
func InTx(ctx context.Context, db *sql.DB, wait time.Duration, f func(*sql.Conn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	// SQLite waits for another writer without looking at ctx: so it waits a little,
	// often.
	for began := time.Now(); ; {
		_, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE")
		if err == nil {
			break
		}
		if !IsBusy(err) || time.Since(began) >= wait || ctx.Err() != nil {
			return err
		}
	}
	if err = f(conn); err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}
