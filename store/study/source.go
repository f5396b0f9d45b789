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

// A source is a data file of a study, opened for reading.
type source struct {
	name    string // relative to the study's folder
	file    *os.File
	info    fs.FileInfo
	hash    *xxhash.Digest // hash of the bytes read from disk
	recoded bool           // offsets in the text are not offsets in the file: gzip or UTF-16
}

// open opens a file of the study's folder, or the file with .gz appended. It never opens a file
// outside the folder, whatever the name.
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
	if err == nil && !info.Mode().IsRegular() { // opening a pipe would block
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
			kind, message = NoData, "the file does not exist"
		case no == nil && link.Mode()&fs.ModeSymlink != 0:
			message = "this is a link out of the folder of the study or cannot be followed; " +
				"put the file itself into the folder"
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
		return nil, &Error{
			Kind: Malformed, File: name,
			Message: "this is a Git LFS pointer, not the data; run git lfs pull in the cloned folder to fetch the data",
		}
	}
	return &source{name: name, file: f, info: info, hash: xxhash.New()}, nil
}

// isPointer reports whether a file is a Git LFS pointer
// (https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md: shorter than 1024 bytes and with
// this first line). The datahub's files are pointers in a clone made without Git LFS.
func isPointer(f *os.File, info fs.FileInfo) bool {
	const first = "version https://git-lfs.github.com/spec/"
	if info.Size() >= 1024 {
		return false
	}
	b := make([]byte, len(first))
	_, err := f.ReadAt(b, 0)
	return err == nil && string(b) == first
}

// read opens a file as open does and returns its text from the start.
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

// reader returns the text from the start, unpacked if it begins with the gzip header, as UTF-8 or
// Latin-1 with lines that end with LF or CR LF.
func (s *source) reader() (io.Reader, error) {
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return nil, &Error{Kind: Failed, File: s.name, Message: "the file cannot be read", Err: err}
	}
	s.hash.Reset()
	r := bufio.NewReaderSize(io.TeeReader(s.file, s.hash), int(min(s.info.Size(), 256<<10)))
	magic, _ := r.Peek(2)
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		text, recoded := newText(r)
		s.recoded = recoded
		return text, nil
	}
	s.recoded = true
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, &Error{Kind: Malformed, File: s.name, Message: "the gzip file is damaged", Err: err}
	}
	text, _ := newText(bufio.NewReaderSize(z, 64<<10))
	return text, nil
}

// A stamp identifies the version of a file that an index was built from.
type stamp struct {
	Size     int64
	Modified time.Time
	Checked  time.Time // when the hash was last compared
	Hash     uint64
}

// doubt is the time after a modification during which a further change may not alter the
// modification time, because file systems have a coarse clock.
const doubt = 2 * time.Second

// matches reports whether a file still has the stamped content. It compares size and
// modification time, and the hash if the time differs or was too recent when checked. If the
// hashes match, renewed is true and st has the new time.
func (st *stamp) matches(s *source, now time.Time) (match, renewed bool, err error) {
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

// stampOf returns the stamp of a file that was read to its end.
func stampOf(s *source, now time.Time) stamp {
	return stamp{Size: s.info.Size(), Modified: s.info.ModTime(), Checked: now, Hash: s.hash.Sum64()}
}
