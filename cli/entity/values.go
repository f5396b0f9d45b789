package entity

import (
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// textAnswer is an answer whose text is for another program. Its JSON is that
// of the answer.
type textAnswer struct {
	result.Payload
	text string
}

func (a textAnswer) Doc() result.Doc { return result.Doc{result.Verbatim{Text: a.text}} }

// MarshalJSON is the answer's.
func (a textAnswer) MarshalJSON() ([]byte, error) { return result.JSON(a.Payload) }

// ValueFlags define the forms of a table that other programs read.
func ValueFlags(f *command.Flags) {
	f.Bool("csv", false, "the table as comma-separated values; of a search all hits that one answer may have, or --limit of them")
	f.Bool("tsv", false, "the same as tab-separated values")
	f.Rare("csv", "tsv")
}

// CheckForms refuses more than one form of an answer.
func CheckForms(in *command.Input, forms ...string) error {
	var given []string
	for _, f := range append([]string{"json"}, forms...) {
		if v := in.String(f); v != "" && v != "false" {
			given = append(given, "--"+f)
		}
	}
	if len(given) > 1 {
		return result.Invalid("an answer has one form: give one of "+strings.Join(given, ", "), in.Again(given[1], "")...)
	}
	return nil
}

// AsValues makes the text of an answer a table as --csv or --tsv, where one was
// asked for: a line of column names, then the rows.
func AsValues(in *command.Input, columns []result.Column, rows [][]string, res *result.Result) error {
	if !in.Bool("csv") && !in.Bool("tsv") {
		return nil
	}
	var text strings.Builder
	w := csv.NewWriter(&text)
	if in.Bool("tsv") {
		w.Comma = '\t'
	}
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	if err := w.WriteAll(append([][]string{names}, rows...)); err != nil {
		return err
	}
	res.Payload = textAnswer{res.Payload, text.String()}
	return nil
}

// tables are the names of the sections that are one table.
func (s *Spec[R]) tables() (names []string) {
	for _, sec := range s.Sections {
		if sec.Table {
			names = append(names, sec.Name)
		}
	}
	return names
}

// checkValues refuses --csv and --tsv where the answer is not one table.
func (s *Spec[R]) checkValues(in *command.Input, ids []string, asked Asked) error {
	tables := s.tables()
	if s.Rows.Row == nil && len(tables) == 0 {
		return nil
	}
	if err := CheckForms(in, "csv", "tsv"); err != nil {
		return err
	}
	if s.Rows.Row != nil || len(asked) == 1 && slices.Contains(tables, asked[0]) {
		return nil
	}
	return OneTable(in, ids, asked, tables)
}

// OneTable refuses --csv and --tsv where the answer is not one of the sections that are
// tables.
func OneTable(in *command.Input, words []string, asked Asked, tables []string) error {
	for _, form := range []string{"csv", "tsv"} {
		if in.Bool(form) {
			i := max(0, slices.IndexFunc(tables, asked.Has))
			return result.Invalid(fmt.Sprintf("--%s gives one table: name one of the sections %s", form, strings.Join(tables, ", ")),
				in.Line(append(slices.Clone(words), tables[i]))...)
		}
	}
	return nil
}

// values makes an answer the values of its one table. Of a section each row begins
// with the record that it belongs to.
func (a *answer[R]) values(in *command.Input, res *result.Result) error {
	if a.spec.Rows.Row != nil {
		t := a.table()
		return AsValues(in, t.Columns, t.Rows, res)
	}
	if !slices.Contains(a.spec.tables(), a.asked.only()) {
		return nil
	}
	t := a.section(a.found.Records)
	return AsValues(in, t.Columns, t.Rows, res)
}

// section is the one section that was asked for of some records, where it is a table.
func (a *answer[R]) section(records []*R) result.Table {
	t := result.Table{Rows: [][]string{}}
	for _, sec := range a.spec.Sections {
		if sec.Name != a.asked.only() {
			continue
		}
		for _, r := range records {
			for _, b := range sec.Doc(r) {
				if one, is := b.(result.Table); is {
					t.Columns = append(result.Columns(strings.ToUpper(a.spec.Name[:1])+a.spec.Name[1:]), one.Columns...)
					for _, row := range one.Rows {
						t.Rows = append(t.Rows, append([]string{a.spec.ID(r)}, row...))
					}
				}
			}
		}
	}
	return t
}

// table is the records as one table.
func (a *answer[R]) table() result.Table {
	t := result.Table{Columns: result.Columns(a.spec.Rows.Columns...), Rows: [][]string{}, Main: true}
	for _, r := range a.found.Records {
		t.Rows = append(t.Rows, a.spec.Rows.Row(r))
	}
	return t
}

// only is the one section that was asked for, "" if there are others or none.
func (a Asked) only() string {
	if len(a) != 1 {
		return ""
	}
	return a[0]
}
