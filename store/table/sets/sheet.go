package sets

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"biomcp/entrez/layout"
)

// maxTitle is the maximum number of rows before the column names, and maxLine the maximum length of a row in bytes,
// except in CSV. Rows of ClinVar have less than 1 MB.
const maxTitle, maxLine = 100, 16 << 20

// A Sheet reads a table in text. A [layout.File] declares its columns, which may stand in any order. Unknown columns and
// rows of a title before the column names are ignored.
type Sheet struct {
	Title  []string // rows before the column names, with tabs between their fields
	file   layout.File
	report *Report
	before Report
	next   func() ([][]byte, error)
	end    *endReader

	columns map[string]int // index in the file by the name that File declares, -1 if absent
	names   int            // number of columns of the file
	minimum int            // number of fields that a row must have
	row     int            // number of rows that were read, with the title and the column names
	fields  [][]byte       // fields of the last row, valid until the next one is read
	quote   csv.ParseError // the wrong quotation mark of the last row
}

// OpenSheet reads the column names of a file: the first of its rows with the first required column.
func OpenSheet(file layout.File, in io.Reader, report *Report) (*Sheet, error) {
	s := &Sheet{file: file, report: report, before: *report, columns: map[string]int{}}
	s.end = &endReader{Reader: in}
	switch rows := withoutMark(s.end); {
	case file.NoHeader:
		s.next = splitRows(rows, file.Name, "|")
		return s, s.findColumns(strings.Split(strings.ReplaceAll(file.Columns, "?", ""), "|"))
	case strings.HasSuffix(file.Name, ".csv"):
		s.next = csvRows(rows)
	default:
		s.next = splitRows(rows, file.Name, "\t")
	}
	var longest []string // the first of the longest rows
	for range maxTitle {
		err := s.read()
		if errors.Is(err, io.EOF) {
			break
		}
		if errors.As(err, new(*csv.ParseError)) {
			err = formatError(file.Name, "its first line cannot be read (%s)", errors.Unwrap(err))
		}
		if err != nil {
			return nil, err
		}
		var names []string
		for _, f := range s.fields {
			names = append(names, text(f))
		}
		if s.isHeader(names) {
			return s, s.findColumns(names)
		}
		if len(names) > len(longest) && !s.isRule() {
			longest = names
		}
		s.Title = append(s.Title, strings.Join(names, "\t"))
	}
	if longest == nil {
		return nil, formatError(file.Name, "it is empty")
	}
	return nil, s.findColumns(longest)
}

// isRule reports whether the last row is a rule: every field consists of plus signs.
func (s *Sheet) isRule() bool {
	return !slices.ContainsFunc(s.fields, func(f []byte) bool { return len(f) == 0 || len(bytes.Trim(f, "+")) > 0 })
}

// isHeader reports whether a row has the first required column.
func (s *Sheet) isHeader(names []string) bool {
	for _, c := range s.file.List() {
		if !c.Optional {
			return slices.ContainsFunc(c.Names, func(n string) bool { return indexOf(names, n) >= 0 })
		}
	}
	return true
}

// indexOf returns the index of a column, or -1 if absent. Names are compared without case, "#" and spaces around them.
func indexOf(names []string, column string) int {
	return slices.IndexFunc(names, func(n string) bool { return strings.EqualFold(strings.Trim(n, "# "), column) })
}

// findColumns sets the indexes of the columns. It returns an error if a required one is missing.
func (s *Sheet) findColumns(names []string) error {
	s.names = len(names)
	for _, c := range s.file.List() {
		at := -1
		for _, n := range c.Names {
			if at < 0 {
				at = indexOf(names, n)
			}
		}
		s.columns[c.Names[0]] = at
		switch {
		case c.Optional:
		case at < 0:
			names = slices.Clone(names[:min(len(names), 12)])
			for i := range names {
				names[i] = fmt.Sprintf("%.40q", names[i])
			}
			return formatError(s.file.Name, "it has no column %q; its columns are %s", c.Names[0],
				strings.Join(names, ", "))
		default:
			s.minimum = max(s.minimum, at+1)
		}
	}
	return nil
}

// RequireAllFields lets Next skip rows that have fewer fields than the file has columns.
func (s *Sheet) RequireAllFields() { s.minimum = s.names }

// Next reads the next row. It skips rows without a required column, and rules of plus signs. After the last row it
// returns io.EOF, or an error if the file is cut off, has no rows, or has many that cannot be read.
func (s *Sheet) Next() error {
	for {
		last := len(s.fields)
		err := s.read()
		switch bad := (*csv.ParseError)(nil); {
		case errors.Is(err, io.EOF) && s.end.isAt(s.quote):
			return formatError(s.file.Name, "a quotation mark is not closed")
		case errors.Is(err, io.EOF) && s.end.byte != '\n' && last < s.names:
			return formatError(s.file.Name, "it is cut off in its last row")
		case errors.Is(err, io.EOF):
			return s.report.check(s.file.Name, s.before, true)
		case errors.As(err, &bad):
			s.quote = *bad
			s.skip(bad.Err.Error())
			continue
		case err != nil:
			return err
		}
		switch {
		case len(s.fields) == 1 && len(bytes.TrimSpace(s.fields[0])) == 0 || s.isRule():
		case len(s.fields) < s.minimum:
			s.skip(fmt.Sprint(len(s.fields), " fields"))
		default:
			s.report.Read++
			return nil
		}
	}
}

// Skip counts the last row as unreadable.
func (s *Sheet) Skip(format string, args ...any) {
	s.report.Read--
	s.skip(fmt.Sprintf(format, args...))
}

func (s *Sheet) skip(problem string) { s.report.skip("%s, row %d: %s", s.file.Name, s.row, problem) }

// read reads the next row of the file.
func (s *Sheet) read() error {
	s.row++
	fields, err := s.next()
	if err == nil {
		s.fields = fields
	}
	return err
}

// Text returns the text of a column in the last row, or "" if the file or the row does not have it.
func (s *Sheet) Text(column string) string {
	i, declared := s.columns[column]
	switch {
	case !declared:
		panic("sets: " + s.file.Name + " declares no column " + column)
	case i < 0 || i >= len(s.fields):
		return ""
	}
	return text(s.fields[i])
}

// An endReader remembers the end of the text that it read.
type endReader struct {
	io.Reader
	byte  byte // the last byte
	lines int  // number of lines before the last one
	width int  // length of the last line in bytes, with its line end
}

func (e *endReader) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if n == 0 {
		return n, err
	}
	if e.byte == '\n' {
		e.lines, e.width = e.lines+1, 0
	}
	before := p[:n-1]
	e.width += n
	if last := bytes.LastIndexByte(before, '\n'); last >= 0 {
		e.lines, e.width = e.lines+bytes.Count(before, []byte("\n")), n-1-last
	}
	e.byte = p[n-1]
	return n, err
}

// isAt reports whether an error of CSV is at the end, so that a quotation mark is open.
func (e *endReader) isAt(err csv.ParseError) bool {
	return errors.Is(err.Err, csv.ErrQuote) && err.Line == e.lines+1 && err.Column >= e.width
}

// csvRows returns a function that returns the next row of quoted CSV (RFC 4180).
func csvRows(in io.Reader) func() ([][]byte, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	return func() (fields [][]byte, err error) {
		row, err := r.Read()
		for _, f := range row {
			fields = append(fields, []byte(f))
		}
		return fields, err
	}
}

// splitRows returns a function that returns the fields of the next line, which have no quotes. They are valid until the
// next call.
func splitRows(in io.Reader, file, separator string) func() ([][]byte, error) {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<18), maxLine)
	var fields [][]byte
	return func() ([][]byte, error) {
		switch {
		case lines.Scan() && lines.Err() == nil:
		case errors.Is(lines.Err(), bufio.ErrTooLong):
			return nil, formatError(file, "a row is longer than %d MB", maxLine>>20)
		default:
			return nil, cmp.Or(lines.Err(), io.EOF)
		}
		line := lines.Bytes()
		fields = fields[:0]
		for found := true; found; {
			var field []byte
			field, line, found = bytes.Cut(line, []byte(separator))
			fields = append(fields, field)
		}
		return fields, nil
	}
}
