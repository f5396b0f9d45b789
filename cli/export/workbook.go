package export

import (
	"errors"
	"io"
	"strings"
	"unicode/utf16"

	"github.com/tealeg/xlsx/v3"
	"github.com/tidwall/gjson"
)

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
