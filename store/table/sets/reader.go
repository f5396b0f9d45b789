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

	"biomcp/entrez/bulk"
	"biomcp/store/table"
)

// Read reads the files of a data set and puts its rows. A file that is missing, damaged or of another form is a
// *FormatError.
func Read(set *bulk.Set, files Files, put PutRow, report *Report) error {
	r := &reader{set, files, put, report, nil}
	map[*bulk.Set]func(*reader){
		bulk.GTR: readGTR, bulk.WHOIVD: readWHOIVD, bulk.EMA: readEMA, bulk.WHOMedicines: readWHO, bulk.CVX: readCVX,
		bulk.MeSH: readMeSH, bulk.HGNC: readHGNC, bulk.CPIC: readCPIC, bulk.CIViC: readCIViC, bulk.ClinGen: readClinGen,
		bulk.GenCC: readGenCC, bulk.HPO: readHPO,
	}[set](r)
	return r.err
}

// A reader reads the files of a set one after the other. After an error it reads no more.
type reader struct {
	set    *bulk.Set
	files  Files
	put    PutRow
	report *Report
	err    error
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
	s, err := OpenSheet(r.set.File(file), in, r.report)
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
