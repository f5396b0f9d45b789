package study

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/gzip"
)

// source is a data file of a study, opened for reading.
type source struct {
	name string // in the folder of the study
	file *os.File
	info fs.FileInfo
	hash *xxhash.Digest // of what was read, as on disk
	gzip bool
}

// open opens a file of the folder, or the same with .gz. Nothing outside the folder is
// opened, whatever the name.
func (s *Study) open(name string) (*source, error) {
	root, err := os.OpenRoot(s.dir)
	if err != nil {
		return nil, &Error{Kind: Failed, Message: "the folder of the study cannot be opened", Err: err}
	}
	defer root.Close()
	info, err := root.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if packed, gzErr := root.Stat(name + ".gz"); gzErr == nil {
			info, err, name = packed, nil, name+".gz"
		}
	}
	if err == nil && !info.Mode().IsRegular() { // opening a pipe would wait
		return nil, &Error{Kind: Failed, File: name, Message: "this is not a regular file"}
	}
	var f *os.File
	if err == nil {
		f, err = root.Open(name)
	}
	if err != nil {
		kind, message := Failed, "the file cannot be opened"
		link, no := root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			kind, message = NoData, "the file is not there"
		case no == nil && link.Mode()&fs.ModeSymlink != 0:
			message = "this is a link out of the folder of the study, or one that cannot be followed; put the file itself into the folder"
		case !filepath.IsLocal(name):
			message = "this is outside the folder of the study; put the file into the folder"
		}
		return nil, &Error{Kind: kind, File: name, Message: message, Err: err}
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, &Error{Kind: Failed, File: name, Message: "the file cannot be read", Err: err}
	}
	if isPointer(f, info) {
		f.Close()
		return nil, &Error{Kind: Malformed, File: name, Message: "this is a pointer of Git LFS, not the data; git lfs pull, in the folder that was cloned, brings the data"}
	}
	return &source{name: name, file: f, info: info, hash: xxhash.New()}, nil
}

// isPointer reports a file that stands for one that Git keeps elsewhere
// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md: under 1024 bytes, with this
// first line), as the datahub's files are where Git LFS is not installed.
func isPointer(f *os.File, info fs.FileInfo) bool {
	const first = "version https://git-lfs.github.com/spec/"
	if info.Size() >= 1024 {
		return false
	}
	b := make([]byte, len(first))
	_, err := f.ReadAt(b, 0)
	return err == nil && string(b) == first
}

// read opens a file as open does, and its text from the start.
func (s *Study) read(name string) (src *source, r io.Reader, err error) {
	if src, err = s.open(name); err != nil {
		return nil, nil, err
	}
	if r, err = src.reader(); err != nil {
		src.close()
	}
	return src, r, err
}

func (s *source) close() { s.file.Close() }

// reader is the text from the start, unpacked if it begins as gzip does.
func (s *source) reader() (io.Reader, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, &Error{Kind: Failed, File: s.name, Message: "the file cannot be read", Err: err}
	}
	s.hash.Reset()
	r := bufio.NewReaderSize(io.TeeReader(s.file, s.hash), int(min(s.info.Size(), 256<<10)))
	magic, _ := r.Peek(2)
	if s.gzip = bytes.Equal(magic, []byte{0x1f, 0x8b}); !s.gzip {
		return r, nil
	}
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, &Error{Kind: Malformed, File: s.name, Message: "the gzip file is damaged", Err: err}
	}
	return z, nil
}

// stamp says of which state of a file an index was made.
type stamp struct {
	Size     int64
	Modified time.Time
	Checked  time.Time // when the hash was last compared
	Hash     uint64
}

// doubt is how close to its writing a file may have been checked and still have been
// changed within the same tick of the clock of its file system.
const doubt = 2 * time.Second

// unchanged reports whether a file is still as stamped: by size and time, and where
// the time is another or was too recent, by its hash. renewed is true where the hash
// was compared and the stamp now has the new time.
func (st *stamp) unchanged(s *source, now time.Time) (same, renewed bool, err error) {
	if s.info.Size() != st.Size {
		return false, false, nil
	}
	if s.info.ModTime().Equal(st.Modified) && st.Checked.Sub(st.Modified) > doubt {
		return true, false, nil
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return false, false, err
	}
	h := xxhash.New()
	if _, err := io.Copy(h, s.file); err != nil {
		return false, false, err
	}
	if h.Sum64() != st.Hash {
		return false, false, nil
	}
	st.Modified, st.Checked = s.info.ModTime(), now
	return true, true, nil
}

// stampOf is the stamp of a file that was read to its end.
func stampOf(s *source, now time.Time) stamp {
	return stamp{Size: s.info.Size(), Modified: s.info.ModTime(), Checked: now, Hash: s.hash.Sum64()}
}
