package study_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// tables holds lines of study commands with the member of their JSON that is the table.
var tables = map[string]string{
	"study list":                                                              "studies",
	"study summary -s synthetic_demo":                                         "attributes",
	"study top-mutated -s synthetic_demo":                                     "rows",
	"study filter -s synthetic_demo --mutated TP53":                           "matched_sample_ids",
	"study survival -s synthetic_demo -g TP53":                                "groups",
	"study compare -s synthetic_demo -g TP53 --type expression --target EGFR": "groups",
	"study compare -s synthetic_demo -g TP53 --type mutations --target KRAS":  "groups",
	"study compare -s synthetic_demo -g TP53 --type mutations --genes all":    "rows",
	"study co-occurrence -s synthetic_demo -g TP53,KRAS,EGFR":                 "pairs",
	"study top-altered -s synthetic_demo":                                     "rows",
	"study compare -s synthetic_demo -g TP53 --all":                           "rows",
	"study coexpression -s synthetic_demo -g TP53":                            "rows",
	"study coexpression -s synthetic_demo -g TP53,MDM2":                       "groups",
	"study query -s synthetic_demo -g TP53,KRAS":                              "results",
}

// Each table of study is exported with all rows, in each format and at each door.
func TestEachTableOfStudyIsExported(t *testing.T) {
	app := commandtest.Study(t)
	for line, member := range tables {
		t.Run(line, func(t *testing.T) {
			page := line
			if strings.Contains(line, "study top-") || strings.Contains(line, "all") || strings.HasSuffix(line, "coexpression -s synthetic_demo -g TP53") {
				page += " --limit 500" // the most of one page
			}
			text, code := clitest.Ask(t, app, command.Person, page+" --json")
			var answer map[string]json.RawMessage
			var rows []json.RawMessage
			if err := json.Unmarshal([]byte(text), &answer); err != nil || code != 0 {
				t.Fatalf("exit %d, %v: %s", code, err, text)
			}
			if err := json.Unmarshal(answer[member], &rows); err != nil || len(rows) == 0 {
				t.Fatalf("%v: no %s: %s", err, member, text)
			}
			stdout, stderr, code := clitest.RunForPerson(t, app, line+" --csv")
			if n := strings.Count(stdout, "\n") - 1; code != 0 || n != len(rows) || strings.Contains(stderr, "these are rows") {
				t.Errorf("--csv: exit %d, %d rows, want %d: %s%s", code, n, len(rows), stdout, stderr)
			}
			tsv, _, _ := clitest.RunForPerson(t, app, line+" --tsv")
			if header, _, _ := strings.Cut(stdout, "\n"); !strings.HasPrefix(tsv, strings.ReplaceAll(header, ",", "\t")+"\n") {
				t.Errorf("--tsv: the header is %.200s, want %s", tsv, header)
			}
			if jsonl, _, _ := clitest.RunForPerson(t, app, line+" --jsonl"); strings.Count(jsonl, "\n") != len(rows) || !json.Valid([]byte(strings.SplitN(jsonl, "\n", 2)[0])) {
				t.Errorf("--jsonl: %s, want %d records", jsonl, len(rows))
			}
			if reply := clitest.AskAgent(t, app, line+" --csv", false); reply.IsError || !strings.HasPrefix(reply.Text, stdout[:20]) {
				t.Errorf("MCP: %v %s", reply.IsError, reply.Text)
			}
			file := filepath.Join(t.TempDir(), "table.xlsx")
			if text, code := clitest.Ask(t, app, command.Person, line+" -o "+file); code != 0 || !strings.Contains(text, file+": records: ") {
				t.Errorf("-o x.xlsx: exit %d: %s", code, text)
			}
		})
	}
}

// A part of a table says how many rows there are, and the next command writes another file.
func TestAShortTableOfStudyCountsItsRows(t *testing.T) {
	app := commandtest.Study(t)
	name := filepath.Join(t.TempDir(), "top")
	for _, line := range []string{"study top-mutated -s synthetic_demo", "study compare -s synthetic_demo -g TP53 --type mutations --genes all"} {
		_, stderr, code := clitest.RunForPerson(t, app, line+" --limit 2 -o "+name+".csv --force")
		if code != 0 || !strings.Contains(stderr, "these are rows 1 to 2 of ") || !strings.Contains(stderr, "--output "+name+"-3.csv") {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
	for line, want := range map[string]string{
		"study survival -s synthetic_demo -g TP53 --chart survival --csv": "--chart cannot be used with --csv",
		"study survival -s synthetic_demo -g TP53 --csv --json":           "an answer has one form",
		"study survival -s synthetic_demo -g TP53 --fields n_patients":    "--fields requires --csv",
	} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d: %s", line, code, text)
		}
	}
}
