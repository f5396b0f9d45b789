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
)

// The file formats, which are also the file name extensions without the dot.
const (
	CSV   = "csv"
	TSV   = "tsv"
	JSONL = "jsonl" // one JSON record per line: https://jsonlines.org
	XLSX  = "xlsx"
)

// Extensions returns the file name extensions of all formats, with the dot.
func Extensions() []string { return []string{"." + CSV, "." + TSV, "." + JSONL, "." + XLSX} }

// Form returns the format for the extension of a file.
func Form(file string) string { return strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".") }

// Write writes the table to w in the given format.
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
	out, text := csv.NewWriter(w), escapeFormula
	if form == TSV {
		// The IANA registration of text/tab-separated-values allows no tab or line break in a field.
		out.Comma, text = '\t', strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ").Replace
	}
	lines := [][]string{t.Names}
	for _, row := range t.Rows {
		line := make([]string, len(t.Names))
		for i, name := range t.Names {
			line[i] = text(plain(row[name]))
		}
		lines = append(lines, line)
	}
	return out.WriteAll(lines)
}

// escapeFormula puts an apostrophe before the text of a CSV cell that a spreadsheet would read as a
// formula (https://owasp.org/www-community/attacks/CSV_Injection), but not before a number or a single
// sign such as the strand of a gene. Other formats keep each value as it is: programs read TSV, and a
// workbook marks its cells as text.
func escapeFormula(s string) string {
	if len(s) < 2 || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	if _, err := strconv.ParseFloat(s, 64); err == nil {
		return s
	}
	return "'" + s
}

// ErrTooLarge is returned if a table does not fit into a worksheet, which is limited to
// 1,048,576 rows, 16,384 columns and 32,767 characters per cell
// (https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3).
var ErrTooLarge = errors.New("a workbook cannot hold it: the table has too many rows or columns, " +
	"or a cell of more than 32,767 characters")

const maxRows, maxColumns, maxCharacters = 1_048_576, 16_384, 32_767

// workbook writes one worksheet whose first row holds the column names and stays visible. Each
// cell has the type of its JSON value, so an id remains text and no text is a formula.
//
// It uses xlsx rather than excelize. Excelize looks up methods by name, so the linker would
// keep every exported method of the program, which adds ten megabytes.
func (t *Table) workbook(w io.Writer) error {
	if len(t.Rows) >= maxRows || len(t.Names) > maxColumns {
		return ErrTooLarge
	}
	file := xlsx.NewFile()
	sheet, err := file.AddSheet("Sheet1")
	if err != nil {
		return err
	}
	below := &xlsx.Pane{YSplit: 1, TopLeftCell: "A2", ActivePane: "bottomLeft", State: "frozen"}
	sheet.SheetViews = []xlsx.SheetView{{Pane: below}}
	names := sheet.AddRow()
	for _, name := range t.Names {
		names.AddCell().SetString(escaper.Replace(name))
	}
	for _, row := range t.Rows {
		line := sheet.AddRow()
		for _, name := range t.Names {
			cell, v := line.AddCell(), row[name]
			switch {
			case len(v.Str) > maxCharacters && len(utf16.Encode([]rune(v.Str))) > maxCharacters:
				return ErrTooLarge
			case v.Type == gjson.Number:
				cell.SetNumeric(v.Raw)
			case v.IsBool():
				cell.SetBool(v.Bool())
			case v.Type == gjson.String:
				cell.SetString(escaper.Replace(v.Str))
			}
		}
	}
	return file.Write(w)
}

// escaper protects text that looks like a character escape, such as _x0041_, from being decoded
// (ECMA-376, part 1, 22.9.2.19).
var escaper = strings.NewReplacer("_x", "_x005F_x")
