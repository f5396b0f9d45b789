package disk

import (
	"errors"
	"os"
	"slices"
	"sync"
)

// RawFile is a database file that is open for reading without SQLite.
//
// SQLite uses POSIX locks where the system has them. Closing a descriptor of a file releases all locks that
// the process holds on it, even if they belong to other connections (https://sqlite.org/howtocorrupt.html,
// section 2.2). Another process could then remove a journal that is in use. Therefore the process keeps one
// descriptor for each file until the file is deleted or the process ends.
type RawFile struct {
	file  *os.File
	info  os.FileInfo
	users int // calls of OpenRaw without a Close
}

var rawFiles struct {
	sync.Mutex
	open []*RawFile
}

// OpenRaw opens a file for reading.
func OpenRaw(path string) (*RawFile, error) {
	rawFiles.Lock()
	defer rawFiles.Unlock()
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	sameFile := func(f *RawFile) bool { return os.SameFile(f.info, info) }
	if i := slices.IndexFunc(rawFiles.open, sameFile); i >= 0 {
		rawFiles.open[i].users++
		return rawFiles.open[i], nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if info, err = file.Stat(); err != nil { // another process may have replaced the file
		return nil, errors.Join(err, file.Close())
	}
	f := &RawFile{file: file, info: info, users: 1}
	rawFiles.open = append(rawFiles.open, f)
	return f, nil
}

// ReadAt implements [io.ReaderAt].
func (f *RawFile) ReadAt(b []byte, offset int64) (int, error) { return f.file.ReadAt(b, offset) }

// Size returns the size of the file in bytes.
func (f *RawFile) Size() (int64, error) {
	info, err := f.file.Stat()
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}

// Close ends the use of f, and calls CloseRaw.
func (f *RawFile) Close() error {
	rawFiles.Lock()
	f.users--
	rawFiles.Unlock()
	return CloseRaw()
}

// CloseRaw closes the descriptors of unused files whose locks do not matter.
func CloseRaw() (err error) {
	rawFiles.Lock()
	defer rawFiles.Unlock()
	rawFiles.open = slices.DeleteFunc(rawFiles.open, func(f *RawFile) bool {
		unused := f.users == 0 && mayClose(f.file)
		if unused {
			err = errors.Join(err, f.file.Close())
		}
		return unused
	})
	return err
}
