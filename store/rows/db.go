package rows

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"

	"biomcp/store/disk"
	"biomcp/store/disk/pagesum"
)

// CorpusFile is the file type of the corpus.
const CorpusFile disk.FileType = 0x62696f63 // "bioc"

// PageSize is large enough for several compressed records, and halves the overflow chain of an
// index page.
const PageSize = pagesum.PageSize

// DB is the open file of the corpus: one connection that writes, and up to maxReaders that read,
// each on a snapshot. Read connections are opened when needed and kept until the file is closed.
// Its methods are safe for concurrent use.
type DB struct {
	Options
	Writer *sql.DB // nil if the file is read-only

	writing sync.Mutex // held by UseWriter
	writer  *Conn      // the connection that writes; nil before the first transaction
	version int        // layout of the file
	readers *sql.DB
	slots   chan struct{}
	mu      sync.Mutex
	idle    []*Conn
}

// Options configures Open.
type Options struct {
	ReadOnly bool          // open for reading only
	Wait     time.Duration // maximum wait for another process that writes
	Layouts  []string      // migration scripts in order; the first ones create the tables in an empty file
	Plain    int           // layout of files without page checksums, which they keep; 0 means none
	NewPlain bool          // create a missing file without page checksums
	Lenient  bool          // ignore page checksums and lost transactions when reading

	CommitFile string // file that names the last transaction; "" means none
	LastCommit Commit // its contents before the file is opened
}

// fileSystem returns the part of the mode that selects the file system with page checksums.
func (o Options) fileSystem() string {
	switch {
	case o.NewPlain:
		return ""
	case o.Lenient:
		return "&vfs=" + pagesum.Lenient()
	}
	return "&vfs=" + pagesum.FileSystem()
}

// Open opens a file and migrates it to the last of the layouts, unless it is read-only.
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
		d.Writer, err = disk.Open(path, "rwc"+d.fileSystem(), "busy_timeout(250)", "synchronous(FULL)",
			"cache_size(-16384)", "journal_size_limit(67108864)", "wal_autocheckpoint(4096)", "temp_store(MEMORY)")
		if err != nil {
			return err
		}
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

// A read connection has a small page cache until it has been used largerCacheUses times: a process that
// answers once reads most pages once, and does not allocate memory that it never touches.
const (
	initialCacheSize = "cache_size(-1024)"
	largerCacheSize  = "PRAGMA cache_size=-16384"
	largerCacheUses  = 16 // about two or three searches
)

// openReaders checks that the file can be read and has the known layout. In a folder that is not
// writable, SQLite cannot create the files that coordinate readers and writers. No process can be
// writing then, so the file is opened as immutable.
func (d *DB) openReaders(ctx context.Context, path string) error {
	err := d.openMode(ctx, path, "ro")
	if disk.CanOpenImmutable(path, err) {
		d.readers.Close()
		err = d.openMode(ctx, path, "ro&immutable=1")
	}
	return err
}

func (d *DB) openMode(ctx context.Context, path, mode string) (err error) {
	d.readers, err = disk.Open(path, mode+d.fileSystem(), "busy_timeout(10000)", "query_only(1)", initialCacheSize,
		"temp_store(MEMORY)")
	if err != nil {
		return err
	}
	d.slots = make(chan struct{}, maxReaders)
	r, err := d.Borrow(ctx)
	if err != nil {
		return err
	}
	if err = d.layout(ctx, r); err == nil {
		err = d.checkCommits(r)
	}
	d.GiveBack(r, err)
	return err
}

// Borrow returns a connection for reading; the caller returns it with GiveBack. Use Read for a
// single snapshot.
func (d *DB) Borrow(ctx context.Context) (*Conn, error) {
	if err := ctx.Err(); err != nil { // select chooses at random if both are ready
		return nil, err
	}
	select {
	case d.slots <- struct{}{}:
		return d.reader(ctx)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// reader returns a connection for a slot that the caller has taken.
func (d *DB) reader(ctx context.Context) (*Conn, error) {
	d.mu.Lock()
	if n := len(d.idle); n > 0 {
		r := d.idle[n-1]
		d.idle = d.idle[:n-1]
		d.mu.Unlock()
		if r.uses++; r.uses == largerCacheUses {
			if _, err := r.SQL.ExecContext(ctx, largerCacheSize); err != nil {
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

// GiveBack returns a connection to the pool, or closes it if err is not nil.
func (d *DB) GiveBack(r *Conn, err error) {
	if err != nil {
		r.closeAll()
	} else {
		d.mu.Lock()
		d.idle = append(d.idle, r)
		d.mu.Unlock()
	}
	<-d.slots
}

// Close closes the file.
func (d *DB) Close() error {
	var err error
	if d.readers != nil {
		d.mu.Lock()
		for _, r := range d.idle {
			r.closeAll()
		}
		d.idle = nil
		d.mu.Unlock()
		err = d.readers.Close()
	}
	if d.Writer != nil {
		d.writing.Lock()
		defer d.writing.Unlock()
		d.closeWriter()
		err = errors.Join(err, d.Writer.Close())
	}
	return err
}

// Read runs f on one snapshot of the corpus. It does not see what other processes commit meanwhile.
func (d *DB) Read(ctx context.Context, op string, f func(*Conn) error) error {
	r, err := d.Borrow(ctx)
	return d.read(ctx, r, err, op, f)
}

// RowFound is like Conn.RowFound, on a snapshot of its own.
func (d *DB) RowFound(ctx context.Context, op, query string, args []any, dest ...any) (found bool, err error) {
	err = d.Read(ctx, op, func(r *Conn) error {
		found, err = r.RowFound(query, args, dest...)
		return err
	})
	return found, err
}

// TryRead is like Read but returns nil at once, without calling f, if all connections are in use. A
// caller that already holds a connection may use it without risking a deadlock.
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
	failed := d.checkUnchanged(r, op)
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
		return disk.NewError(disk.ReadOnly, op, "the corpus was opened read-only")
	}
	var last Commit
	err := d.UseWriter(ctx, func(w *Conn) error {
		w.changes = false
		return disk.InTxOf(ctx, w.SQL, d.Wait, func() (err error) {
			if err := d.checkUnchanged(w, op); err != nil {
				return err
			}
			if err := f(w); err != nil {
				return err
			}
			if last, err = w.countCommit(); err != nil {
				return err
			}
			return w.writeCopies()
		})
	})
	if err == nil {
		d.saveCommit(last)
	}
	return Wrap(ctx, op, err)
}

// UseWriter runs f on the connection that writes, outside a transaction, when no other call uses it.
// It keeps the connection with its statements unless f fails: compiling them takes longer than most
// transactions.
func (d *DB) UseWriter(ctx context.Context, f func(*Conn) error) (err error) {
	d.writing.Lock()
	defer d.writing.Unlock()
	if d.writer == nil {
		conn, err := d.Writer.Conn(ctx)
		if err != nil {
			return err
		}
		d.writer = newConn(conn)
	}
	if err = f(d.writer); err != nil {
		d.closeWriter()
	}
	return err
}

// closeWriter closes the connection of UseWriter, whose lock the caller holds.
func (d *DB) closeWriter() {
	if d.writer != nil {
		d.writer.closeAll()
		d.writer = nil
	}
}

// Exec runs one statement in a write transaction.
func (d *DB) Exec(ctx context.Context, op, query string, args ...any) error {
	return d.Write(ctx, op, func(w *Conn) error { return w.Exec(query, args...) })
}

// Sweep deletes the rows of each number that find returns, until it returns none. Each transaction
// runs statements in order until one of them has deleted a row.
func (d *DB) Sweep(ctx context.Context, op, find string, statements ...string) (err error) {
	for err == nil {
		var id int64
		if found, err := d.RowFound(ctx, op, find, nil, &id); err != nil || !found {
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
