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

// Open opens a file in an SQLite mode (https://www.sqlite.org/uri.html#urimode). The driver runs
// the pragmas on each connection, busy_timeout first and the rest sorted by name.
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
	// mode=ro requires the file: form, and url.URL escapes '?', '#' and '%' in folder names.
	return sql.Open("sqlite", (&url.URL{Scheme: "file", Path: p, RawQuery: q.Encode()}).String())
}

// Establish sets the permanent properties of a new file: its application ID, page size, incremental
// vacuum and write-ahead journal. SQLite fails with "busy" at once, without waiting, while another
// process does the same, so Establish retries. It leaves an existing file unchanged except for the
// journal mode, because setting auto_vacuum writes.
func (f FileType) Establish(ctx context.Context, db *sql.DB, pageSize int) error {
	steps := func() error {
		var pages int
		var mode string
		if err := db.QueryRowContext(ctx, "PRAGMA page_count").Scan(&pages); err != nil {
			return err
		}
		if pages == 0 {
			// One transaction, so that no file lacks its application ID.
			const properties = "PRAGMA page_size=%d; BEGIN; PRAGMA auto_vacuum=INCREMENTAL; PRAGMA application_id=%d; COMMIT"
			_, err := db.ExecContext(ctx, fmt.Sprintf(properties, pageSize, f))
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

// InTx runs f in one write transaction. It begins the transaction with a write lock, so that two
// processes cannot both read and then both fail to write. It waits up to wait for another process
// to finish writing. It returns errors of SQLite and f unchanged.
func InTx(ctx context.Context, db *sql.DB, wait time.Duration, f func(*sql.Conn) error) error {
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return InTxOf(ctx, conn, wait, func() error { return f(conn) })
}

// InTxOf is like InTx, on a connection that the caller has.
func InTxOf(ctx context.Context, conn *sql.Conn, wait time.Duration, f func() error) error {
	// SQLite ignores ctx while it waits for another writer, so it waits briefly and often.
	for began := time.Now(); ; {
		_, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE")
		if err == nil {
			break
		}
		if !IsBusy(err) || time.Since(began) >= wait || ctx.Err() != nil {
			return err
		}
	}
	err := f()
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}
