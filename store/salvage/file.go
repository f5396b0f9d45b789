package salvage

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"time"

	_ "modernc.org/sqlite" // SQLite driver
	"modernc.org/sqlite/vfs"

	"biomcp/store/disk"
	"biomcp/store/disk/pagesum"
)

// File is an SQLite file with its journal.
type File struct {
	// UnreadPages is the number of unusable journal pages that precede committed ones.
	UnreadPages int
	// HeaderDamaged reports whether the first page is damaged or pages are missing at the end of the file.
	HeaderDamaged bool
	// IsDatabase reports whether the file begins as an SQLite file does.
	IsDatabase bool
	// Foreign reports whether the first page belongs to a database of another program.
	Foreign bool
	// Version is PRAGMA user_version, which determines the tables. It is 0 if it is unknown or
	// damaged.
	Version int

	main   *disk.RawFile
	wal    *os.File
	first  []byte // the first page as SQLite reads it
	size   int    // page size in bytes
	pages  int
	whole  bool          // the file is not shorter than a page
	frames map[int]int64 // offsets in the journal, by page
	fs     *vfs.FS
	db     *sql.DB
}

// Offsets in the file header.
const (
	formatVersionsAt = 18 // read and write versions: rollback journal or write-ahead journal
	reservedAt       = 20 // number of bytes at the end of each page that hold no content
	pageCountAt      = 28 // number of pages
	versionAt        = 60 // PRAGMA user_version
	applicationIDAt  = 68 // application ID
	tablesAt         = 100
)

// fixedParts lists the parts of the header that are equal in all files with the same tables. The
// definitions of the tables follow the header.
var fixedParts = [][2]int{{0, formatVersionsAt}, {20, 24}, {44, 48}, {52, 60}, {64, 72}}

// Open opens a file. with and without are the first pages of a file with the same tables and
// settings, with page checksums (package pagesum) and without them. They determine the page size.
func Open(path string, with, without []byte) (f *File, err error) {
	f = &File{size: len(with), frames: map[int]int64{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	if f.main, err = disk.OpenRaw(path); err != nil {
		return f, err
	}
	size, err := f.main.Size()
	if err != nil {
		return f, err
	}
	f.whole = size >= int64(f.size)
	f.pages = int((size + int64(f.size) - 1) / int64(f.size))
	if f.wal, err = os.Open(path + "-wal"); err == nil {
		f.journal()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	if f.HasSums() {
		f.header(with)
	} else {
		f.header(without)
	}
	name, fsys, err := vfs.New(f)
	if err != nil {
		return f, err
	}
	f.fs = fsys
	f.db, err = sql.Open("sqlite", "file:"+dbName+"?mode=ro&immutable=1&vfs="+name+"&_pragma=cache_size(-65536)")
	if err == nil {
		f.db.SetMaxOpenConns(1)
	}
	return f, err
}

const dbName = "db"

// CountUnreadPages returns the number of unusable pages in a file's journal that precede committed ones.
func CountUnreadPages(path string, pageSize int) (n int, err error) {
	f, err := readJournal(path, pageSize)
	return f.UnreadPages, err
}

// JournalPages returns the numbers of the pages whose newest image is in a file's journal.
func JournalPages(path string, pageSize int) (pages map[int64]bool, err error) {
	f, err := readJournal(path, pageSize)
	pages = make(map[int64]bool, len(f.frames))
	for page := range f.frames {
		pages[int64(page)] = true
	}
	return pages, err
}

// readJournal reads the journal of a file, which may be absent.
func readJournal(path string, pageSize int) (f File, err error) {
	f = File{size: pageSize, pages: math.MaxInt32, frames: map[int]int64{}}
	if f.wal, err = os.Open(path + "-wal"); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return f, err
	}
	f.journal()
	return f, f.wal.Close()
}

// header reads the first page, or substitutes first if it is damaged.
func (f *File) header(first []byte) {
	f.first = f.page(1)
	equal := func(from, to int) bool { return bytes.Equal(f.first[from:to], first[from:to]) }
	same := equal(tablesAt, f.size-int(first[reservedAt]))
	if equal(0, 16) && equal(applicationIDAt, applicationIDAt+4) && !same {
		f.Version = int(binary.BigEndian.Uint32(f.first[versionAt:]))
	}
	f.IsDatabase = equal(0, 16)
	f.Foreign = f.IsDatabase && f.whole && !equal(applicationIDAt, applicationIDAt+4) && !same && !f.HasSums()
	for _, part := range fixedParts {
		same = same && equal(part[0], part[1])
	}
	// SQLite reads the header in the file itself before the journal.
	raw := make([]byte, formatVersionsAt)
	_, err := f.main.ReadAt(raw, 0)
	same = same && err == nil && bytes.Equal(raw, first[:formatVersionsAt])
	if count := int(binary.BigEndian.Uint32(f.first[pageCountAt:])); same && count <= f.pages {
		f.pages = count
	} else {
		f.HeaderDamaged = true
	}
	if !same {
		copy(f.first, first)
		clear(f.first[32:40]) // the list of free pages
	}
	// Rollback mode, as the journal's pages are served as part of the file.
	f.first[formatVersionsAt], f.first[formatVersionsAt+1] = 1, 1
	binary.BigEndian.PutUint32(f.first[pageCountAt:], uint32(f.pages))
	copy(f.first[92:96], f.first[24:28]) // marks the page count as current
}

// HasSums reports whether the pages of the file have checksums. It tries up to sampledPages pages,
// as some of them may be damaged.
func (f *File) HasSums() bool {
	const sampledPages = 1000
	page := make([]byte, f.size)
	for n := range min(f.pages, sampledPages) {
		if _, err := f.main.ReadAt(page, int64(n)*int64(f.size)); err == nil && pagesum.Valid(page, int64(n+1)) {
			return true
		}
	}
	_, err := f.main.ReadAt(page, 0)
	return err == nil && pagesum.Present(page)
}

// Close closes the files.
func (f *File) Close() (err error) {
	if f.db != nil {
		err = f.db.Close()
	}
	if f.fs != nil {
		err = errors.Join(err, f.fs.Close())
	}
	if f.main != nil {
		err = errors.Join(err, f.main.Close())
	}
	if f.wal != nil {
		err = errors.Join(err, f.wal.Close())
	}
	return err
}

// page returns the newest image of a page. Parts that cannot be read are zeros.
func (f *File) page(n int) []byte {
	b := make([]byte, f.size)
	from, at := io.ReaderAt(f.main), int64(n-1)*int64(f.size)
	if frame, ok := f.frames[n]; ok {
		from, at = f.wal, frame
	}
	_, _ = from.ReadAt(b, at) // SQLite detects a damaged page itself
	return b
}

// Open returns the only file of the file system that SQLite reads.
func (f *File) Open(name string) (fs.File, error) {
	if name != dbName {
		return nil, fs.ErrNotExist
	}
	return &image{File: f}, nil
}

// image is a File as SQLite reads it.
type image struct {
	*File
	at int64
}

func (i *image) Seek(offset int64, _ int) (int64, error) {
	i.at = offset
	return offset, nil
}

func (i *image) Read(b []byte) (int, error) {
	n := int(i.at/int64(i.size)) + 1
	if n > i.pages {
		return 0, io.EOF
	}
	page := i.first
	if n > 1 {
		page = i.page(n)
	}
	copied := copy(b, page[i.at%int64(i.size):])
	i.at += int64(copied)
	return copied, nil
}

func (i *image) Close() error               { return nil }
func (i *image) Stat() (fs.FileInfo, error) { return i, nil }
func (i *image) Size() int64                { return int64(i.pages) * int64(i.size) }
func (i *image) Name() string               { return dbName }
func (i *image) Mode() fs.FileMode          { return 0 }
func (i *image) ModTime() time.Time         { return time.Time{} }
func (i *image) IsDir() bool                { return false }
func (i *image) Sys() any                   { return nil }

// Check returns the number of structural faults that PRAGMA integrity_check finds, at most 1,000.
func (f *File) Check(ctx context.Context) (findings int, err error) {
	return CountFindings(ctx, f.db, "integrity_check(1000)")
}

// CountFindings returns the number of faults that a checking pragma finds.
func CountFindings(ctx context.Context, db interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}, pragma string) (n int, err error) {
	rows, err := db.QueryContext(ctx, "PRAGMA "+pragma)
	if err == nil {
		for rows.Next() && err == nil {
			var text string
			if err = rows.Scan(&text); text != "ok" {
				n++
			}
		}
		err = errors.Join(err, rows.Err(), rows.Close())
	}
	if ctx.Err() != nil {
		return n, context.Cause(ctx)
	}
	if err != nil { // the check itself failed
		n++
	}
	return n, nil
}
