package pages

import (
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"os"
)

// File is an SQLite file that keeps a pointer map (auto_vacuum), with its journal.
type File struct {
	// Unread is how many pages of the journal cannot be used, though later ones are
	// committed.
	Unread int

	main, wal *os.File
	size      int // of a page
	pages     int
	frames    map[int]int64 // the pages that the journal holds, and where
	maps      map[int]bool  // whether pages of the pointer map are whole, where that was asked
}

// Open opens a file with pages of the given size. What its header says of that is not
// looked at.
func Open(path string, pageSize int) (*File, error) {
	f := &File{size: pageSize, frames: map[int]int64{}, maps: map[int]bool{}}
	var err error
	if f.main, err = os.Open(path); err != nil {
		return nil, err
	}
	info, err := f.main.Stat()
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	f.pages = int((info.Size() + int64(pageSize) - 1) / int64(pageSize))
	f.wal, err = os.Open(path + "-wal")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, nil
	case err != nil:
		return nil, errors.Join(err, f.Close())
	}
	f.journal()
	return f, nil
}

// Close closes the files.
func (f *File) Close() error {
	err := f.main.Close()
	if f.wal != nil {
		err = errors.Join(err, f.wal.Close())
	}
	return err
}

// Pages is the number of pages. The first is 1.
func (f *File) Pages() int { return f.pages }

// page is the newest image of a page; what is cut off is zero. nil: there is none.
func (f *File) page(n int) []byte {
	if n < 1 || n > f.pages {
		return nil
	}
	b := make([]byte, f.size)
	from, at := f.main, int64(n-1)*int64(f.size)
	if frame, ok := f.frames[n]; ok {
		from, at = f.wal, frame
	}
	if got, err := from.ReadAt(b, at); err != nil && (err != io.EOF || got == 0) {
		return nil
	}
	return b
}

// The kinds of page in the pointer map.
const (
	mapRoot = 1 + iota
	mapFree
	mapOverflow1
	mapOverflow2
	mapTree
)

// mapPage is the page of the pointer map with the entry of page n; it is n itself for
// a page of the map.
func (f *File) mapPage(n int) int {
	per := f.size/5 + 1
	at := (n-2)/per*per + 2
	if at == f.lockPage() {
		at++
	}
	return at
}

// InUse reports whether a page is known to be in use; the others may hold what was
// deleted.
func (f *File) InUse(n int) bool {
	kind, _ := f.mapped(n)
	return n == 1 || kind == mapRoot || kind == mapTree
}

// lockPage is the page that SQLite never uses.
func (f *File) lockPage() int { return 0x40000000/f.size + 1 }

// mapped is the kind of a page and the page that leads to it, by the pointer map; 0
// where that has no entry or cannot be read.
func (f *File) mapped(n int) (kind, parent int) {
	at := f.mapPage(n)
	if n < 2 || n <= at || n == f.lockPage() {
		return 0, 0
	}
	b := f.page(at)
	offset := 5 * (n - at - 1)
	if b == nil || offset+5 > len(b) {
		return 0, 0
	}
	kind, parent = int(b[offset]), int(binary.BigEndian.Uint32(b[offset+1:]))
	if kind > mapTree || (kind <= mapFree) != (parent == 0) || parent > f.pages {
		return 0, 0
	}
	return kind, parent
}

// Header is the header of the file from an offset on; zeros where it cannot be read.
func (f *File) Header(from int) []byte {
	if b := f.page(1); b != nil {
		return b[from:100]
	}
	return make([]byte, 100-from)
}
