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

	"github.com/tidwall/gjson"
	"github.com/xuri/excelize/v2"

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

// ErrTooLarge says that a sheet of a workbook cannot hold a table: it has at most 1,048,576
// rows, 16,384 columns and 32,767 characters in a cell
// (https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3).
var ErrTooLarge = errors.New("a workbook cannot hold it: the table has too many rows or columns, or a cell of more than 32,767 characters")

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
	out := csv.NewWriter(w)
	if form == TSV {
		out.Comma = '\t'
	}
	lines := [][]string{t.Names}
	for _, row := range t.Rows {
		line := make([]string, len(t.Names))
		for i, name := range t.Names {
			line[i] = text(row[name])
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

// workbook writes one sheet, of which the first row is the names and stays in sight. A cell
// has the type that it has in JSON, so that an id is a text; no text is a formula.
func (t *Table) workbook(w io.Writer) (err error) {
	if len(t.Rows) >= excelize.TotalRows || len(t.Names) > excelize.MaxColumns {
		return ErrTooLarge
	}
	book := excelize.NewFile()
	defer func() { err = errors.Join(err, book.Close()) }()
	sheet, err := book.NewStreamWriter("Sheet1")
	if err != nil {
		return err
	}
	if err := sheet.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	line := make([]any, len(t.Names))
	for i, name := range t.Names {
		line[i] = name
	}
	if err := sheet.SetRow("A1", line); err != nil {
		return err
	}
	for n, row := range t.Rows {
		for i, name := range t.Names {
			v := row[name]
			if line[i] = v.Value(); len(v.Str) > excelize.TotalCellChars && len(utf16.Encode([]rune(v.Str))) > excelize.TotalCellChars {
				return ErrTooLarge
			}
		}
		if err := sheet.SetRow("A"+strconv.Itoa(n+2), line); err != nil {
			return err
		}
	}
	if err := sheet.Flush(); err != nil {
		return err
	}
	return book.Write(w)
}
