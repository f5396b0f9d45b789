package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"biomcp/cli/export"
)

// records are synthetic. They have a missing object, lists of texts and of objects, text that a
// spreadsheet would read as a formula, and numbers next to text that looks like numbers.
var records = []json.RawMessage{
	json.RawMessage(`{"pmid":"0012","title":"=HYPERLINK(\"x\")","journal":null,"authors":["Li A","-Ng B"],"mesh":[],"p":1e-300,"strand":"-","delta":"-0.5","major":true}`),
	json.RawMessage(`{"pmid":"34","title":"@b, \"c\"","journal":{"title":"J","year":2020},"authors":[],"mesh":[{"name":"A","qualifiers":["x","y"]},{"name":"B","qualifiers":[]}],"p":0,"strand":"+","delta":"","major":false}`),
}

func table(t *testing.T, fields ...string) *export.Table {
	t.Helper()
	table := export.New(slices.Clone(records), nil)
	if len(fields) > 0 {
		if err := table.Pick(fields); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

func TestForms(t *testing.T) {
	for _, c := range []struct {
		name, form, want string
		fields           []string
	}{
		{"every scalar", export.CSV, `pmid,title,journal.title,journal.year,authors,mesh.name,mesh.qualifiers,p,strand,delta,major
0012,"'=HYPERLINK(""x"")",,,Li A; -Ng B,,,1e-300,-,-0.5,true
34,"'@b, ""c""",J,2020,,A; B,"x, y; ",0,+,,false
`, nil},
		{"some fields in their order", export.TSV, "journal.title\tjournal.year\tpmid\n\t\t0012\nJ\t2020\t34\n", []string{"journal", "pmid"}},
		{"values as they are", export.TSV, "title\tauthors\n\"=HYPERLINK(\"\"x\"\")\"\tLi A; -Ng B\n\"@b, \"\"c\"\"\"\t\n", []string{"title", "authors"}},
		{"records as they are", export.JSONL, string(records[0]) + "\n" + string(records[1]) + "\n", nil},
		{"records with some members", export.JSONL, `{"pmid":"0012","mesh":[]}` + "\n" + `{"pmid":"34","mesh":[{"name":"A"},{"name":"B"}]}` + "\n", []string{"mesh.name", "pmid"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := table(t, c.fields...).Write(&b, c.form); err != nil || b.String() != c.want {
				t.Errorf("%v\n%s, want\n%s", err, b.String(), c.want)
			}
		})
	}
}

func TestARecordIsALineOfTSV(t *testing.T) {
	for form, want := range map[string]string{export.TSV: "abstract\tn\nOne two three\t1\n", export.CSV: "abstract,n\n\"One\ttwo\nthree\",1\n"} {
		var b bytes.Buffer
		if err := export.New([]json.RawMessage{[]byte(`{"abstract":"One\ttwo\nthree","n":1}`)}, nil).Write(&b, form); err != nil || b.String() != want {
			t.Errorf("%s: %v %q", form, err, b.String())
		}
	}
}

// Any text is read back from CSV, TSV and a workbook as it was. In CSV an apostrophe is removed before a
// formula, and line breaks are LF. In TSV they and tabs are spaces.
func TestTextsReadBack(t *testing.T) {
	parts := []string{"\x00", "\x1b[31m", "\r\n", "\r", "\n", "\t", "\v", "\x7f", "\u0085", "\u2028", "\"", "\"\"", "'", ",", ";", "=", "+", "-",
		"@", " ", "x\u0304", "_x0041_", `\.`, "#", "1", "a", "The \"Warburg effect\" revisited", ""}
	draw := rand.New(rand.NewPCG(1, 2))
	text := func() (s string) {
		for range draw.IntN(4) {
			s += parts[draw.IntN(len(parts))]
		}
		return s
	}
	lf, spaces := strings.NewReplacer("\r\r\n", "\n", "\r\n", "\n"), strings.NewReplacer("\r\n", " ", "\r", " ", "\n", " ", "\t", " ")
	for _, names := range [][]string{{"a"}, {"a", "b"}} {
		var records []json.RawMessage
		var rows [][]string
		for range 300 {
			row, record := []string{}, map[string]string{}
			for _, name := range names {
				record[name] = text()
				row = append(row, record[name])
			}
			line, err := json.Marshal(record)
			if err != nil {
				t.Fatal(err)
			}
			records, rows = append(records, line), append(rows, row)
		}
		for _, form := range []string{export.CSV, export.TSV, export.XLSX} {
			var b bytes.Buffer
			if err := export.New(records, nil).Write(&b, form); err != nil {
				t.Fatal(err)
			}
			got := readBack(t, &b, form)
			if n := len(rows) + 1; len(got) != n && form != export.XLSX {
				t.Fatalf("%s: %d rows are read back, want %d", form, len(got), n)
			}
			for i, row := range rows {
				for j, want := range row {
					switch form {
					case export.CSV:
						want = lf.Replace(lf.Replace(want))
					case export.TSV:
						want = spaces.Replace(want)
					}
					back := ""
					if i+1 < len(got) && j < len(got[i+1]) { // GetRows leaves out empty cells at the end
						back = got[i+1][j]
					}
					if back != want {
						t.Fatalf("%s, row %d: %q is read back as %q", form, i, want, back)
					}
				}
			}
		}
	}
}

// readBack returns the rows of a file, with the column names.
func readBack(t *testing.T, file *bytes.Buffer, form string) (rows [][]string) {
	t.Helper()
	var err error
	switch form {
	case export.XLSX:
		var book *excelize.File
		if book, err = excelize.OpenReader(file); err == nil {
			rows, err = book.GetRows("Sheet1", excelize.Options{RawCellValue: true})
		}
	case export.TSV:
		for line := range strings.Lines(file.String()) {
			r := csv.NewReader(strings.NewReader(line))
			r.Comma = '\t'
			row, failed := r.Read()
			if failed != nil && !errors.Is(failed, io.EOF) { // a blank line
				err = failed
			}
			rows = append(rows, row)
		}
	default:
		rows, err = csv.NewReader(file).ReadAll()
		for _, row := range rows {
			for j, text := range row {
				if sign := strings.TrimLeft(text, "'"); sign != "" && sign != text && strings.ContainsRune("=+-@\t\r", rune(sign[0])) {
					row[j] = text[1:]
				}
			}
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestWorkbookKeepsTexts(t *testing.T) {
	var b bytes.Buffer
	if err := table(t).Write(&b, export.XLSX); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }() // it was only read
	for cell, want := range map[string]struct {
		value string
		kind  excelize.CellType
	}{
		"A2": {"0012", excelize.CellTypeSharedString}, "B2": {`=HYPERLINK("x")`, excelize.CellTypeSharedString},
		"B3": {`@b, "c"`, excelize.CellTypeSharedString}, "D3": {"2020", excelize.CellTypeNumber}, "I2": {"-", excelize.CellTypeSharedString},
		"J2": {"-0.5", excelize.CellTypeSharedString}, "K2": {"TRUE", excelize.CellTypeBool}, "C2": {"", excelize.CellTypeUnset},
	} {
		t.Run(cell, func(t *testing.T) {
			value, err := book.GetCellValue("Sheet1", cell)
			kind, failed := book.GetCellType("Sheet1", cell)
			formula, bad := book.GetCellFormula("Sheet1", cell)
			if err := errors.Join(err, failed, bad); err != nil {
				t.Fatal(err)
			}
			if kind == excelize.CellTypeUnset && want.kind == excelize.CellTypeNumber {
				kind = excelize.CellTypeNumber // the default type of a cell
			}
			if value != want.value || kind != want.kind || formula != "" {
				t.Errorf("%q of type %d, formula %q", value, kind, formula)
			}
		})
	}
}

func TestWorkbookRefusesWhatItWouldCut(t *testing.T) {
	long := json.RawMessage(`{"a":"` + strings.Repeat("x", excelize.TotalCellChars+1) + `"}`)
	if err := export.New([]json.RawMessage{long}, nil).Write(&bytes.Buffer{}, export.XLSX); !errors.Is(err, export.ErrTooLarge) {
		t.Error(err)
	}
}

func TestPickRefusesAnUnknownName(t *testing.T) {
	var unknown *export.UnknownError
	if err := export.New(records, nil).Pick([]string{"pmid", "titel"}); !errors.As(err, &unknown) || unknown.Name != "titel" || !slices.Contains(unknown.Names, "title") {
		t.Error(err)
	}
	none := export.New(nil, json.RawMessage(`{"a":null}`))
	if err := none.Pick([]string{"b.c"}); err != nil || !slices.Equal(none.Names, []string{"b.c"}) {
		t.Errorf("of no records nothing is known: %v %v", err, none.Names)
	}
	if err := export.New(nil, json.RawMessage(`{"a":null,"b":null}`)).Pick([]string{"c"}); !errors.As(err, &unknown) {
		t.Errorf("the columns are known without records: %v", err)
	}
}

// Text that looks like a character escape is kept, and so are characters that XML forbids. What is not a
// character becomes U+FFFD.
func TestWorkbookEscapes(t *testing.T) {
	var b bytes.Buffer
	if err := export.New([]json.RawMessage{json.RawMessage(`{"a":"_x0041_ <&> \u0001\ud800 "}`)}, nil).Write(&b, export.XLSX); err != nil {
		t.Fatal(err)
	}
	book, err := excelize.OpenReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = book.Close() }() // it was only read
	if got, err := book.GetCellValue("Sheet1", "A2"); err != nil || got != "_x0041_ <&> \x01\uFFFD " {
		t.Errorf("%q, %v", got, err)
	}
}

// A list of objects is one column if its members are joined; its values come from the objects, in order.
func TestJoinedColumn(t *testing.T) {
	records := []json.RawMessage{
		[]byte(`{"id":1,"authors":[{"last":"Example","initials":"AB","group":null},{"last":null,"initials":null,"group":"G 7"}],"year":2020}`),
		[]byte(`{"id":2,"authors":[],"year":null}`),
	}
	table := export.New(records, nil)
	columns := []string{"authors last initials group"}
	if got, want := strings.Join(table.WithJoined(columns), "|"), "id|authors last initials group|year"; got != want {
		t.Errorf("columns are %s, want %s", got, want)
	}
	if err := table.Pick(table.WithJoined(columns)); err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	if err := table.Write(&text, export.CSV); err != nil {
		t.Fatal(err)
	}
	if want := "id,authors,year\n1,Example AB; G 7,2020\n2,,\n"; text.String() != want {
		t.Errorf("got %q, want %q", text.String(), want)
	}
	if err := export.New(records, nil).Pick([]string{"editors last"}); err == nil {
		t.Error("a list that no record has was joined, want an error")
	}
	if !export.AreJoined(columns) || export.AreJoined([]string{"id"}) || export.AreJoined(nil) {
		t.Error("AreJoined does not tell joined columns from others")
	}
}

// A joined column and columns of its members may be picked together, in any order.
func TestJoinedColumnBesideItsMembers(t *testing.T) {
	record := json.RawMessage(`{"id":1,"authors":[{"last":"Example","initials":"AB"},{"last":"Person","initials":"C"}]}`)
	const joined = "authors last initials"
	for names, want := range map[string]string{
		joined + "|authors.last":                       "authors,authors.last\nExample AB; Person C,Example; Person\n",
		"authors.last|" + joined:                       "authors.last,authors\nExample; Person,Example AB; Person C\n",
		"id|" + joined + "|authors.initials|" + joined: "id,authors,authors.initials\n1,Example AB; Person C,AB; C\n",
	} {
		table := export.New([]json.RawMessage{record}, nil)
		if err := table.Pick(strings.Split(names, "|")); err != nil {
			t.Errorf("picking %s: %v, want both columns", names, err)
			continue
		}
		var text strings.Builder
		if err := table.Write(&text, export.CSV); err != nil || text.String() != want {
			t.Errorf("picking %s: got %q, %v, want %q", names, text.String(), err, want)
		}
	}
}
