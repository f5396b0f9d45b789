package article_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Data formats return all rows up to their limit, and report where they end.
func TestDataIsAllHits(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 1030, nil)
	app := commandtest.NCBI(t, srv)
	for _, c := range []struct {
		flags        string
		may          command.Policy
		lines        int
		notice, next string
	}{
		{"--pmids", command.Person, 1030, "", ""},
		{"--pmids --limit 1010", command.Person, 1010, "", ""},
		{"--pmids --offset 1000", command.Person, 30, "", ""},
		{"--pmids", command.Agent, 200, "these are hits 1 to 200 of 1030", "--pmids --offset 200"},
		{"--csv", command.Person, 1001, "these are hits 1 to 1000 of 1030", "--csv --offset 1000"},
		{"--tsv --limit 5000", command.Person, 1001, "limit lowered from 5000 to 1000", ""},
		{"--csv --limit 30", command.Person, 31, "", ""},
	} {
		t.Run(c.flags, func(t *testing.T) {
			out := clitest.Run(t, app, c.may, "search article synthetic "+c.flags)
			if out.Failure != nil {
				t.Fatal(out.Failure)
			}
			stdout, stderr, _ := clitest.RunForPerson(t, app, "search article synthetic "+c.flags)
			if c.may == command.Agent {
				reply := clitest.AskAgent(t, app, "search article synthetic "+c.flags, false)
				stdout, stderr = reply.Text, reply.Stderr
			}
			if n := strings.Count(stdout, "\n"); n != c.lines || !strings.Contains(stderr, c.notice) || !strings.Contains(stderr, c.next) || c.notice == "" && stderr != "" {
				t.Errorf("%d lines, not %d: %q", n, c.lines, stderr)
			}
			if lines := strings.Split(stdout, "\n"); len(lines) > 2 {
				slices.Sort(lines)
				if n := len(slices.Compact(lines)); n != c.lines+1 { // plus the text after the last newline
					t.Errorf("%d lines are different", n)
				}
			}
		})
	}
	file := filepath.Join(t.TempDir(), "hits")
	if _, stderr, code := clitest.RunForPerson(t, app, "search article synthetic -o "+file+".csv"); code != 0 || !strings.Contains(stderr, "--offset 1000 --output "+file+"-1001.csv") {
		t.Errorf("exit %d: %s", code, stderr)
	}
	ids := strings.Join(commandtest.GeneratedPMIDs(1030), " ")
	if text, stderr, code := clitest.RunForPerson(t, app, "get article "+ids+" citation --style ris"); code != 0 || strings.Count(text, "\nER  -") != 1030 {
		t.Errorf("exit %d, %d records: %s", code, strings.Count(text, "\nER  -"), stderr)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article "+ids); code != 2 || !strings.Contains(text, "at most 200") {
		t.Errorf("exit %d: %.300s", code, text)
	}
}
