package local

import (
	"compress/flate"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"biomcp/entrez/bulk"
	"biomcp/entrez/fault"
	"biomcp/entrez/httpclient"
	"biomcp/store/table/sets"
)

// RefusedError reports why a new version of a data set was rejected. The stored version stays in
// use.
type RefusedError struct {
	Set   *bulk.Set
	Err   error
	Fewer bool // too few rows; --force would store it
}

func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s: the new version was rejected: %s; the stored version is unchanged", e.Set.Label, e.Err)
}

func (e *RefusedError) Unwrap() error { return e.Err }

// Meaning returns the code Upstream and the command that tries again, or that stores the version if it only has too few
// rows.
func (e *RefusedError) Meaning() fault.Meaning {
	m := fault.Meaning{Code: fault.Upstream, Next: SyncCommand(e.Set.Name)}
	if e.Fewer {
		m.Next = append(m.Next, "--force")
	}
	return m
}

// checksum returns the size and the SHA-256 of a file.
func checksum(path string) (n int64, sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, "", onDisk(err)
	}
	defer f.Close()
	h := sha256.New()
	if n, err = io.Copy(h, f); err != nil {
		return 0, "", onDisk(err)
	}
	return n, hex.EncodeToString(h.Sum(nil)), nil
}

// withFiles calls read with the contents of the downloaded files.
func (w *intake) withFiles(read func(sets.Files) error) error {
	files := sets.Files{}
	for _, f := range w.Files {
		file, err := os.Open(filepath.Join(w.dir, f.Name))
		if err != nil {
			return onDisk(err)
		}
		defer file.Close()
		r := &unpackReader{Reader: file, name: f.Name, left: w.MaxUnpacked}
		if f.Form == httpclient.Gzip {
			if r.Reader, err = gzip.NewReader(file); err != nil {
				return &RefusedError{Set: w.Set, Err: damageError(f.Name, err)}
			}
		}
		files[f.Name] = r
	}
	err := read(files)
	if errors.As(err, new(*sets.FormatError)) {
		return &RefusedError{Set: w.Set, Err: err}
	}
	return err
}

// unpackReader reads a file up to a maximum size. It reports damaged compression as a
// *sets.FormatError.
type unpackReader struct {
	io.Reader
	name string
	left int64
}

func (u *unpackReader) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if u.left -= int64(n); u.left < 0 {
		return 0, &sets.FormatError{File: u.name, Message: "it unpacks to more than the maximum size"}
	}
	return n, damageError(u.name, err)
}

// damageError converts an error of gzip to a *sets.FormatError, and returns any other error.
func damageError(name string, err error) error {
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.As(err, new(flate.CorruptInputError)) {
		return &sets.FormatError{File: name, Message: "it is cut off or damaged (" + err.Error() + ")"}
	}
	return err
}
