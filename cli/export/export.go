// Package export converts JSON records to a table and writes it to a file: comma- or
// tab-separated values, JSON lines, or a spreadsheet workbook.
//
// Columns are named after the JSON members; a nested member is "journal.title". A list is
// one cell, its values separated by "; ", or by ", " inside another list. A list of objects
// becomes one such column per member, with an empty value for an object that lacks it.
//
//	t := export.New(records, nil)
//	err := t.Write(w, export.CSV)
//
// Package result produces the text that people read.
package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// A Table holds records as rows. Its columns are the scalar members of the records.
type Table struct {
	Names   []string // column names
	Rows    []map[string]gjson.Result
	records []json.RawMessage
}

// New returns a table of JSON objects. template is an object whose members define the first
// columns, in order; nil if the members are unknown.
func New(records []json.RawMessage, template json.RawMessage) *Table {
	t := &Table{records: records, Rows: make([]map[string]gjson.Result, len(records))}
	known := map[string]bool{}
	if template != nil {
		t.row(template, known)
	}
	for i, r := range records {
		t.Rows[i] = t.row(r, known)
	}
	// If an object is missing in a record, its name became a column. Drop it if the members
	// are columns too and it holds no values.
	t.Names = slices.DeleteFunc(t.Names, func(name string) bool {
		return slices.ContainsFunc(t.Names, func(n string) bool { return contains(n, name) && n != name }) &&
			!slices.ContainsFunc(t.Rows, func(row map[string]gjson.Result) bool { return row[name].Type != gjson.Null })
	})
	return t
}

// row returns the cells of a record by column. It inserts new columns into t.Names, each after
// the preceding column of the record.
func (t *Table) row(record json.RawMessage, known map[string]bool) map[string]gjson.Result {
	row, last := map[string]gjson.Result{}, ""
	for _, c := range flat("", gjson.ParseBytes(record), "; ") {
		if !known[c.name] {
			known[c.name] = true
			t.Names = slices.Insert(t.Names, slices.Index(t.Names, last)+1, c.name)
		}
		row[c.name], last = c.value, c.name
	}
	return row
}

// cell is one scalar of a record with its column.
type cell struct {
	name  string
	value gjson.Result
}

// flat splits a value into scalars. It joins the values of a list with separator.
func flat(name string, v gjson.Result, separator string) (cells []cell) {
	switch {
	case v.IsObject():
		v.ForEach(func(key, member gjson.Result) bool {
			cells = append(cells, flat(strings.TrimPrefix(name+"."+key.Str, "."), member, separator)...)
			return true
		})
		return cells
	case !v.IsArray():
		return []cell{{name, v}}
	}
	list, texts := v.Array(), map[string][]string{}
	for i, one := range list {
		for _, c := range flat(name, one, ", ") {
			if texts[c.name] == nil {
				texts[c.name] = make([]string, len(list))
				cells = append(cells, cell{name: c.name})
			}
			texts[c.name][i] = plain(c.value)
		}
	}
	for i := range cells {
		if text := strings.Join(texts[cells[i].name], separator); strings.Trim(text, "; ,") != "" {
			cells[i].value = gjson.Result{Type: gjson.String, Str: text}
		}
	}
	if cells == nil {
		return []cell{{name: name}}
	}
	return cells
}

// plain formats a scalar as text. A number keeps its JSON spelling.
func plain(v gjson.Result) string {
	if v.Type == gjson.Number {
		return v.Raw
	}
	return v.String()
}

// contains reports whether member is name itself or a member of it.
func contains(name, member string) bool {
	return name == member || strings.HasPrefix(name, member+".")
}

// UnknownError is returned by Pick for a name that no record has.
type UnknownError struct {
	Name  string
	Names []string // the columns that exist
}

func (e *UnknownError) Error() string { return fmt.Sprintf("no record has a field %q", e.Name) }

// Pick keeps only the named columns, in the order of names. The name of an object or a list
// selects all its members. A name with the members of a list behind it, such as "authors last_name initials",
// selects one column that joins them for each object. It returns an [UnknownError] if no column matches a name. A
// table without rows and with at most one column does not know its columns and accepts every name.
func (t *Table) Pick(names []string) error {
	whole := slices.Clone(t.Names) // join replaces columns that other names select
	for _, name := range names {
		t.join(JoinedColumn(name))
	}
	var picked []string
	for _, name := range names {
		name, members := JoinedColumn(name)
		columns := whole
		if members != nil {
			columns = t.Names
		}
		found := slices.DeleteFunc(slices.Clone(columns), func(n string) bool { return !contains(n, name) })
		switch {
		case len(found) == 0 && (len(t.Rows) > 0 || len(whole) > 1):
			return &UnknownError{name, whole}
		case len(found) == 0:
			found = []string{name}
		}
		for _, n := range found {
			if !slices.Contains(picked, n) {
				picked = append(picked, n)
			}
		}
	}
	t.Names = picked
	for i, r := range t.records {
		t.records[i] = part(nil, "", gjson.ParseBytes(r), picked)
	}
	return nil
}

// JoinedColumn returns the name of a column and the members that it joins, nil if it joins none.
func JoinedColumn(name string) (column string, members []string) {
	words := strings.Fields(name)
	if len(words) < 2 {
		return name, nil
	}
	return words[0], words[1:]
}

// AreJoined reports whether each of names joins the members of a list.
func AreJoined(names []string) bool {
	return len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool {
		_, members := JoinedColumn(name)
		return members == nil
	})
}

// WithJoined returns the columns of t with each of the joined columns instead of the members of its list.
func (t *Table) WithJoined(columns []string) (names []string) {
	for _, name := range t.Names {
		for _, joined := range columns {
			if column, _ := JoinedColumn(joined); contains(name, column) {
				name = joined
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// join replaces the columns of the members of a list with one column: the values of members for each object, in that
// order. It does nothing if the table has none of the columns.
func (t *Table) join(name string, members []string) {
	at := slices.IndexFunc(t.Names, func(n string) bool { return contains(n, name) })
	if at < 0 || members == nil {
		return
	}
	t.Names = slices.DeleteFunc(t.Names, func(n string) bool { return contains(n, name) })
	t.Names = slices.Insert(t.Names, at, name)
	for i, r := range t.records {
		var objects []string
		for _, object := range gjson.GetBytes(r, name).Array() {
			var values []string
			for _, m := range members {
				if text := plain(object.Get(m)); text != "" {
					values = append(values, text)
				}
			}
			objects = append(objects, strings.Join(values, " "))
		}
		t.Rows[i][name] = gjson.Result{}
		if text := strings.Join(objects, "; "); strings.Trim(text, "; ") != "" {
			t.Rows[i][name] = gjson.Result{Type: gjson.String, Str: text}
		}
	}
}

// part appends v to b, reduced to the members that names select.
func part(b []byte, name string, v gjson.Result, names []string) []byte {
	if slices.ContainsFunc(names, func(n string) bool { return contains(name, n) }) || !v.IsObject() && !v.IsArray() {
		return append(b, cmp.Or(v.Raw, "null")...)
	}
	open, end := "{", "}"
	if v.IsArray() {
		open, end = "[", "]"
	}
	b = append(b, open...)
	v.ForEach(func(key, member gjson.Result) bool {
		at, head := name, ""
		if v.IsObject() {
			at, head = strings.TrimPrefix(name+"."+key.Str, "."), key.Raw+":"
			if !slices.ContainsFunc(names, func(n string) bool { return contains(at, n) || contains(n, at) }) {
				return true
			}
		}
		if b[len(b)-1] != open[0] {
			b = append(b, ',')
		}
		b = part(append(b, head...), at, member, names)
		return true
	})
	return append(b, end...)
}
