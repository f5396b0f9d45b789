package article_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// retractedApp returns an App of two articles that cite each other, the first of which has been retracted, and
// their PMIDs.
func retractedApp(t *testing.T) (app *command.App, srv *entreztest.Server, ids []string) {
	t.Helper()
	srv = commandtest.GeneratedNCBI(t, 2, func(i int, m *entreztest.SyntheticRecord) {
		m.Published, m.Abstract = time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), []string{"Ergothioneine."}
		m.Title, m.References = "A synthetic title", []int{entreztest.FirstSynthetic + 1 - i}
	})
	ids = commandtest.GeneratedPMIDs(2)
	if err := srv.Retract(ids[0], ""); err != nil {
		t.Fatal(err)
	}
	return commandtest.NCBI(t, srv), srv, ids
}

// Rows, ids and citations without a column that tells which articles are retracted have one notice of them.
func TestRowsWithoutRetractionMarksHaveANotice(t *testing.T) {
	app, _, ids := retractedApp(t)
	both := ids[0] + " " + ids[1]
	for _, listing := range []string{
		"search article ergothioneine", "get article " + both, "get article " + ids[0], "get article " + ids[1] + " references",
		"get article " + ids[1] + " citedby", "batch article " + both, "batch article " + ids[0], "get ids " + both,
	} {
		fields := "pmid"
		if strings.HasPrefix(listing, "batch") {
			fields = "input,status"
		}
		for _, form := range []string{"--csv", "--tsv", "--jsonl", "--output " + filepath.Join(t.TempDir(), "rows.xlsx")} {
			testRetractionNotice(t, app, listing+" "+form+" --fields "+fields, ids[0])
		}
	}
	for i, line := range []string{
		"search article ergothioneine --pmids", "search article ergothioneine --style ris",
		"get article " + ids[0] + " citation --style ris", "get article " + both + " citation --style ris",
		"search article ergothioneine -o FILE.txt", "search article ergothioneine -o FILE.ris",
		"get article " + ids[0] + " citation --style ris -o FILE.ris", "get article " + ids[1] + " references -o FILE.ris",
	} {
		file := filepath.Join(t.TempDir(), strings.Repeat("f", i+1))
		testRetractionNotice(t, app, strings.ReplaceAll(line, "FILE", file), ids[0])
	}
}

// testRetractionNotice checks that an answer has one notice of a retraction, at every door.
func testRetractionNotice(t *testing.T, app *command.App, line, pmid string) {
	t.Helper()
	stdout, stderr, code := clitest.RunForPerson(t, app, line)
	if code != 0 || strings.Count(stderr, "RETRACTED: ") != 1 || !strings.Contains(stderr, pmid) {
		t.Errorf("%s: exit %d, want one notice that %s is retracted, got %q; the answer: %s", line, code, pmid, stderr, stdout)
	}
	if strings.Contains(line, "-o ") || strings.Contains(line, "--output ") {
		return // an agent may not write files
	}
	if reply := clitest.AskAgent(t, app, line, false); !strings.Contains(strings.Join(reply.Notices, "\n")+reply.Text, "RETRACTED: ") {
		t.Errorf("%s over MCP: want a notice that %s is retracted, got %q", line, pmid, reply.Notices)
	}
}

// A column that tells which articles are retracted needs no notice, and neither do rows without retracted articles.
func TestRowsWithRetractionMarksHaveNoNotice(t *testing.T) {
	app, _, ids := retractedApp(t)
	for _, line := range []string{
		"search article ergothioneine --csv", "search article ergothioneine --csv --fields pmid,retracted",
		"get article " + ids[1] + " --csv --fields pmid", "search article ergothioneine --pmids --exclude-retracted",
	} {
		if _, stderr, code := clitest.RunForPerson(t, app, line); code != 0 || strings.Contains(stderr, "RETRACTED") {
			t.Errorf("%s: exit %d, want no notice of a retraction, got %q", line, code, stderr)
		}
	}
}

// If the search for retracted articles fails, PMIDs have a notice that says so.
func TestPMIDsWhoseRetractionIsUnknownSaySo(t *testing.T) {
	app, srv, ids := retractedApp(t)
	commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "esearch", Kind: entreztest.Down503, From: 2, Times: -1})
	stdout, stderr, code := clitest.RunForPerson(t, app, "search article ergothioneine --pmids")
	if code != 0 || !strings.Contains(stdout, ids[0]) || !strings.Contains(stderr, "it is unknown whether any of these articles is retracted") {
		t.Errorf("exit %d, want the PMIDs and a notice, got %s%s", code, stdout, stderr)
	}
}
