package store

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"biomcp/store/disk"
)

// FileName is the corpus in the data folder. SQLite keeps its journal next to it.
const FileName = "corpus.db"

const corpusFile disk.FileType = 0x62696f63 // "bioc"

// Options say where the corpus is and how it is used.
type Options struct {
	Dir        string           // the data folder
	ReadOnly   bool             // never write; a missing corpus is NotFound
	CacheBytes int64            // memory for pages of the index; 0 means 128 MiB
	CodeBytes  int64            // memory for codes of vectors; 0 means 256 MiB
	Wait       time.Duration    // for another process to finish writing; 0 means 30 s
	Now        func() time.Time // nil means time.Now

	name    string   // of the file, FileName if it is ""
	layouts []string // nil means the scripts in migrations
}

// Store is the corpus on this disk. Many processes may read it while one
// writes; its methods may be called concurrently.
type Store struct {
	o       Options
	path    string
	file    os.FileInfo // of path when it was opened
	w       *sql.DB     // one connection: the writer
	writing *flock.Flock
	readers readerPool
	bodies  bodyCodec
	memory  *memory
	index   atomic.Pointer[index]
	scores  atomic.Pointer[scores]
	codes   *memory // of vectors
	sizes   partitionSizes
	trainAt int64
	spaces  spaces
}

//go:embed migrations/*.sql
var migrations embed.FS

// layouts are the scripts that lead from each layout of the file to the next, the first
// one from an empty file. PRAGMA user_version says how many of them were run.
var layouts = sync.OnceValue(func() (list []string) {
	files, err := migrations.ReadDir("migrations") // in the order of their names
	for _, f := range files {
		script, failed := migrations.ReadFile("migrations/" + f.Name())
		list, err = append(list, string(script)), errors.Join(err, failed)
	}
	if err != nil {
		panic(err) // the files are part of the program
	}
	return list
})

// Open opens the corpus, and creates it if it is missing, unless it is to
// be read only. The cost does not depend on the size of the corpus. Errors:
// Corrupt, Foreign, OtherLayout, ReadOnly, Locked, NotFound.
func Open(ctx context.Context, o Options) (*Store, error) {
	const op = "open corpus"
	if o.CacheBytes == 0 {
		o.CacheBytes = 128 << 20
	}
	if o.Wait == 0 {
		o.Wait = 30 * time.Second
	}
	if o.CodeBytes == 0 {
		o.CodeBytes = 256 << 20
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.layouts == nil {
		o.layouts = layouts()
	}
	s := &Store{o: o, path: filepath.Join(o.Dir, cmp.Or(o.name, FileName)), memory: newMemory(o.CacheBytes), codes: newMemory(o.CodeBytes), sizes: partitioned, trainAt: trainAt}
	if o.name == "" {
		if err := unfinishedRepair(o.Dir); err != nil {
			return nil, err
		}
	}
	if o.ReadOnly {
		if _, err := os.Stat(s.path); err != nil {
			if errors.Is(err, os.ErrNotExist) {
				return nil, newError(NotFound, op, "there is no corpus yet")
			}
			return nil, wrap(ctx, op, err)
		}
	} else if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, wrap(ctx, op, err)
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, wrap(ctx, op, err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) error {
	if err := corpusFile.Check(ctx, "open corpus", s.path); err != nil {
		return err
	}
	if !s.o.ReadOnly {
		if s.o.name == "" {
			lock, err := lockWriters(s.o.Dir, false)
			if err != nil {
				return err
			}
			s.writing = lock
		}
		name, err := disk.DSN(s.path, "rwc", "busy_timeout(250)", "synchronous(FULL)",
			"cache_size(-16384)", "journal_size_limit(67108864)", "wal_autocheckpoint(4096)", "temp_store(MEMORY)")
		if err != nil {
			return err
		}
		if s.w, err = sql.Open("sqlite", name); err != nil {
			return err
		}
		s.w.SetMaxOpenConns(1)
		if err := corpusFile.Establish(ctx, s.w, pageSize); err != nil {
			return err
		}
		if err := s.migrate(ctx); err != nil {
			return err
		}
	}
	if err := s.readers.open(ctx, s.path, len(s.o.layouts)); err != nil {
		return err
	}
	var err error
	s.file, err = os.Stat(s.path)
	return err
}

// Replaced reports whether the corpus in the data folder is another file than the
// one that is open, or is gone.
func (s *Store) Replaced() bool {
	now, err := os.Stat(s.path)
	return errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(s.file, now)
}

// migrate brings the file to the layout of this program, each script in a separate
// transaction.
func (s *Store) migrate(ctx context.Context) error {
	var version int
	if err := s.w.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	for version < len(s.o.layouts) {
		err := disk.InTx(ctx, s.w, s.o.Wait, func(tx *sql.Conn) (err error) {
			w := newReader(tx)
			defer w.close()
			if version, err = w.version(); err != nil || version >= len(s.o.layouts) {
				return err
			}
			_, err = tx.ExecContext(ctx, fmt.Sprintf("%s; PRAGMA user_version=%d", s.o.layouts[version], version+1))
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// checkLayout refuses a corpus of another layout than the one that is known.
func checkLayout(version, known int) error {
	const op = "open corpus"
	switch {
	case version > known:
		return newError(OtherLayout, op, "it has layout %d, and this program knows layout %d: update biomcp, or sync into another data folder", version, known)
	case version == 0:
		return newError(NotFound, op, "there is no corpus yet")
	case version < known:
		return newError(OtherLayout, op, "it has layout %d, and this program uses layout %d: the next sync brings it up to date", version, known)
	}
	return nil
}

// errNewer is the error of a process that has a corpus open which a later program has
// brought to another layout.
func errNewer(op string) error {
	return newError(OtherLayout, op, "the corpus was made by a newer biomcp, after this one opened it: restart biomcp, and update it if it is older")
}

// Close releases the files. Batches that were not committed are lost.
func (s *Store) Close() error {
	err := s.readers.close()
	if s.w != nil {
		err = errors.Join(err, s.w.Close())
	}
	if s.writing != nil {
		err = errors.Join(err, s.writing.Close())
	}
	return err
}

// write runs f in a write transaction.
func (s *Store) write(ctx context.Context, op string, f func(*reader) error) error {
	if s.o.ReadOnly {
		return newError(ReadOnly, op, "the corpus was opened to be read only")
	}
	return wrap(ctx, op, disk.InTx(ctx, s.w, s.o.Wait, func(tx *sql.Conn) error {
		w := newReader(tx)
		defer w.close()
		if err := w.layout(len(s.o.layouts)); err != nil {
			if IsKind(err, OtherLayout) {
				err = errNewer(op)
			}
			return err
		}
		if err := f(w); err != nil {
			return err
		}
		return w.keep()
	}))
}

// sweep removes what find gives the number of, until it finds nothing. A transaction runs
// statements until one of them has removed a row.
func (s *Store) sweep(ctx context.Context, op, find string, statements ...string) error {
	for more := true; more; {
		err := s.write(ctx, op, func(w *reader) (err error) {
			var id int64
			if more, err = w.found(find, nil, &id); err != nil || !more {
				return err
			}
			for _, q := range statements {
				var removed int64
				if err := w.exec(q, id); err != nil {
					return err
				}
				if err := w.row("SELECT changes()", nil, &removed); err != nil || removed > 0 {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// now is the clock as it is stored: RFC 3339, UTC, seconds.
func (s *Store) now() string { return s.o.Now().UTC().Format(time.RFC3339) }

// userMeta begins the keys of what callers store.
const userMeta = "user."

// Meta returns the value a caller stored under key, "" if there is none.
func (s *Store) Meta(ctx context.Context, key string) (string, error) {
	var value string
	err := s.read(ctx, "read corpus", func(r *reader) error {
		return r.row("SELECT value FROM meta WHERE key=?", []any{userMeta + key}, &value)
	})
	return value, err
}

// SetMeta stores a value of the caller's own under key: the version of its
// analysis, say.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.write(ctx, "write corpus", func(w *reader) error {
		return w.setMeta(userMeta+key, value)
	})
}
