package store

import (
	"biomcp/store/disk"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
	"cmp"
	"context"
	"embed"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// FileName is the name of the corpus file in the data folder. SQLite keeps its journal next to it.
const FileName = "corpus.db"

// commitFile is the name of the file, in the data folder, that names the last transaction.
const commitFile = "corpus.commit"

// locks is the name of the folder, in the data folder, that holds the lock files.
const locks = "locks"

// Options configures Open.
type Options struct {
	Dir        string           // the data folder
	ReadOnly   bool             // open for reading only; Open returns NotFound if there is no corpus
	CacheBytes int64            // memory for cached pages of the word index; 0 means 128 MiB
	CodeBytes  int64            // memory for cached vector codes; 0 means 256 MiB
	Wait       time.Duration    // maximum wait for another process that writes; 0 means 30 s
	Now        func() time.Time // nil means time.Now

	name    string   // file name; "" means FileName
	layouts []string // migration scripts; nil means those in migrations/
	plain   bool     // create a missing file without page checksums, as earlier programs did
	lenient bool     // ignore page checksums when reading
}

// plainLayout is the layout of a corpus without page checksums.
const plainLayout = 1

// Store is an open corpus. Many processes may read it while one writes. Its methods are safe for
// concurrent use.
type Store struct {
	o       Options
	path    string
	file    os.FileInfo // path's file info when it was opened
	db      *rows.DB
	writing *flock.Flock
	bodies  bodyCodec
	words   *wordindex.Index
	codes   *rows.Cache // cached vector codes
	sizes   partitionSizes
	trainAt int64
	spaces  sync.Map // vectors.Space by dimension
}

//go:embed migrations/*.sql
var migrations embed.FS

// layouts returns the migration scripts in order. The first one creates the tables in an empty
// file. PRAGMA user_version counts the scripts that have run.
var layouts = sync.OnceValue(func() (list []string) {
	files, err := migrations.ReadDir("migrations") // sorted by name
	for _, f := range files {
		script, failed := migrations.ReadFile("migrations/" + f.Name())
		list, err = append(list, string(script)), errors.Join(err, failed)
	}
	if err != nil {
		panic(err) // cannot fail: the files are embedded in the program
	}
	return list
})

// Open opens the corpus and creates it if it is missing, unless o.ReadOnly is set. Its cost does
// not depend on the size of the corpus. Errors: Corrupt, Foreign, OtherLayout, ReadOnly, Locked,
// NotFound.
func Open(ctx context.Context, o Options) (*Store, error) {
	const op = "open corpus"
	o.CacheBytes = cmp.Or(o.CacheBytes, 128<<20)
	o.Wait = cmp.Or(o.Wait, 30*time.Second)
	o.CodeBytes = cmp.Or(o.CodeBytes, 256<<20)
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.layouts == nil {
		o.layouts = layouts()
	}
	s := &Store{o: o, path: filepath.Join(o.Dir, cmp.Or(o.name, FileName)), codes: rows.NewCache(o.CodeBytes),
		sizes: defaultSizes, trainAt: trainAt}
	if o.name == "" {
		if err := unfinishedRepair(o.Dir); err != nil {
			return nil, err
		}
	}
	if o.ReadOnly {
		if _, err := os.Stat(s.path); err != nil {
			if errors.Is(err, os.ErrNotExist) {
				return nil, disk.NewError(NotFound, op, "there is no corpus yet")
			}
			return nil, rows.Wrap(ctx, op, err)
		}
	} else if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return nil, rows.Wrap(ctx, op, err)
	}
	if err := s.open(ctx); err != nil {
		s.Close()
		return nil, rows.Wrap(ctx, op, err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context) (err error) {
	options := rows.Options{ReadOnly: s.o.ReadOnly, Wait: s.o.Wait, Layouts: s.o.layouts, Plain: plainLayout,
		NewPlain: s.o.plain, Lenient: s.o.lenient}
	if filepath.Base(s.path) == FileName {
		options.CommitFile = filepath.Join(s.o.Dir, commitFile)
		if options.LastCommit, err = s.lastCommit(ctx, options.CommitFile); err != nil {
			return err
		}
	}
	if err := rows.CheckFile(ctx, "open corpus", s.path, s.o.layouts, plainLayout); err != nil {
		return err
	}
	if !s.o.ReadOnly && s.o.name == "" {
		if s.writing, err = lockWriters(s.o.Dir, false); err != nil {
			return err
		}
	}
	if s.db, err = rows.Open(ctx, s.path, options); err != nil {
		return err
	}
	s.words = wordindex.New(s.db, filepath.Join(s.o.Dir, locks), s.o.CacheBytes)
	s.file, err = os.Stat(s.path)
	return err
}

// lastCommit reads the file that names the last transaction. It returns an error if the corpus is
// empty although it had transactions. If the corpus is missing, a new one begins, and the file is
// removed.
func (s *Store) lastCommit(ctx context.Context, path string) (rows.Commit, error) {
	const op = "open corpus"
	if _, err := os.Stat(s.path); !errors.Is(err, os.ErrNotExist) {
		last := rows.ReadCommit(path)
		return last, rows.CheckEmpty(ctx, op, s.path, last)
	}
	err := os.Remove(path)
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return rows.Commit{}, rows.Wrap(ctx, op, err)
}

// Replaced reports whether the corpus file has been replaced by another one, or removed, since it
// was opened.
func (s *Store) Replaced() bool {
	now, err := os.Stat(s.path)
	return errors.Is(err, os.ErrNotExist) || err == nil && !os.SameFile(s.file, now)
}

// Close closes the files. Uncommitted batches are lost.
func (s *Store) Close() error {
	var err error
	if s.db != nil {
		err = s.db.Close()
	}
	if s.writing != nil {
		err = errors.Join(err, s.writing.Close())
	}
	return errors.Join(err, disk.CloseRaw())
}

// now returns the current time as it is stored: RFC 3339, UTC, seconds.
func (s *Store) now() string { return s.o.Now().UTC().Format(time.RFC3339) }

// userMeta is the prefix of the keys that callers store.
const userMeta = "user."

// Meta returns the value that a caller stored under key, or "" if there is none.
func (s *Store) Meta(ctx context.Context, key string) (string, error) {
	var value string
	err := s.db.Read(ctx, "read corpus", func(r *rows.Conn) error { return r.Meta(userMeta+key, &value) })
	return value, err
}

// SetMeta stores a caller's value under key, such as the version of its analysis.
func (s *Store) SetMeta(ctx context.Context, key, value string) error {
	return s.db.Write(ctx, "write corpus", func(w *rows.Conn) error {
		return w.SetMeta(userMeta+key, value)
	})
}
