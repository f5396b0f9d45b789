package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/export"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

func (b *batchReport) Doc() result.Doc {
	t := b.rows()
	t.Main = len(b.sections) == 0
	doc := result.Doc{
		result.Heading{Level: 1, Text: "Batch: " + b.Entity},
		result.Fields{{Name: "Found", Value: fmt.Sprintf("%d of %d", b.Summary.Found, b.Summary.Total)}}, t,
	}
	if len(b.sections) > 0 {
		for _, it := range b.records() {
			doc = append(doc, it.doc.Item()...)
		}
	}
	return doc
}

// rows returns a table with one row per id.
func (b *batchReport) rows() result.Table {
	t := result.Table{Columns: result.Columns("Id", "Status", "What")}
	for _, it := range b.Items {
		what := ""
		if it.Error != nil {
			what = it.Error.Message
		}
		t.Rows = append(t.Rows, []string{it.Input, it.Status, cmp.Or(what, labelOf(it.Result))})
	}
	return t
}

// export returns the rows to write to a file: those of the requested section if it is a table,
// otherwise one per item. template is an empty row with the same members.
func (b *batchReport) export(e entity.Entity) (rows []json.RawMessage, template json.RawMessage, err error) {
	template, table, err := e.Template(b.sections)
	if table {
		for _, it := range b.records() {
			rows, err = append(rows, it.rows...), cmp.Or(err, it.unread)
		}
		if len(rows) > 0 {
			err = nil // a notice names the ids without rows
		}
		return rows, template, err
	}
	for _, it := range append(slices.Clone(b.Items), item{Result: template, Error: &problem{}}) {
		row, failed := result.JSON(&it)
		rows, err = append(rows, row), cmp.Or(err, failed)
	}
	return rows[:len(b.Items)], rows[len(b.Items)], err
}

// columns returns the columns of a table of whole records, or nil for all columns.
func (b *batchReport) columns(e entity.Entity) (columns []string) {
	if e.Columns == nil || len(b.sections) > 0 {
		return nil
	}
	ofRecord := result.Map(e.Columns, func(name string) string { return "result." + name })
	if export.AreJoined(e.Columns) { // the table has all other columns too
		return ofRecord
	}
	return slices.Concat([]string{"input", "status"}, ofRecord, []string{"error"})
}

// records returns the items with a record, each record once.
func (b *batchReport) records() (items []item) {
	for _, it := range b.Items {
		isSame := func(o item) bool { return bytes.Equal(o.Result, it.Result) }
		if it.Result != nil && !slices.ContainsFunc(items, isSame) {
			items = append(items, it)
		}
	}
	return items
}

// labelOf returns a short label for a record: its symbol, title, name or ids.
func labelOf(raw json.RawMessage) string {
	var r struct {
		Symbol, Title, Name string
		PMID, PMCID, DOI    string
		Retracted           bool
		Types               []string `json:"publication_types"`
	}
	_ = json.Unmarshal(raw, &r) // a record without these members gets no label
	if r.Symbol != "" && r.Name != "" {
		return r.Symbol + ": " + r.Name
	}
	return cmp.Or(record.ListLabel(r.Retracted, slices.Contains(r.Types, record.PreprintType), r.Title), r.Name, r.Symbol,
		strings.Join(strings.Fields(r.PMID+" "+r.PMCID+" "+r.DOI), ", "))
}
