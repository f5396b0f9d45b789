package study

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// newText returns the text of a file with bare CR line ends replaced by LF. It decodes UTF-16,
// with or without a byte order mark; recoded is then true, and offsets in the text are not
// offsets in the file.
func newText(r *bufio.Reader) (text io.Reader, recoded bool) {
	start, _ := r.Peek(4)
	order, isUTF16 := byteOrder(start)
	if isUTF16 {
		decoder := unicode.UTF16(order, unicode.UseBOM).NewDecoder()
		return &lineEnds{r: bufio.NewReaderSize(transform.NewReader(r, decoder), 64<<10)}, true
	}
	return &lineEnds{r: r}, false
}

// byteOrder reports whether text is UTF-16, as its mark shows, or else its first two characters
// if they are ASCII.
func byteOrder(start []byte) (unicode.Endianness, bool) {
	switch {
	case len(start) < 2:
		return unicode.LittleEndian, false
	case start[0] == 0xfe && start[1] == 0xff:
		return unicode.BigEndian, true
	case start[0] == 0xff && start[1] == 0xfe:
		return unicode.LittleEndian, true
	case len(start) < 4:
		return unicode.LittleEndian, false
	case start[0] == 0 && start[2] == 0 && start[1] != 0 && start[3] != 0:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, start[1] == 0 && start[3] == 0 && start[0] != 0 && start[2] != 0
}

// lineEnds replaces each CR that no LF follows by LF. The length of the text does not change.
type lineEnds struct{ r *bufio.Reader }

// Read implements io.Reader. If the last byte read is CR, it peeks at the next one.
func (l *lineEnds) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	b := p[:n]
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '\r')
		if i < 0 {
			return n, err
		}
		at := from + i
		next := byte(0)
		if at+1 < n {
			next = b[at+1]
		} else if peeked, _ := l.r.Peek(1); len(peeked) > 0 {
			next = peeked[0]
		}
		if next != '\n' {
			b[at] = '\n'
		}
		from = at + 1
	}
}

// text returns a field as UTF-8. Input that is not UTF-8 is decoded as Windows-1252, a superset
// of Latin-1.
func text(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	s, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\ufffd")
	}
	return string(s)
}
