package entity

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"biomcp/cli/export"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// maxNamedRetractions is the maximum number of retracted articles that a notice names.
const maxNamedRetractions = 200

// RetractionNotices returns a notice that names retracted articles, or nil if ids is empty.
func RetractionNotices(ids []string) []string {
	switch n := len(ids); n {
	case 0:
		return nil
	case 1:
		return []string{record.RetractedNotice(ids[0])}
	default:
		named := strings.Join(ids[:min(n, maxNamedRetractions)], ", ")
		if n > maxNamedRetractions {
			named += fmt.Sprintf(" and %d more", n-maxNamedRetractions)
		}
		return []string{record.Label(true, fmt.Sprintf("%d articles have been retracted: %s", n, named))}
	}
}

// noteRetracted adds a notice of the retracted articles among the exported records, unless res already has it.
func noteRetracted(records []json.RawMessage, res *result.Result) {
	var ids []string
	for _, r := range records {
		of := gjson.ParseBytes(r)
		if whole := of.Get("result"); whole.IsObject() { // an item of a batch
			of = whole
		}
		if !of.Get("retracted").Bool() {
			continue
		}
		id := cmp.Or(of.Get("pmid").String(), strings.TrimPrefix(of.Get("doc_id").String(), "pmid:"), of.Get("doi").String())
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	for _, notice := range RetractionNotices(ids) {
		if !slices.Contains(res.Notices, notice) {
			res.Notice(notice)
		}
	}
}

// showsRetraction reports whether a column of the table tells which articles are retracted.
func showsRetraction(t *export.Table) bool {
	return slices.ContainsFunc(t.Names, func(name string) bool { return name == "retracted" || name == "result.retracted" })
}
