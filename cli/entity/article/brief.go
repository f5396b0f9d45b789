package article

import (
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
)

// briefTable is the rows of a list of articles for a line or two each.
func briefTable() *result.Table {
	t := &result.Table{Columns: result.Columns("Title", "First author", "Journal", "Id", "Marks")}
	t.Columns[3].Whole = true
	return t
}

// brief is an article in few words. Title is as [record.Listed] makes it, source is as [sourceLine] makes it, and id names its
// kind: "PMID 1".
func brief(title string, authors []string, source, id string, marks ...string) []string {
	journal, when, _ := strings.Cut(source, ". ")
	first := ""
	if len(authors) > 0 {
		first = entity.EtAl(authors[:1], 1)
	}
	if len(when) >= 4 {
		journal += " " + when[:4]
	}
	return []string{title, first, journal, id, strings.Join(marks, ", ")}
}
