package sets

import (
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

// maxBad is the number of unreadable rows that is always tolerated. A file with more is rejected if
// they exceed a twentieth of its rows.
const maxBad = 10

// check returns an error if the rows since before do not suffice, and otherwise io.EOF. filled means that there must be
// some.
func (r *Report) check(file string, before Report, filled bool) error {
	bad, read := r.Skipped-before.Skipped, r.Read-before.Read
	switch all := bad + read; {
	case bad > maxBad && bad*20 > all || filled && read == 0 && bad > 0:
		return formatError(file, "%d of %d rows cannot be read (%s)", bad, all, r.Problem)
	case filled && read == 0:
		return formatError(file, "it has no rows")
	}
	return io.EOF
}

// FormatError is returned for a file that is rejected.
type FormatError struct{ File, Message string }

func (e *FormatError) Error() string { return e.File + " is not in the expected format: " + e.Message }

func formatError(file, format string, args ...any) error {
	return &FormatError{file, fmt.Sprintf(format, args...)}
}

// text converts a field to UTF-8, removes control characters and normalises spaces. A field that is
// not UTF-8 is decoded as Windows-1252, in which every byte is a character.
func text[T string | []byte](field T) string {
	s := string(field)
	clean := true
	for i := range len(s) {
		c := s[i]
		isSingle := c == ' ' && i > 0 && i < len(s)-1 && s[i-1] != ' '
		clean = clean && (c > ' ' && c < 0x7f || isSingle)
	}
	if clean {
		return s
	}
	if !utf8.ValidString(s) {
		s, _ = charmap.Windows1252.NewDecoder().String(s)
	}
	blank := func(r rune) bool { return r <= ' ' || r == 0x7f || r == 0xa0 }
	return strings.Join(strings.FieldsFunc(s, blank), " ")
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

// commaList splits a field at commas.
func commaList(field string) []string { return splitList(strings.ReplaceAll(field, ",", "|")) }

// numbers returns the numbers of a list in any notation: "PMID: 123, 456".
func numbers(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r < '0' || r > '9' })
}
