package corpus_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// A data format lists every document with the words of the query, beyond the hits that are ranked, at each
// door; a short answer has the same first hits and scores.
func TestAnExportOfTheCorpusIsWhole(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	file := filepath.Join(t.TempDir(), "records.xml")
	body, err := io.ReadAll(entreztest.Generate(900, 3, func(_ int, m *entreztest.SyntheticRecord) {
		m.Title = "Zebrafish and " + m.Title
	}))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+file); code != 0 {
		t.Fatal(text)
	}
	const line = "search corpus zebrafish --fields doc_id,score"
	rows := func(flags string) (list []string, notices string) {
		stdout, stderr, code := clitest.RunForPerson(t, app, line+" "+flags)
		if code != 0 {
			t.Fatalf("%s: exit %d: %s", flags, code, stderr)
		}
		return strings.Split(strings.TrimSpace(stdout), "\n")[1:], stderr
	}
	all, notices := rows("--csv")
	if ids := slices.Clone(all); len(all) != 900 || len(slices.Compact(slices.Sorted(slices.Values(ids)))) != 900 || strings.Contains(notices, "more match") {
		t.Errorf("%d rows, want 900 different ones: %s", len(all), notices)
	}
	short, notices := rows("--tsv --limit 50")
	for i := range short {
		short[i] = strings.ReplaceAll(short[i], "\t", ",")
	}
	if !slices.Equal(short, all[:50]) {
		t.Errorf("the first 50 rows are %v, want %v", short, all[:50])
	}
	if want := "these are the first 50 documents; more match"; !strings.Contains(notices, want) {
		t.Errorf("no notice %q: %s", want, notices)
	}
	if want := "more match: biomcp search corpus zebrafish --fields doc_id,score --tsv --top-k 10000"; !strings.Contains(notices, want) {
		t.Errorf("no notice %q: %s", want, notices)
	}
	if some, notices := rows("--csv --limit 700"); len(some) != 700 || !slices.Equal(some, all[:700]) || !strings.Contains(notices, "first 700 documents; more match") {
		t.Errorf("%d rows with --limit 700: %s", len(some), notices)
	}
	reply := clitest.AskAgent(t, app, line+" --csv", false)
	if n := strings.Count(reply.Text, "\n") - 1; n != 200 || !strings.Contains(reply.Stderr, "first 200 documents; more match") {
		t.Errorf("MCP: %d rows, want 200: %s", n, reply.Stderr)
	}
	for flags, want := range map[string]string{
		"--top-k 101":         "--top-k must be between 1 and 100, not 101",
		"--csv --limit 10001": "--top-k must be between 1 and 10000, not 10001",
	} {
		if text, code := clitest.Ask(t, app, command.Agent, "search corpus zebrafish "+flags); code != 2 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d: %s", flags, code, text)
		}
	}
}
