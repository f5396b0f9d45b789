package export

import (
	"archive/zip"
	"bufio"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/tidwall/gjson"
)

// ErrTooLarge says that a sheet of a workbook cannot hold a table: it has at most 1,048,576
// rows, 16,384 columns and 32,767 characters in a cell
// (https://support.microsoft.com/office/1672b34d-7043-467e-8e27-269d656771c3).
var ErrTooLarge = errors.New("a workbook cannot hold it: the table has too many rows or columns, or a cell of more than 32,767 characters")

const mostRows, mostColumns, mostCharacters = 1_048_576, 16_384, 32_767

// The parts of a workbook beside its one sheet, as ECMA-376, part 1, chapters 12 and 18,
// asks for them.
var workbookParts = [][2]string{
	{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
		`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
		`<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`},
	{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
	{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">` +
		`<sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`},
	{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`},
}

// workbook writes one sheet, of which the first row is the names and stays in sight. A cell
// has the type that it has in JSON, so that an id is a text; no text is a formula.
//
// The library for workbooks that was used before looks methods up by their names, after
// which the linker keeps every exported method in the program: ten megabytes.
func (t *Table) workbook(w io.Writer) error {
	if len(t.Rows) >= mostRows || len(t.Names) > mostColumns {
		return ErrTooLarge
	}
	files := zip.NewWriter(w)
	for _, part := range workbookParts {
		if err := writePart(files, part[0], func(b *bufio.Writer) { b.WriteString(part[1]) }); err != nil {
			return err
		}
	}
	tooLarge := false
	err := writePart(files, "xl/worksheets/sheet1.xml", func(b *bufio.Writer) {
		b.WriteString(`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetViews><sheetView workbookViewId="0">` +
			`<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData><row>`)
		for _, name := range t.Names {
			writeText(b, name)
		}
		for _, row := range t.Rows {
			b.WriteString("</row><row>")
			for _, name := range t.Names {
				v := row[name]
				tooLarge = tooLarge || len(v.Str) > mostCharacters && len(utf16.Encode([]rune(v.Str))) > mostCharacters
				writeCell(b, v)
			}
		}
		b.WriteString("</row></sheetData></worksheet>")
	})
	if tooLarge {
		return ErrTooLarge
	}
	return errors.Join(err, files.Close())
}

func writePart(files *zip.Writer, name string, write func(*bufio.Writer)) error {
	part, err := files.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return err
	}
	b := bufio.NewWriter(part)
	b.WriteString(xml.Header)
	write(b)
	return b.Flush() // which has the first error of the writes
}

func writeCell(b *bufio.Writer, v gjson.Result) {
	switch v.Type {
	case gjson.Number:
		b.WriteString("<c><v>" + v.Raw + "</v></c>")
	case gjson.True:
		b.WriteString(`<c t="b"><v>1</v></c>`)
	case gjson.False:
		b.WriteString(`<c t="b"><v>0</v></c>`)
	case gjson.String:
		writeText(b, v.Str)
	default:
		b.WriteString("<c/>")
	}
}

// escaped holds a text that looks like an escape of a character, _x0041_, back from being
// read as one (ECMA-376, part 1, 22.9.2.19).
var escaped = strings.NewReplacer("_x", "_x005F_x")

func writeText(b *bufio.Writer, s string) {
	b.WriteString(`<c t="inlineStr"><is><t xml:space="preserve">`)
	_ = xml.EscapeText(b, []byte(escaped.Replace(s))) // b keeps the error
	b.WriteString("</t></is></c>")
}
