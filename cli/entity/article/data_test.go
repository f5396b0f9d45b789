package article_test

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
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
		{"--pmids --limit 1010", command.Person, 1010, "these are hits 1 to 1010 of 1030", "--pmids --limit 1010 --offset 1010"},
		{"--pmids --offset 1000", command.Person, 30, "", ""},
		{"--pmids", command.Agent, 200, "these are hits 1 to 200 of 1030", "--pmids --offset 200"},
		{"--csv", command.Person, 1031, "", ""},
		{"--csv --fields pmid", command.Agent, 201, "these are hits 1 to 200 of 1030", "--csv --fields pmid --offset 200"},
		{"--tsv --limit 50000", command.Person, 1031, "limit lowered to 9999", ""},
		{"--csv --limit 30", command.Person, 31, "these are hits 1 to 30 of 1030", "--csv --limit 30 --offset 30"},
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
	if _, stderr, code := clitest.RunForPerson(t, app, "search article synthetic --limit 1000 -o "+file+".csv"); code != 0 || !strings.Contains(stderr, "--offset 1000 --output "+file+"-1001.csv") {
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

// linked returns a server with an article that cites the others and is cited by them.
func linked(t *testing.T, n int) (srv *entreztest.Server, id string) {
	t.Helper()
	return commandtest.GeneratedNCBI(t, n, func(i int, m *entreztest.SyntheticRecord) {
		if m.References = []int{entreztest.FirstSynthetic}; i == 0 {
			m.References = nil
			for k := 1; k < n; k++ {
				m.References = append(m.References, entreztest.FirstSynthetic+k)
			}
		}
	}), strconv.Itoa(entreztest.FirstSynthetic)
}

// records returns the number of rows of a table with a header.
func records(table string) int { return strings.Count(table, "\n") - 1 }

// A section that is a list is exported whole or to --limit, at each door; a cut list says how long it is.
func TestListsOfArticlesAreExportedWhole(t *testing.T) {
	t.Parallel()
	srv, id := linked(t, 598)
	app := commandtest.NCBI(t, srv)
	for _, c := range []struct {
		line    string
		rows    int
		notices []string
	}{
		{"get article " + id + " references --csv", 597, nil},
		{"get article " + id + " citedby --tsv", 597, nil},
		{"get article " + id + " references --csv --limit 60", 60, []string{"References of " + id + ": 60 of 597 shown", "--limit 60 --offset 60"}},
		{"get article " + id + " citedby --csv --limit 5000 --offset 590", 7, []string{"7 of 597 shown"}},
		{"get article " + id + " " + strconv.Itoa(entreztest.FirstSynthetic+1) + " citedby --csv", 598, nil},
		{"get article " + id + " references --refs 2-400 --csv", 399, []string{"399 of 597 shown, by --refs"}},
		{"batch article " + id + " references --csv", 597, nil},
		{"batch article " + id + " " + strconv.Itoa(entreztest.FirstSynthetic+1) + " citedby --csv", 598, nil},
	} {
		t.Run(c.line, func(t *testing.T) {
			stdout, stderr, code := clitest.RunForPerson(t, app, c.line)
			if n := records(stdout); code != 0 || n != c.rows {
				t.Errorf("exit %d, %d rows, want %d: %s", code, n, c.rows, stderr)
			}
			for _, want := range c.notices {
				if !strings.Contains(stderr, want) {
					t.Errorf("no notice %q: %s", want, stderr)
				}
			}
			if c.notices == nil && strings.Contains(stderr, "shown") {
				t.Errorf("a notice of a whole list: %s", stderr)
			}
		})
	}
	reply := clitest.AskAgent(t, app, "get article "+id+" references --csv --fields pmid", false)
	if n := records(reply.Text); n != 200 || !strings.Contains(reply.Stderr, "200 of 597 shown") {
		t.Errorf("MCP: %d rows, want 200: %s", n, reply.Stderr)
	}
	file := filepath.Join(t.TempDir(), "refs.csv")
	_, stderr, code := clitest.RunForPerson(t, app, "get article "+id+" references --limit 500 -o "+file)
	if next := strings.TrimSuffix(file, ".csv") + "-501.csv"; code != 0 || !strings.Contains(stderr, "--offset 500 --output "+next) {
		t.Errorf("exit %d, the next command does not write %s: %s", code, next, stderr)
	}
}

// If ESummary fails after its first reply, a listing keeps the descriptions it has and says how many are missing.
func TestATableWithoutItsLastTitlesSaysSo(t *testing.T) {
	t.Parallel()
	srv, id := linked(t, 598)
	for line, want := range map[string]string{
		"search article synthetic --csv":          "98 of 598 titles are missing",
		"get article " + id + " references --csv": "97 of 597 titles and retraction marks of References are missing",
	} {
		srv.ClearFaults()
		commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: "esummary", Kind: sourcetest.HTML502, From: 2, Times: -1})
		stdout, stderr, code := clitest.RunForPerson(t, commandtest.NCBI(t, srv), line)
		if code != 0 || records(stdout) < 597 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d, %d rows: %s", line, code, records(stdout), stderr)
		}
	}
}
