package rows

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// Conn is a connection with its prepared statements. Statements run without a context: each is
// short, and watching a context costs more than the statement. Loops over many statements must
// check their context.
type Conn struct {
	SQL   *sql.Conn
	stmts map[string]stmt
	uses  int        // uses after the first
	mu    sync.Mutex // held by Blobs.Read

	changes bool // a statement may change a table that is stored twice
}

// newConn returns a Conn on a connection, which the caller closes after the Conn.
func newConn(conn *sql.Conn) *Conn { return &Conn{SQL: conn, stmts: map[string]stmt{}} }

// stmt is a prepared statement.
type stmt struct {
	*sql.Stmt
	changes bool // it may change a table that is stored twice
}

func (r *Conn) stmt(query string) (stmt, error) {
	s, known := r.stmts[query]
	if !known {
		var err error
		if s.Stmt, err = r.SQL.PrepareContext(context.Background(), query); err != nil {
			return s, err
		}
		s.changes = changesCopied(query)
		r.stmts[query] = s
	}
	r.changes = r.changes || s.changes
	return s, nil
}

// Close closes the statements but not the connection. An open statement would keep SQLite from
// closing the file and removing its journal.
func (r *Conn) Close() {
	for _, s := range r.stmts {
		s.Close()
	}
}

// closeAll closes the statements and returns the connection to the driver.
func (r *Conn) closeAll() {
	r.Close()
	r.SQL.Close()
}

// Row scans the first row of a query. If there is no row, it leaves the destinations unchanged.
func (r *Conn) Row(query string, args []any, dest ...any) error {
	_, err := r.RowFound(query, args, dest...)
	return err
}

// RowFound is like Row and reports whether there was a row.
func (r *Conn) RowFound(query string, args []any, dest ...any) (bool, error) {
	s, err := r.stmt(query)
	if err != nil {
		return false, err
	}
	err = s.QueryRow(args...).Scan(dest...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Each runs f on every row of a query; f scans it.
func (r *Conn) Each(query string, args []any, f func(scan func(...any) error) error) error {
	s, err := r.stmt(query)
	if err != nil {
		return err
	}
	rows, err := s.Query(args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// List returns the rows of a query. into returns the destinations of the columns.
func List[T any](r *Conn, query string, args []any, dest func(*T) []any) (list []T, err error) {
	err = r.Each(query, args, func(scan func(...any) error) error {
		var row T
		err := scan(dest(&row)...)
		list = append(list, row)
		return err
	})
	return list, err
}

// Exec runs a statement that returns no rows.
func (r *Conn) Exec(query string, args ...any) error {
	s, err := r.stmt(query)
	if err == nil {
		_, err = s.Exec(args...)
	}
	return err
}

// Insert is like Exec and returns the ID of the new row.
func (r *Conn) Insert(query string, args ...any) (id int64, err error) {
	if err = r.Exec(query, args...); err == nil {
		err = r.Row("SELECT last_insert_rowid()", nil, &id)
	}
	return id, err
}

// Meta scans a value of the table meta. It leaves value unchanged if there is none.
func (r *Conn) Meta(key string, value any) error {
	_, err := r.CopiedRow("meta", "value", key, value)
	return err
}

// SetMeta stores a value in the table meta.
func (r *Conn) SetMeta(key string, value any) error {
	return r.Exec("INSERT OR REPLACE INTO meta VALUES(?,?)", key, value)
}
