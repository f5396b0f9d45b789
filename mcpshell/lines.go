package mcpshell

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// maxLine is the maximum length of one message in bytes.
const maxLine = 1 << 20

var errLongLine = errors.New("line too long")

// A lineReader splits a stream into lines. It holds at most max bytes of a line.
type lineReader struct {
	r   *bufio.Reader
	max int
	id  idScanner // scanned the newest line
}

func newLineReader(r io.Reader, max int) *lineReader {
	return &lineReader{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// next returns the next line that is not blank, without its line end, in newly allocated memory.
// A longer line than max is skipped and reported as errLongLine, and l.id then has its request's
// ID. The last line may lack a line end.
func (l *lineReader) next() ([]byte, error) {
	for {
		var line []byte
		size := 0
		l.id = idScanner{}
		for {
			part, err := l.r.ReadSlice('\n')
			size += len(part)
			switch {
			case size <= l.max:
				line = append(line, part...)
			case line != nil:
				l.id.scan(line)
				line = nil
				fallthrough
			default:
				l.id.scan(part)
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

// An idScanner finds the ID of a JSON-RPC request in a line of any length, part by part, without
// storing the line.
type idScanner struct {
	depth           int
	quoted, escaped bool
	value           bool   // after the colon of a member
	text            []byte // name or value being read, at most maxID bytes
	isID            bool   // the member is "id"
	found           []byte
}

// maxID is the maximum length of the ID of an oversized request, in bytes.
const maxID = 256

func (s *idScanner) scan(part []byte) {
	for _, c := range part {
		if s.depth == 0 && c > ' ' && c != '{' {
			s.depth = -1 << 31 // not an object
		}
		if s.depth == 1 && !s.quoted {
			switch c {
			case ':':
				s.value, s.isID, s.text = true, string(s.text) == `"id"`, s.text[:0]
				continue
			case ',', '}':
				if s.value && s.isID && s.found == nil {
					s.found = bytes.Clone(s.text)
				}
				s.value, s.isID, s.text = false, false, s.text[:0]
			}
		}
		if s.depth == 1 && len(s.text) <= maxID && (s.quoted || c == '"' || c > ' ' && c != ',') {
			s.text = append(s.text, c)
		}
		switch {
		case s.escaped:
			s.escaped = false
		case s.quoted && c == '\\':
			s.escaped = true
		case c == '"':
			s.quoted = !s.quoted
		case s.quoted:
		case c == '{', c == '[':
			s.depth++
		case c == '}', c == ']':
			s.depth--
		}
	}
}

// request returns the ID, or nil if an answer cannot carry it.
func (s *idScanner) request() json.RawMessage {
	if len(s.found) > maxID || !json.Valid(s.found) || !isRequestID(s.found) {
		return nil
	}
	return s.found
}
