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
// is a database of another program, or no file but a folder, pipe or device. It only reads the header.
func (f FileType) Check(ctx context.Context, op, path string) error {
	info, err := os.Stat(path) // opening a pipe would wait for its writer
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return NewError(Foreign, op, "%s has the name of the file and was left unchanged: "+
			"move it elsewhere, or set another folder", describe(info.Mode()))
	}
	if err != nil {
		return Wrap(ctx, op, err)
	}
	file, err := OpenRaw(path)
	if err != nil {
		return Wrap(ctx, op, err)
	}
	defer file.Close()
	const magic, idAt = "SQLite format 3\x00", 68
	head := make([]byte, 100)
	n, err := io.ReadFull(io.NewSectionReader(file, 0, int64(len(head))), head)
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

// describe names the kind of something that is not a regular file.
func describe(m os.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&os.ModeNamedPipe != 0:
		return "a named pipe"
	case m&os.ModeSocket != 0:
		return "a socket"
	}
	return "a device"
}
