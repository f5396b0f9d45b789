package store

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// fileType is the application id by which a database of ours is recognised
// (https://www.sqlite.org/fileformat.html#application_id). It is in the file from its
// first page on.
type fileType uint32

const (
	corpusFile fileType = 0x62696f63 // "bioc"
	cacheFile  fileType = 0x62696f72 // "bior"
)

// check refuses a file that holds something else: Corrupt where it is no SQLite
// file (SQLite takes one of a few bytes for an empty database and would write over
// it), Foreign where it is a database of another program. It reads the header and
// leaves the file as it is.
func (f fileType) check(ctx context.Context, op, path string) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return wrap(ctx, op, err)
	}
	defer file.Close()
	const magic, idAt = "SQLite format 3\x00", 68
	head := make([]byte, 100)
	n, err := io.ReadFull(file, head)
	switch {
	case n == 0:
		return nil
	case err != nil || string(head[:len(magic)]) != magic:
		return newError(Corrupt, op, "the file is not a biomcp database")
	case binary.BigEndian.Uint32(head[idAt:]) != uint32(f):
		return newError(Foreign, op, "the file is a database of another program and was left as it is: move it elsewhere, or set another folder")
	}
	return nil
}
