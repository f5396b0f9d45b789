package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"

	"biomcp/store/disk"
)

// reader is one connection with its prepared statements. They
// run without a context: each is short, and watching a context costs
// more than the statement. Loops over many of them look at the context.
type reader struct {
	conn  *sql.Conn
	stmts map[string]*sql.Stmt
	pages sync.Mutex // held by page
}

func newReader(conn *sql.Conn) *reader { return &reader{conn: conn, stmts: map[string]*sql.Stmt{}} }

func (r *reader) stmt(query string) (*sql.Stmt, error) {
	if s := r.stmts[query]; s != nil {
		return s, nil
	}
	s, err := r.conn.PrepareContext(context.Background(), query)
	if err == nil {
		r.stmts[query] = s
	}
	return s, err
}

// close ends the statements; the connection is its owner's. A statement left open
// would keep SQLite from closing the file, and its journal from going away.
func (r *reader) close() {
	for _, s := range r.stmts {
		s.Close()
	}
}

// row reads the one row of a query into the given places, which stay as they
// are if there is no row.
func (r *reader) row(query string, args []any, into ...any) error {
	_, err := r.found(query, args, into...)
	return err
}

// found is row, and reports whether there was one.
func (r *reader) found(query string, args []any, into ...any) (bool, error) {
	s, err := r.stmt(query)
	if err != nil {
		return false, err
	}
	err = s.QueryRow(args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// each runs f on every row of a query; f scans it.
func (r *reader) each(query string, args []any, f func(scan func(...any) error) error) error {
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

func (r *reader) exec(query string, args ...any) error {
	s, err := r.stmt(query)
	if err == nil {
		_, err = s.Exec(args...)
	}
	return err
}

// insert is exec, and returns the number of the row.
func (r *reader) insert(query string, args ...any) (id int64, err error) {
	if err = r.exec(query, args...); err == nil {
		err = r.row("SELECT last_insert_rowid()", nil, &id)
	}
	return id, err
}

// setMeta stores a value in the table meta.
func (r *reader) setMeta(key string, value any) error {
	return r.exec("INSERT OR REPLACE INTO meta VALUES(?,?)", key, value)
}

// readerPool lends readers. They are made when needed, up to maxReaders, and
// kept until the pool is closed.
type readerPool struct {
	db    *sql.DB
	known int // the layout
	slots chan struct{}
	mu    sync.Mutex
	idle  []*reader
}

const maxReaders = 8

// open checks that the file can be read and has the layout that is known. In a folder
// that may not be written SQLite cannot make the files by which readers and
// writers agree; nobody can be writing then, and the file is read unchanged.
func (p *readerPool) open(ctx context.Context, path string, known int) error {
	err := p.try(ctx, path, "ro", known)
	if disk.MayNotWrite(err) {
		if fi, walErr := os.Stat(path + "-wal"); walErr != nil || fi.Size() == 0 {
			p.db.Close()
			err = p.try(ctx, path, "ro&immutable=1", known)
		}
	}
	return err
}

func (p *readerPool) try(ctx context.Context, path, mode string, known int) error {
	name, err := disk.DSN(path, mode, "busy_timeout(10000)", "query_only(1)", "cache_size(-16384)", "temp_store(MEMORY)")
	if err != nil {
		return err
	}
	if p.db, err = sql.Open("sqlite", name); err != nil {
		return err
	}
	p.slots, p.known = make(chan struct{}, maxReaders), known
	r, err := p.get(ctx)
	if err != nil {
		return err
	}
	err = r.layout(known)
	p.put(r, err)
	return err
}

// layout refuses a snapshot of another layout than the one that is known.
func (r *reader) layout(known int) error {
	version, err := r.version()
	if err != nil {
		return err
	}
	return checkLayout(version, known)
}

// version is the number of the layout: 0 in a file without tables.
func (r *reader) version() (version int, err error) {
	if err := r.row("PRAGMA user_version", nil, &version); err != nil || version != 0 {
		return version, err
	}
	var tables int // on one snapshot with the number: another process may be making the corpus
	err = r.row("SELECT user_version, (SELECT count(*) FROM sqlite_master) FROM pragma_user_version", nil, &version, &tables)
	if version == 0 && tables > 0 {
		err = newError(Corrupt, "open corpus", "the file is damaged: it has tables, and no layout")
	}
	return version, err
}

func (p *readerPool) get(ctx context.Context) (*reader, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	p.mu.Lock()
	if n := len(p.idle); n > 0 {
		r := p.idle[n-1]
		p.idle = p.idle[:n-1]
		p.mu.Unlock()
		return r, nil
	}
	p.mu.Unlock()
	conn, err := p.db.Conn(ctx)
	if err != nil {
		<-p.slots
		return nil, err
	}
	return newReader(conn), nil
}

// put takes a reader back; after a failure it is thrown away.
func (p *readerPool) put(r *reader, err error) {
	if err != nil {
		r.close()
		r.conn.Close()
	} else {
		p.mu.Lock()
		p.idle = append(p.idle, r)
		p.mu.Unlock()
	}
	<-p.slots
}

func (p *readerPool) close() error {
	if p.db == nil {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.idle {
		r.close()
		r.conn.Close()
	}
	p.idle = nil
	return p.db.Close()
}

// read runs f on one snapshot of the corpus: what other processes commit
// meanwhile is not seen.
func (s *Store) read(ctx context.Context, op string, f func(*reader) error) error {
	r, err := s.readers.get(ctx)
	if err != nil {
		return wrap(ctx, op, err)
	}
	defer func() { s.readers.put(r, err) }()
	if err = r.exec("BEGIN"); err != nil {
		return wrap(ctx, op, err)
	}
	failed := r.layout(s.readers.known)
	if failed == nil {
		failed = f(r)
	} else if IsKind(failed, OtherLayout) {
		failed = errNewer(op)
	}
	if err = r.exec("ROLLBACK"); err != nil && failed == nil {
		failed = err
	}
	return wrap(ctx, op, failed)
}
