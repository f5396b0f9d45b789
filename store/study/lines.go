package study

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// maxLine is the maximum length of a line in bytes. A matrix row with a million samples fits.
const maxLine = 64 << 20

// lines reads text line by line without copying it. Lines end with LF or CR LF.
type lines struct {
	file   string
	r      *bufio.Reader
	no     int   // number of the current line, from 1
	start  int64 // offset of the current line
	length int   // length of the current line with its end
	long   []byte
}

func newLines(file string, r io.Reader) *lines {
	buffered, ok := r.(*bufio.Reader)
	if !ok {
		buffered = bufio.NewReaderSize(r, 256<<10)
	}
	return &lines{file: file, r: buffered}
}

// next returns the next line without its line end, valid until the next call. After the last
// line it returns io.EOF.
func (l *lines) next() ([]byte, error) {
	l.start += int64(l.length)
	b, err := l.r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		l.long = append(l.long[:0], b...)
		for errors.Is(err, bufio.ErrBufferFull) && len(l.long) <= maxLine {
			b, err = l.r.ReadSlice('\n')
			l.long = append(l.long, b...)
		}
		b = l.long
	}
	l.no++
	l.length = len(b)
	switch {
	case len(b) > maxLine:
		return nil, l.errorf("", "the line is longer than 64 MiB")
	case err != nil && !errors.Is(err, io.EOF):
		damaged := l.errorf("", "the rest of the file cannot be read; it may be damaged")
		damaged.Err = err
		return nil, damaged
	case len(b) == 0:
		return nil, io.EOF
	}
	b = bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
	if l.no == 1 {
		b = bytes.TrimPrefix(b, []byte("\ufeff"))
	}
	return b, nil
}

// each calls fn for each remaining line that is not blank.
func (l *lines) each(fn func(line []byte) error) error {
	for {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && len(bytes.TrimSpace(line)) > 0 {
			err = fn(line)
		}
		if err != nil {
			return err
		}
	}
}

// errorf returns an error of kind Malformed at the current line.
func (l *lines) errorf(column, format string, args ...any) *Error {
	return &Error{Kind: Malformed, File: l.file, Line: l.no, Column: column, Message: fmt.Sprintf(format, args...)}
}

// A header is the first line of a table that is neither blank nor a comment, with the comments
// above it. A later line that begins with # is data.
type header struct {
	names      []string
	at         map[string]int // column by name in upper case; the first if a name repeats
	duplicates map[int]int    // second column of a repeated name, keyed by the first
	comments   [][]string     // fields of each comment line, without the #
}

func (l *lines) header() (*header, error) {
	h := &header{at: map[string]int{}, duplicates: map[int]int{}}
	for {
		line, err := l.next()
		if errors.Is(err, io.EOF) {
			return nil, &Error{Kind: Malformed, File: l.file, Message: "the file has no header line"}
		}
		if err != nil {
			return nil, err
		}
		if bytes.IndexByte(line, 0) >= 0 {
			return nil, l.errorf("", "this is not text in UTF-8, UTF-16 or Latin-1; save the file as UTF-8")
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if line[0] == '#' {
			h.comments = append(h.comments, strings.Split(text(line[1:]), "\t"))
			continue
		}
		for i, name := range strings.Split(text(line), "\t") {
			name = strings.TrimSpace(name)
			key := strings.ToUpper(name)
			h.names = append(h.names, name)
			if first, known := h.at[key]; !known {
				h.at[key] = i
			} else if h.duplicates[first] == 0 && name != "" {
				h.duplicates[first] = i
			}
		}
		for len(h.names) > 0 && h.names[len(h.names)-1] == "" { // trailing tabs
			h.names = h.names[:len(h.names)-1]
		}
		return h, nil
	}
}

// column returns the index of the first of names that the header has, or -1.
func (h *header) column(names ...string) int {
	for _, n := range names {
		if i, ok := h.at[strings.ToUpper(n)]; ok && i < len(h.names) {
			return i
		}
	}
	return -1
}

// checkUnique returns an error if one of the columns has a name that appears twice.
func (l *lines) checkUnique(h *header, columns []int) error {
	for _, c := range columns {
		if second := h.duplicates[c]; second > 0 {
			err := newError(Malformed, "the column appears twice, as number %d and as number %d, "+
				"and it is unclear which is right; rename one", c+1, second+1)
			err.File, err.Column = l.file, h.names[c]
			return err
		}
	}
	return nil
}

// fields stores the fields of a row at the wanted columns, which must be ascending, in out. A
// field missing at the end of the row is empty. A row with more fields than the header is an
// error unless the extra fields are blank.
func (l *lines) fields(h *header, line []byte, wanted []int, out [][]byte) error {
	column, w := 0, 0
	rest := line
	for w < len(wanted) {
		tab := bytes.IndexByte(rest, '\t')
		if column == wanted[w] {
			if tab < 0 {
				out[w] = rest
			} else {
				out[w] = rest[:tab]
			}
			w++
		}
		if tab < 0 {
			for ; w < len(wanted); w++ {
				out[w] = nil
			}
			break
		}
		rest = rest[tab+1:]
		column++
	}
	if n := bytes.Count(line, []byte("\t")) + 1; n > len(h.names) {
		extra := bytes.Split(line, []byte("\t"))[len(h.names):]
		for i, e := range extra {
			if len(bytes.TrimSpace(e)) > 0 {
				return l.errorf(strconv.Itoa(len(h.names)+1+i), "the row has %d fields, the header %d", n, len(h.names))
			}
		}
	}
	return nil
}

// rows calls fn for each row that is not blank, passing its fields at the wanted columns in
// that order. A wanted column of -1 is absent and its field always empty. The fields are valid
// during the call only.
func (l *lines) rows(h *header, wanted []int, fn func(fields [][]byte) error) error {
	if err := l.checkUnique(h, wanted); err != nil {
		return err
	}
	var ascending []int
	place := make([]int, len(wanted))
	for i := range h.names {
		for w, at := range wanted {
			if at == i {
				if len(ascending) == 0 || ascending[len(ascending)-1] != i {
					ascending = append(ascending, i)
				}
				place[w] = len(ascending) - 1
			}
		}
	}
	found := make([][]byte, len(ascending))
	out := make([][]byte, len(wanted))
	return l.each(func(line []byte) error {
		if err := l.fields(h, line, ascending, found); err != nil {
			return err
		}
		for w, at := range wanted {
			if out[w] = nil; at >= 0 {
				out[w] = bytes.TrimSpace(found[place[w]])
			}
		}
		return fn(out)
	})
}

// A dictionary numbers distinct texts from 0 in order of appearance.
type dictionary struct {
	words []string
	at    map[string]uint32
}

// number returns the number of a text, adding the text if it is new.
func (d *dictionary) number(b []byte) uint32 {
	if i, ok := d.at[string(b)]; ok {
		return i
	}
	if d.at == nil {
		d.at = map[string]uint32{}
	}
	i := uint32(len(d.words))
	d.words = append(d.words, text(b))
	d.at[string(b)] = i
	return i
}
