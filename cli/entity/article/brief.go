package article

import (
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/result"
	"biomcp/entrez/record"
)

// briefTable is the rows of a list of articles for a line or two each.
func briefTable() *result.Table {
	t := &result.Table{Columns: result.Columns("Title", "First author", "Journal", "Id", "Marks")}
	t.Columns[3].Whole = true
	return t
}

// brief is an article in few words. Source is as [sourceLine] makes it, and id names its
// kind: "PMID 1".
func brief(retracted bool, title string, authors []string, source, id string, marks ...string) []string {
	journal, when, _ := strings.Cut(source, ". ")
	first := ""
	if len(authors) > 0 {
		first = entity.EtAl(authors[:1], 1)
	}
	if len(when) >= 4 {
		journal += " " + when[:4]
	}
	return []string{record.Label(retracted, title), first, journal, id, strings.Join(marks, ", ")}
}
