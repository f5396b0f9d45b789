// Package export makes records in JSON the rows of a table, and a file of them: comma- or
// tab-separated values, JSON lines, or a workbook for a spreadsheet.
//
// The columns follow from the records, and have the names that their JSON has: a member of
// a member is "journal.title". A list is one cell, its values separated by "; ", and by
// ", " where they are lists themselves; of a list of objects each member is such a list,
// with an empty place for an object that lacks it.
//
//	t := export.New(records, nil)
//	err := t.Write(w, export.CSV)
//
// It is not for text that people read, which package result makes.
package export

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Table is records as rows.
type Table struct {
	Names   []string // of the columns
	Rows    []map[string]gjson.Result
	records []json.RawMessage
}

// New makes a table of JSON objects. like is an object with the members that all have, in
// their order; nil if they are not known.
func New(records []json.RawMessage, like json.RawMessage) *Table {
	t := &Table{records: records, Rows: make([]map[string]gjson.Result, len(records))}
	known := map[string]bool{}
	if like != nil {
		t.row(like, known)
	}
	for i, r := range records {
		t.Rows[i] = t.row(r, known)
	}
	// Where an object or a list of objects is missing its name alone is there.
	t.Names = slices.DeleteFunc(t.Names, func(name string) bool {
		return slices.ContainsFunc(t.Names, func(n string) bool { return within(n, name) && n != name }) &&
			!slices.ContainsFunc(t.Rows, func(row map[string]gjson.Result) bool { return row[name].Type != gjson.Null })
	})
	return t
}

// row is the cells of a record by their columns. A new column follows the one before it in
// the record.
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

type cell struct {
	name  string
	value gjson.Result
}

// flat is the scalars of a value; between stands between those of a list.
func flat(name string, v gjson.Result, between string) (cells []cell) {
	switch {
	case v.IsObject():
		v.ForEach(func(key, member gjson.Result) bool {
			cells = append(cells, flat(strings.TrimPrefix(name+"."+key.Str, "."), member, between)...)
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
		if text := strings.Join(texts[cells[i].name], between); strings.Trim(text, "; ,") != "" {
			cells[i].value = gjson.Result{Type: gjson.String, Str: text}
		}
	}
	if cells == nil {
		return []cell{{name: name}}
	}
	return cells
}

// plain is a scalar as text; a number is as it is in JSON.
func plain(v gjson.Result) string {
	if v.Type == gjson.Number {
		return v.Raw
	}
	return v.String()
}

// within reports whether member is name or lies in it.
func within(name, member string) bool {
	return name == member || strings.HasPrefix(name, member+".")
}

// UnknownError is a name that no record has.
type UnknownError struct {
	Name  string
	Names []string // of the fields that exist
}

func (e *UnknownError) Error() string { return fmt.Sprintf("no record has a field %q", e.Name) }

// Pick leaves only some columns, in the order of the names; the name of an object or a
// list stands for all that is in it. The error is an [UnknownError]; a table without rows
// that has one column, of the record that they would belong to, cannot know, and takes every
// name.
func (t *Table) Pick(names []string) error {
	var picked []string
	for _, name := range names {
		found := slices.DeleteFunc(slices.Clone(t.Names), func(n string) bool { return !within(n, name) })
		switch {
		case len(found) == 0 && (len(t.Rows) > 0 || len(t.Names) > 1):
			return &UnknownError{name, t.Names}
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

// part appends a value with only the members of some names.
func part(b []byte, name string, v gjson.Result, names []string) []byte {
	if slices.ContainsFunc(names, func(n string) bool { return within(name, n) }) || !v.IsObject() && !v.IsArray() {
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
			if !slices.ContainsFunc(names, func(n string) bool { return within(at, n) || within(n, at) }) {
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
