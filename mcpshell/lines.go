package mcpshell

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxLine bounds one message, in bytes.
const maxLine = 1 << 20

var errLongLine = errors.New("line too long")

// lineReader cuts a stream into lines and never holds more of one than max.
type lineReader struct {
	r   *bufio.Reader
	max int
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{bufio.NewReaderSize(r, 64<<10), max}
}

// next is the next line that is not blank, without its end, as newly allocated
// memory. A line over the bound is read to its end, dropped, and reported as
// errLongLine; the next call goes on behind it. Text before the end of the
// stream is a line too.
func (l *lineReader) next() ([]byte, error) {
	for {
		var line []byte
		size := 0
		for {
			part, err := l.r.ReadSlice('\n')
			size += len(part)
			if size <= l.max {
				line = append(line, part...)
			} else {
				line = nil
			}
			if err == nil {
				break
			}
			if err != bufio.ErrBufferFull {
				if size == 0 || err != io.EOF {
					return nil, err
				}
				break
			}
		}
		if size > l.max {
			return nil, errLongLine
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return line, nil
		}
	}
}
