package sets

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"biomcp/store/table"
)

// Files maps the names of a data set's files to their decompressed contents.
type Files map[string]io.Reader

// PutRow receives the rows of a data set.
type PutRow func(*table.Row) error

// Report counts the rows that were read and those that could not be read.
type Report struct {
	Read, Skipped int    // rows
	Problem       string // why the first row was skipped
}

func (r *Report) skip(format string, args ...any) {
	if r.Skipped++; r.Problem == "" {
		r.Problem = fmt.Sprintf(format, args...)
	}
}

// FormatError is returned for a file that is rejected.
type FormatError struct{ File, Message string }

func (e *FormatError) Error() string { return e.File + " is not in the expected format: " + e.Message }

func formatError(file, format string, args ...any) error {
	return &FormatError{file, fmt.Sprintf(format, args...)}
}

// maxBad is the number of unreadable rows that is always tolerated. A file with more is rejected if
// they exceed a twentieth of its rows.
const maxBad = 10

func (r *Report) check(file string, before Report) error {
	if bad, all := r.Skipped-before.Skipped, r.Read-before.Read+r.Skipped-before.Skipped; bad > maxBad && bad*20 > all {
		return formatError(file, "%d of %d rows cannot be read (%s)", bad, all, r.Problem)
	}
	return nil
}

// record is one row, accessed by column name.
type record struct {
	columns map[string]int
	fields  []string
}

// get returns the text of a column, or "" if the row or the file does not have it.
func (r record) get(column string) string {
	if i, ok := r.columns[column]; ok && i < len(r.fields) {
		return r.fields[i]
	}
	return ""
}

// sheet is a text file of rows. Its first row names the columns, unless names is set.
type sheet struct {
	file      string
	comma     rune     // field separator; ',' means quoted CSV (RFC 4180), others mean no quoting
	names     []string // column names of a file without a header row
	required  []string // columns that the file must have; "a|b" means one of both
	minFields int      // minimum number of fields per row; 0 means enough for the required columns
	titled    bool     // lines of a title precede the column names; rules of plus signs separate the parts
	filled    bool     // the file must have rows, because other files of its set have some
}

// each calls f with every row. Column names are compared without case, "#" and surrounding spaces.
func (s sheet) each(files Files, report *Report, f func(record) error) error {
	in := files[s.file]
	if in == nil {
		return formatError(s.file, "it is missing")
	}
	before := *report
	end := &lastByteReader{Reader: in}
	next := s.rows(end)
	if s.titled {
		next = s.afterTitle(next)
	}
	last := 0 // number of fields of the previous row
	r := record{columns: map[string]int{}}
	names := s.names
	if names != nil {
		if err := s.mapColumns(&r, names); err != nil {
			return err
		}
	}
	open := false // whether the previous row may have an unclosed quote
	for line := 1; ; line++ {
		fields, err := next()
		switch {
		case errors.Is(err, io.EOF) && names == nil:
			return formatError(s.file, "it is empty")
		case errors.Is(err, io.EOF) && open:
			return formatError(s.file, "a quotation mark is not closed")
		case errors.Is(err, io.EOF) && end.byte != '\n' && last < len(names):
			return formatError(s.file, "it is cut off in its last row")
		case errors.Is(err, io.EOF) && s.filled && report.Read == before.Read:
			return formatError(s.file, "it has no rows")
		case errors.Is(err, io.EOF):
			return report.check(s.file, before)
		case errors.As(err, new(*csv.ParseError)) && names == nil:
			return formatError(s.file, "its first line cannot be read (%s)", errors.Unwrap(err))
		case errors.As(err, new(*csv.ParseError)):
			open = errors.Is(err, csv.ErrQuote)
			report.skip("%s, row %d: %s", s.file, line, errors.Unwrap(err))
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", s.file, err)
		}
		open, last = false, len(fields)
		if names == nil {
			names = fields
			if err := s.mapColumns(&r, names); err != nil {
				return err
			}
			continue
		}
		if len(fields) == 1 && strings.TrimSpace(fields[0]) == "" {
			continue
		}
		if least := max(s.minFields, 1); len(fields) < least || s.names == nil && len(fields) < len(s.required) {
			report.skip("%s, row %d: %d fields", s.file, line, len(fields))
			continue
		}
		for i := range fields {
			fields[i] = text(fields[i])
		}
		r.fields = fields
		report.Read++
		if err := f(r); err != nil {
			return err
		}
	}
}

// lastByteReader is a reader that remembers the last byte it read.
type lastByteReader struct {
	io.Reader
	byte byte
}

func (e *lastByteReader) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if n > 0 {
		e.byte = p[n-1]
	}
	return n, err
}

// mapColumns sets the column indexes of r. It returns an error if the file lacks a required column.
func (s sheet) mapColumns(r *record, names []string) error {
	for i, n := range names {
		n = strings.ToLower(strings.Trim(text(n), "# "))
		if _, twice := r.columns[n]; !twice {
			r.columns[n] = i
		}
	}
	for _, n := range s.required {
		alternatives := strings.Split(n, "|")
		if !slices.ContainsFunc(alternatives, func(a string) bool { _, ok := r.columns[a]; return ok }) {
			return formatError(s.file, "it has no column %q; its columns are %s", alternatives[0], firstNames(names))
		}
	}
	return nil
}

// afterTitle returns a function that returns the rows of next from the column names on, without rules of plus
// signs. If no row has the first required column, it returns the first row in place of the column names.
func (s sheet) afterTitle(next func() ([]string, error)) func() ([]string, error) {
	var first []string
	begun := false
	return func() ([]string, error) {
		for {
			fields, err := next()
			if errors.Is(err, io.EOF) && !begun && first != nil {
				begun = true
				return first, nil
			}
			if err != nil {
				return fields, err
			}
			if first == nil {
				first = fields
			}
			begun = begun || slices.ContainsFunc(fields, func(f string) bool {
				return strings.EqualFold(text(f), s.required[0])
			})
			if begun && (fields[0] == "" || strings.Trim(fields[0], "+") != "") {
				return fields, nil
			}
		}
	}
}

// firstNames formats the beginning of a list of names, which may contain anything.
func firstNames(names []string) string {
	names = slices.Clone(names[:min(len(names), 12)])
	for i := range names {
		names[i] = fmt.Sprintf("%.40q", text(names[i]))
	}
	return strings.Join(names, ", ")
}

// rows returns a function that returns the next row.
func (s sheet) rows(in io.Reader) func() ([]string, error) {
	lines := bufio.NewReaderSize(in, 1<<16)
	if mark, _ := lines.Peek(3); string(mark) == "\xef\xbb\xbf" {
		_, _ = lines.Discard(3) // cannot fail: the bytes are buffered
	}
	if s.comma == ',' {
		r := csv.NewReader(lines)
		r.FieldsPerRecord = -1
		return r.Read
	}
	return func() ([]string, error) {
		line, err := lines.ReadString('\n')
		if err != nil && (line == "" || !errors.Is(err, io.EOF)) {
			return nil, err
		}
		return strings.Split(strings.TrimRight(line, "\r\n"), string(s.comma)), nil
	}
}

// text converts a field to UTF-8, removes control characters and normalises spaces. A field that is
// not UTF-8 is decoded as Windows-1252, in which every byte is a character.
func text(field string) string {
	if !utf8.ValidString(field) {
		field, _ = charmap.Windows1252.NewDecoder().String(field)
	}
	blank := func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0xa0 }
	return strings.Join(strings.FieldsFunc(field, blank), " ")
}

// splitList splits a field at "|" and drops empty and repeated items.
func splitList(field string) []string {
	out := []string{}
	for item := range strings.SplitSeq(field, "|") {
		if item = strings.TrimSpace(item); item != "" && !slices.Contains(out, item) {
			out = append(out, item)
		}
	}
	return out
}
