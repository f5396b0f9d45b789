package archive

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strconv"
	"syscall"

	"github.com/klauspost/compress/gzip"

	"biomcp/store/study"
)

// unpack extracts the folder of study id into root. It reads r to its end.
func unpack(ctx context.Context, r io.Reader, id string, root *os.Root, limits Limits) error {
	z, err := gzip.NewReader(r)
	if err != nil {
		return archiveError(err)
	}
	stream := &stream{ctx: ctx, Reader: z, left: limits.Total}
	entries := tar.NewReader(stream)
	known := &names{study: id, limits: limits, seen: map[string]entry{}}
	if err := known.record(id+"/"+originName, false); err != nil { // reserves the name
		return err
	}
	for {
		h, err := entries.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return archiveError(err)
		}
		name, err := known.add(h)
		if err != nil {
			return err
		}
		switch {
		case name == "":
		case h.Typeflag == tar.TypeDir:
			err = root.MkdirAll(name, 0o755)
		default:
			err = write(root, name, entries)
		}
		if err != nil {
			return archiveError(err)
		}
	}
	if _, err := io.Copy(io.Discard, stream); err != nil { // verifies gzip's checksum
		return archiveError(err)
	}
	return nil
}

func write(root *os.Root, name string, from io.Reader) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Close())
}

// A stream limits the number of decompressed bytes and stops when ctx is done.
type stream struct {
	io.Reader
	ctx  context.Context
	left int64
}

var errTooLarge = errors.New("it is too large when unpacked")

func (s *stream) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := s.Reader.Read(p)
	if s.left -= int64(n); s.left < 0 {
		return n, errTooLarge
	}
	return n, err
}

func rejectionf(format string, args ...any) error {
	return &study.Error{Kind: study.BadArchive, Message: "the archive is refused: " + fmt.Sprintf(format, args...)}
}

// archiveError converts an error of reading the archive or writing its files into a study.Error.
func archiveError(err error) error {
	var typed *study.Error
	var file *fs.PathError
	switch {
	case errors.As(err, &typed), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.As(err, &file):
		return diskError("the study cannot be written", err)
	case errors.Is(err, errTooLarge):
		return rejectionf("%v", err)
	}
	return &study.Error{Kind: study.BadArchive, Message: "the archive is damaged or cut off", Err: err}
}

// diskError returns an error for a disk failure.
func diskError(message string, err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		message += ": there is no space left on the disk"
	}
	return &study.Error{Kind: study.Failed, Message: message, Err: err}
}

// quoteName quotes a name from an archive for a message and shortens it.
func quoteName(name string) string {
	if len(name) > 80 {
		name = name[:80] + "…"
	}
	return strconv.Quote(name)
}
