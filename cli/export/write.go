package export

import (
	"encoding/csv"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
