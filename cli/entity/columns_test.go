package entity_test

import (
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/export"
)

// A person can read the table of whole records: an entity whose records have many fields names the
// columns of its table.
func TestTablesOfWholeRecordsAreNarrow(t *testing.T) {
	const most = 80
	for _, e := range cli.Entities() {
		if e.Template == nil {
			continue
		}
		template, _, err := e.Template(nil)
		if err != nil {
			t.Fatal(err)
		}
		table := export.New(nil, template)
		if export.AreJoined(e.Columns) { // all other columns too
			e.Columns = table.WithJoined(e.Columns)
		}
		if e.Columns != nil {
			if err := table.Pick(e.Columns); err != nil {
				t.Errorf("%s: %v", e.Name, err)
			}
		}
		if n := len(table.Names); n > most {
			t.Errorf("%s: got a table of %d columns, want at most %d", e.Name, n, most)
		}
	}
}

// Without --fields a table of articles has the columns of the card and says how to get all; JSON lines
// and named sections are whole.
func TestTheTableOfArticlesHasTheFieldsOfTheCard(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	file := filepath.Join(t.TempDir(), "a.tsv")
	for line, c := range map[string]struct {
		least, most int
		notice      bool
	}{
		"get article 90100001 --csv":                             {25, 40, true},
		"get article 90100001 90100002 --tsv":                    {25, 40, true},
		"batch article 90100001 90199999 --csv":                  {25, 46, true},
		"get article 90100001 --csv --fields all":                {150, 200, false},
		"batch article 90100001 --csv --fields all":              {150, 200, false},
		"get article 90100001 --csv --fields pmid,dates":         {10, 25, false},
		"get article 90100001 mesh grants --csv":                 {12, 40, false},
		"get article 90100001 --csv --fields pmid,general_notes": {2, 2, false},
	} {
		text, stderr, code := clitest.RunForPerson(t, app, line)
		equalExit(t, line, code, 0, stderr)
		head, _, _ := strings.Cut(text, "\n")
		if n := len(strings.FieldsFunc(head, func(r rune) bool { return r == ',' || r == '\t' })); n < c.least || n > c.most {
			t.Errorf("%s: got %d columns, want %d to %d: %s", line, n, c.least, c.most, head)
		}
		if got := strings.Contains(stderr, "--fields all writes all of them"); got != c.notice {
			t.Errorf("%s: got a notice %v, want %v: %s", line, got, c.notice, stderr)
		}
	}
	text, _, _ := clitest.RunForPerson(t, app, "get article 90100001 --jsonl")
	if !strings.Contains(text, `"indexing_method"`) {
		t.Errorf("get article --jsonl: got %.200s, want whole records", text)
	}
	text, stderr, code := clitest.RunForPerson(t, app, "get article 90100001 -o "+file)
	equalExit(t, "get article -o", code, 0, stderr)
	if !strings.Contains(text+stderr, "--fields all") || strings.Contains(text, "fields: 17") {
		t.Errorf("get article -o: got %s%s, want the columns of the card", text, stderr)
	}
	if reply := clitest.AskAgent(t, app, "get article 90100001 --csv", false); !strings.Contains(reply.Text, "pmid,title,") ||
		strings.Contains(reply.Text, "indexing_method") {
		t.Errorf("an agent gets %.300s, want the columns of the card", reply.Text)
	}
}

// Authors and corrections are one column each. Their members are columns only if asked.
func TestListsOfObjectsAreOneColumn(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, want := range map[string][]string{
		"get article 90100001 --csv":                                 {",authors,", "Example AB Jr; Muster J; Synthetic Mushroom Group"},
		"get article 90100001 --tsv":                                 {"\tauthors\t", "Example AB Jr; Muster J; Synthetic Mushroom Group"},
		"batch article 90100001 90199999 --csv":                      {",result.authors,", "Example AB Jr; Muster J; Synthetic Mushroom Group"},
		"get article 90100001 --csv --fields pmid,authors":           {"pmid,authors\n90100001,Example AB Jr; Muster J; Synthetic Mushroom Group\n"},
		"get article 90100001 --csv --fields pmid,authors.last_name": {"pmid,authors.last_name\n"},
		"get article 90100001 --csv --fields all":                    {"authors.last_name,", "authors.initials,"},
		"get article 90100002 --csv --fields pmid,corrections":       {"pmid,corrections\n90100002,RetractionIn 90100003"},
		"get article 90100001 --jsonl --fields pmid,authors":         {`"authors":[{"last_name":"Example"`},
	} {
		text, stderr, code := clitest.RunForPerson(t, app, line)
		equalExit(t, line, code, 0, stderr)
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: got %.1200s, want %q", line, text, w)
			}
		}
		if head, _, _ := strings.Cut(text, "\n"); !strings.Contains(line, "fields") && strings.Contains(head, "authors.") {
			t.Errorf("%s: the columns have members: %s", line, head)
		}
	}
}
