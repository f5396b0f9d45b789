package export

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
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
	out, text := csv.NewWriter(w), csvText
	if form == TSV {
		// The IANA registration of text/tab-separated-values allows no tab or line break in a field.
		out.Comma, text = '\t', strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ").Replace
	}
	err := out.Write(t.Names)
	for _, row := range t.Rows {
		line := make([]string, len(t.Names))
		for i, name := range t.Names {
			line[i] = text(plain(row[name]))
		}
		if form == CSV && len(line) == 1 && line[0] == "" { // readers skip a blank line
			out.Flush()
			_, err = io.WriteString(w, "\"\"\n")
		} else {
			err = out.Write(line)
		}
		if err != nil {
			return err
		}
	}
	out.Flush()
	return cmp.Or(err, out.Error())
}

// csvText returns a text for a cell of CSV. Its line breaks are LF, because readers of CSV replace CR LF.
func csvText(s string) string {
	for strings.Contains(s, "\r\n") {
		s = strings.ReplaceAll(s, "\r\n", "\n")
	}
	return escapeFormula(s)
}

// escapeFormula puts an apostrophe before the text of a CSV cell that a spreadsheet would read as a
// formula (https://owasp.org/www-community/attacks/CSV_Injection), but not before a number or a single
// sign such as the strand of a gene. It does the same if only apostrophes precede such a sign, so that a
// reader who removes one apostrophe there has the text as it was. Other formats keep each value as it
// is: programs read TSV, and a workbook marks its cells as text.
func escapeFormula(s string) string {
	sign := strings.TrimLeft(s, "'")
	if len(s) < 2 || sign == "" || !strings.ContainsRune("=+-@\t\r", rune(sign[0])) {
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
		names.AddCell().SetString(escapeCharacters(name))
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
				cell.SetString(escapeCharacters(v.Str))
			}
		}
	}
	return file.Write(w)
}

// escapeCharacters writes the characters that XML cannot hold as escapes, such as _x001B_, and protects
// text that looks like one from being decoded (ECMA-376, part 1, 22.9.2.19).
func escapeCharacters(s string) string {
	s = strings.ReplaceAll(s, "_x", "_x005F_x")
	if strings.IndexFunc(s, isNoXML) < 0 {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if isNoXML(r) {
			fmt.Fprintf(&b, "_x%04X_", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isNoXML reports whether XML 1.0 cannot hold a character. It includes CR, which a reader of XML replaces
// by LF.
func isNoXML(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' || r == 0xFFFE || r == 0xFFFF
}
