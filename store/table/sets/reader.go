package sets

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"biomcp/entrez/layout"
	"biomcp/store/table"
)

// Read reads the files of a data set, which is called set, and puts its rows. layouts declares the columns of the
// files. The error is a *FormatError if a file is missing, damaged or of another form.
func Read(set string, layouts []layout.File, files Files, put PutRow, report *Report) error {
	r := &reader{layouts, files, put, report, nil}
	map[string]func(*reader){
		"gtr": readGTR, "who-ivd": readWHOIVD, "ema": readEMA, "who": readWHO, "cvx": readCVX, "mesh": readMeSH, "hgnc": readHGNC,
		"cpic": readCPIC, "civic": readCIViC, "clingen": readClinGen, "gencc": readGenCC, "hpo": readHPO,
	}[set](r)
	return r.err
}

// A reader reads the files of a set one after the other. After an error it reads no more.
type reader struct {
	layouts []layout.File
	files   Files
	put     PutRow
	report  *Report
	err     error
}

// open returns the contents of a file, which are empty after an error.
func (r *reader) open(file string) io.Reader {
	in := r.files[file]
	if in == nil && r.err == nil {
		r.err = formatError(file, "it is missing")
	}
	if r.err != nil {
		return strings.NewReader("")
	}
	return withoutMark(in)
}

// layout returns the layout of a file. It panics if the set does not declare the file.
func (r *reader) layout(file string) layout.File {
	return r.layouts[slices.IndexFunc(r.layouts, func(f layout.File) bool { return f.Name == file })]
}

// withoutMark returns a reader of text without its byte order mark.
func withoutMark(in io.Reader) io.Reader {
	return transform.NewReader(in, unicode.BOMOverride(transform.Nop))
}

// putAll puts the rows, unless there was an error.
func (r *reader) putAll(rows ...*table.Row) {
	for _, row := range rows {
		if r.err == nil {
			r.err = r.put(row)
		}
	}
}

// skippedRow is the error for a row that cannot be read.
type skippedRow string

func (e skippedRow) Error() string { return string(e) }

func skip(format string, args ...any) error { return skippedRow(fmt.Sprintf(format, args...)) }

// readSheet calls row with every row of a file. A field of T with the tag column is set to the text of that column. Of
// several columns, separated by "|", the first with a text counts among those that the file declares.
func readSheet[T any](r *reader, file string, row func(*Sheet, *T) error) *Sheet {
	in := r.open(file)
	if r.err != nil {
		return nil
	}
	s, err := OpenSheet(r.layout(file), in, r.report)
	if err != nil {
		r.err = err
		return nil
	}
	tagged := taggedFields[T](func(column string) bool { _, ok := s.columns[column]; return ok })
	for err = s.Next(); err == nil; err = s.Next() {
		v := new(T)
		fill(v, tagged, s.Text)
		if err = row(s, v); errors.As(err, new(skippedRow)) {
			s.Skip("%s", err)
		} else if err != nil {
			r.err = err
			return s
		}
	}
	if !errors.Is(err, io.EOF) {
		r.err = err
	}
	return s
}

// A taggedField is a field of a struct with the tag column.
type taggedField struct {
	index   int
	columns []string
}

// taggedFields returns the fields of T with the tag column, and those of their columns that are declared.
func taggedFields[T any](declared func(column string) bool) (all []taggedField) {
	t := reflect.TypeFor[T]()
	for i := range t.NumField() {
		columns := strings.Split(t.Field(i).Tag.Get("column"), "|")
		if columns = slices.DeleteFunc(columns, func(c string) bool { return !declared(c) }); len(columns) > 0 {
			all = append(all, taggedField{i, columns})
		}
	}
	return all
}

// fill sets the fields of the struct at v to the texts of their columns.
func fill(v any, tagged []taggedField, get func(column string) string) {
	to := reflect.ValueOf(v).Elem()
	for _, f := range tagged {
		for _, c := range f.columns {
			if value := get(c); value != "" {
				to.Field(f.index).SetString(value)
				break
			}
		}
	}
}
