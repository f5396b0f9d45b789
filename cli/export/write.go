package export

import (
	"encoding/csv"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/tealeg/xlsx/v3"
	"github.com/tidwall/gjson"

	"biomcp/store/replace"
)

// The forms of a table; a file of one ends in a dot and its name.
const (
	CSV   = "csv"
	TSV   = "tsv"
	JSONL = "jsonl" // a record in JSON on each line: https://jsonlines.org
	XLSX  = "xlsx"
)

// Endings are how the names of files of each form end.
func Endings() []string { return []string{"." + CSV, "." + TSV, "." + JSONL, "." + XLSX} }

// WriteFile writes the table to a file in the form of its ending, whole or not at all.
func (t *Table) WriteFile(file string) error {
	return replace.File(file, func(w io.Writer) error {
		return t.Write(w, strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), "."))
	})
}

// Write writes the table in a form.
func (t *Table) Write(w io.Writer, form string) error {
	switch form {
	case JSONL:
		for _, r := range t.records {
			if _, err := w.Write(append(slices.Clone(r), '\n')); err != nil {
				return err
			}
		}
		return nil
	case XLSX:
		return t.workbook(w)
	}
	out, blank := csv.NewWriter(w), strings.NewReplacer()
	if form == TSV { // of which a record is a line, and no field has a tab: the registration of text/tab-separated-values at IANA
		out.Comma, blank = '\t', strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ")
	}
	lines := [][]string{t.Names}
	for _, row := range t.Rows {
		line := make([]string, len(t.Names))
		for i, name := range t.Names {
			line[i] = blank.Replace(text(row[name]))
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

// text is a cell of a file of values. A text that a spreadsheet would take for a formula has
// an apostrophe before it, by the rule of https://owasp.org/www-community/attacks/CSV_Injection;
// a number has none, nor a sign alone, such as the strand of a gene.
func text(v gjson.Result) string {
	s := plain(v)
	if len(s) < 2 || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// ErrTooLarge says that a sheet of a workbook cannot hold a table: it has at most 1,048,576
// rows, 16,384 columns and 32,767 characters in a cell
// (https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3).
var ErrTooLarge = errors.New("a workbook cannot hold it: the table has too many rows or columns, or a cell of more than 32,767 characters")

const mostRows, mostColumns, mostCharacters = 1_048_576, 16_384, 32_767

// workbook writes one sheet, of which the first row is the names and stays in sight. A cell
// has the type that it has in JSON, so that an id is a text; no text is a formula.
//
// It is written by xlsx and not by excelize, which looks methods up by their names: the
// linker then keeps every exported method of the program, ten megabytes.
func (t *Table) workbook(w io.Writer) error {
	if len(t.Rows) >= mostRows || len(t.Names) > mostColumns {
		return ErrTooLarge
	}
	file := xlsx.NewFile()
	sheet, err := file.AddSheet("Sheet1")
	if err != nil {
		return err
	}
	sheet.SheetViews = []xlsx.SheetView{{Pane: &xlsx.Pane{YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft", State: "frozen"}}}
	names := sheet.AddRow()
	for _, name := range t.Names {
		names.AddCell().SetString(escaped.Replace(name))
	}
	for _, row := range t.Rows {
		line := sheet.AddRow()
		for _, name := range t.Names {
			cell, v := line.AddCell(), row[name]
			switch {
			case len(v.Str) > mostCharacters && len(utf16.Encode([]rune(v.Str))) > mostCharacters:
				return ErrTooLarge
			case v.Type == gjson.Number:
				cell.SetNumeric(v.Raw)
			case v.IsBool():
				cell.SetBool(v.Bool())
			case v.Type == gjson.String:
				cell.SetString(escaped.Replace(v.Str))
			}
		}
	}
	return file.Write(w)
}

// escaped holds a text that looks like an escape of a character, _x0041_, back from being
// read as one (ECMA-376, part 1, 22.9.2.19).
var escaped = strings.NewReplacer("_x", "_x005F_x")
