package disk

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// FileType is the application ID by which our databases are recognised
// (https://www.sqlite.org/fileformat.html#application_id). A file has it from the first page
// written.
type FileType uint32

// Check returns an error if a file holds something else: Corrupt if it is not an SQLite file
// (SQLite takes a file of a few bytes for an empty database and would overwrite it), Foreign if it
// is a database of another program. It only reads the header.
func (f FileType) Check(ctx context.Context, op, path string) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return Wrap(ctx, op, err)
	}
	defer file.Close()
	const magic, idAt = "SQLite format 3\x00", 68
	head := make([]byte, 100)
	n, err := io.ReadFull(file, head)
	switch {
	case n == 0:
		return nil
	case err != nil || string(head[:len(magic)]) != magic:
		return NewError(Corrupt, op, "the file is not a biomcp database")
	case binary.BigEndian.Uint32(head[idAt:]) != uint32(f):
		return NewError(Foreign, op, "the file is a database of another program and was left unchanged: "+
			"move it elsewhere, or set another folder")
	}
	return nil
}
