package study_test

import (
	"bytes"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
)

// A footnote explains a column that the table above it shows, at each width: the notes of columns that a narrow
// terminal omits are omitted too, and no text of its own begins with the name of a column.
func TestFootnotesExplainShownColumns(t *testing.T) {
	app := commandtest.Study(t)
	notes := 0
	for _, line := range []string{
		"co-occurrence -s synthetic_demo -g TP53,KRAS", "co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR,PIK3CA,PTEN",
		"survival -s synthetic_demo -g TP53", "survival -s synthetic_demo --by STAGE", "compare -s synthetic_demo -g TP53 --all",
		"compare -s synthetic_demo -g TP53 --genes all", "compare -s synthetic_demo -g TP53 --target EGFR",
		"coexpression -s synthetic_demo -g TP53", "top-mutated -s synthetic_demo", "top-altered -s synthetic_demo",
		"query -s synthetic_demo -g TP53,KRAS", "query -s synthetic_demo -g TP53 -t cna", "oncoprint -s synthetic_demo -g TP53,KRAS",
		"filter -s synthetic_demo --mutated TP53", "cohort -s synthetic_demo -g TP53", "summary -s synthetic_demo",
	} {
		out := clitest.Run(t, app, command.Person, "study "+line)
		if out.Failure != nil {
			t.Fatalf("%s: %v", line, out.Failure)
		}
		for _, width := range []int{40, 80, 120, 300} {
			var b bytes.Buffer
			if err := result.Render(&b, &b, out, result.Format{Terminal: true, Width: width}); err != nil {
				t.Fatal(err)
			}
			text := strings.Join(strings.Fields(b.String()), " ")
			for _, block := range out.Result.Doc() {
				switch block := block.(type) {
				case result.Table:
					for _, c := range block.Columns {
						if before, after, found := strings.Cut(text, c.Note); c.Note != "" && found {
							notes++
							term, _, _ := strings.Cut(c.Note, ":")
							for word := range strings.FieldsSeq(term) { // a header can have several lines
								if !strings.Contains(before, word) {
									t.Errorf("%s at %d columns: no %q above its note\n%s", line, width, term, before+after)
								}
							}
						}
					}
				case result.Para:
					for _, other := range out.Result.Doc() {
						table, _ := other.(result.Table)
						for _, c := range table.Columns {
							if strings.HasPrefix(block.Text, c.Name+": ") {
								t.Errorf("%s: %q explains a column; want a note of the column", line, block.Text)
							}
						}
					}
				}
			}
		}
	}
	if notes == 0 {
		t.Error("want notes of columns, got none")
	}
}
