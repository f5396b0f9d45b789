package rows

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"biomcp/store/disk"
)

// CorpusFile is the type of the file.
const CorpusFile disk.FileType = 0x62696f63 // "bioc"

// PageSize holds several compressed records, and halves the chain of an index page.
const PageSize = 8192

// DB is the file of the corpus: one connection that writes, and some that read, each on a
// snapshot. They are made when needed, up to maxReaders, and kept until the file is closed.
// Its methods may be called concurrently.
type DB struct {
	Options
	Writer *sql.DB // nil if the file is read only

	readers *sql.DB
	slots   chan struct{}
	mu      sync.Mutex
	idle    []*Conn
}

// Options say how a file is opened.
type Options struct {
	ReadOnly bool          // never write
	Wait     time.Duration // for another process to finish writing
	Layouts  []string      // the scripts that lead from each layout to the next, the first one from an empty file
}

// Open opens a file and brings it to the latest of the layouts, unless it is read only.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	d := &DB{Options: o}
	if err := d.open(ctx, path); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

func (d *DB) open(ctx context.Context, path string) error {
	if !d.ReadOnly {
		var err error
		d.Writer, err = disk.Open(path, "rwc", "busy_timeout(250)", "synchronous(FULL)",
			"cache_size(-16384)", "journal_size_limit(67108864)", "wal_autocheckpoint(4096)", "temp_store(MEMORY)")
		if err != nil {
			return err
		}
		d.Writer.SetMaxOpenConns(1)
		if err := CorpusFile.Establish(ctx, d.Writer, PageSize); err != nil {
			return err
		}
		if err := d.migrate(ctx); err != nil {
			return err
		}
	}
	return d.openReaders(ctx, path)
}

const maxReaders = 8

// A reader caches few pages until it has been used so often: a process that answers once
// reads most pages once, and memory that is never touched costs it nothing.
const (
	firstCache = "cache_size(-1024)"
	laterCache = "PRAGMA cache_size=-16384"
	oftenUsed  = 16 // two or three searches
)

// openReaders checks that the file can be read and has the layout that is known. In a
// folder that may not be written SQLite cannot make the files by which readers and
// writers agree; nobody can be writing then, and the file is read unchanged.
func (d *DB) openReaders(ctx context.Context, path string) error {
	err := d.try(ctx, path, "ro")
	if disk.IsStill(path, err) {
		d.readers.Close()
		err = d.try(ctx, path, "ro&immutable=1")
	}
	return err
}

func (d *DB) try(ctx context.Context, path, mode string) (err error) {
	d.readers, err = disk.Open(path, mode, "busy_timeout(10000)", "query_only(1)", firstCache, "temp_store(MEMORY)")
	if err != nil {
		return err
	}
	d.slots = make(chan struct{}, maxReaders)
	r, err := d.Borrow(ctx)
	if err != nil {
		return err
	}
	err = d.layout(ctx, r)
	d.GiveBack(r, err)
	return err
}

// Borrow returns a connection that reads, for a while; Read is for one snapshot.
func (d *DB) Borrow(ctx context.Context) (*Conn, error) {
	select {
	case d.slots <- struct{}{}:
		return d.reader(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reader is a connection for a slot that was taken.
func (d *DB) reader(ctx context.Context) (*Conn, error) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		r := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		if r.uses++; r.uses == oftenUsed {
			if _, err := r.SQL.ExecContext(ctx, laterCache); err != nil {
				d.GiveBack(r, err)
				return nil, err
			}
		}
		return r, nil
	}
	d.mu.Unlock()
	conn, err := d.readers.Conn(ctx)
	if err != nil {
		<-d.slots
		return nil, err
	}
	return newConn(conn), nil
}

// GiveBack takes a connection back; after a failure it is thrown away.
func (d *DB) GiveBack(r *Conn, err error) {
	if err != nil {
		r.Close()
		r.SQL.Close()
	} else {
		d.mu.Lock()
		d.idle = append(d.idle, r)
		d.mu.Unlock()
	}
	<-d.slots
}

// Close releases the file.
func (d *DB) Close() error {
	var err error
	if d.readers != nil {
		d.mu.Lock()
		defer d.mu.Unlock()
		for _, r := range d.idle {
			r.Close()
			r.SQL.Close()
		}
		d.idle = nil
		err = d.readers.Close()
	}
	if d.Writer != nil {
		err = errors.Join(err, d.Writer.Close())
	}
	return err
}

// Read runs f on one snapshot of the corpus: what other processes commit
// meanwhile is not seen.
func (d *DB) Read(ctx context.Context, op string, f func(*Conn) error) error {
	r, err := d.Borrow(ctx)
	return d.read(ctx, r, err, op, f)
}

// Found reads one row on a snapshot of its own, as that of a Conn does.
func (d *DB) Found(ctx context.Context, op, query string, args []any, into ...any) (found bool, err error) {
	err = d.Read(ctx, op, func(r *Conn) error {
		found, err = r.Found(query, args, into...)
		return err
	})
	return found, err
}

// TryRead is Read, and returns at once without calling f where all connections are in use.
// What reads already may call it, and never waits for itself.
func (d *DB) TryRead(ctx context.Context, op string, f func(*Conn) error) error {
	select {
	case d.slots <- struct{}{}:
		r, err := d.reader(ctx)
		return d.read(ctx, r, err, op, f)
	default:
		return nil
	}
}

func (d *DB) read(ctx context.Context, r *Conn, err error, op string, f func(*Conn) error) error {
	if err != nil {
		return Wrap(ctx, op, err)
	}
	defer func() { d.GiveBack(r, err) }()
	if err = r.Exec("BEGIN"); err != nil {
		return Wrap(ctx, op, err)
	}
	failed := d.unchanged(r, op)
	if failed == nil {
		failed = f(r)
	}
	if err = r.Exec("ROLLBACK"); err != nil && failed == nil {
		failed = err
	}
	return Wrap(ctx, op, failed)
}

// Write runs f in a write transaction.
func (d *DB) Write(ctx context.Context, op string, f func(*Conn) error) error {
	if d.ReadOnly {
		return disk.NewError(disk.ReadOnly, op, "the corpus was opened to be read only")
	}
	return Wrap(ctx, op, disk.InTx(ctx, d.Writer, d.Wait, func(tx *sql.Conn) error {
		w := newConn(tx)
		defer w.Close()
		if err := d.unchanged(w, op); err != nil {
			return err
		}
		if err := f(w); err != nil {
			return err
		}
		return w.writeCopies()
	}))
}

// Exec runs one statement in a write transaction.
func (d *DB) Exec(ctx context.Context, op, query string, args ...any) error {
	return d.Write(ctx, op, func(w *Conn) error { return w.Exec(query, args...) })
}

// Sweep removes what find gives the number of, until it finds nothing. A transaction runs
// statements until one of them has removed a row.
func (d *DB) Sweep(ctx context.Context, op, find string, statements ...string) (err error) {
	for err == nil {
		var id int64
		if found, err := d.Found(ctx, op, find, nil, &id); err != nil || !found {
			return err
		}
		err = d.Write(ctx, op, func(w *Conn) error {
			for _, q := range statements {
				var removed int64
				if err := w.Exec(q, id); err != nil {
					return err
				}
				if err := w.Row("SELECT changes()", nil, &removed); err != nil || removed > 0 {
					return err
				}
			}
			return nil
		})
	}
	return err
}
