package article_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// If one of two EFetch batches fails, every command that reads articles keeps the other and offers a command
// for the rest.
func TestPartOfAListIsKept(t *testing.T) {
	const n = 400
	dir := t.TempDir()
	list := filepath.Join(dir, "ids.txt")
	if err := os.WriteFile(list, []byte(strings.Join(commandtest.GeneratedPMIDs(n), "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ line, again string }{
		"get": {
			"get article --ids-from " + list + " -o " + dir + "/get.csv",
			"biomcp get article --output " + dir + "/get-2.csv --ids-from " + list,
		},
		"JSON": {"get article --ids-from " + list + " --json", "biomcp get article --ids-from " + list + " --json"},
		"batch": {
			"batch article --ids-from " + list + " -o " + dir + "/batch.csv",
			"biomcp batch article --output " + dir + "/batch-2.csv --ids-from " + list,
		},
		"library": {"library add p --ids-from " + list, "biomcp library add p --ids-from " + list},
	} {
		t.Run(name, func(t *testing.T) {
			commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
				clitest.Run(t, app, command.Person, "library init p")
				commandtest.Fail(t, srv, entreztest.Fault{Endpoint: "efetch", Kind: entreztest.HTML500, From: 2, Times: -1})
				out := cli.Run(t.Context(), app, command.IO{Err: io.Discard}, strings.Fields(c.line), command.Person)
				if out.Failure != nil {
					t.Fatalf("got %v, want the records that were read", out.Failure)
				}
				notices := strings.Join(out.Result.Notices, "\n")
				if want := "200 of 400 ids were read; the same command reads the rest"; strings.Count(notices, want) != 1 {
					t.Errorf("notices are %q, want %q once", notices, want)
				}
				if !strings.Contains(notices, c.again) {
					t.Errorf("notices are %q, want the command %q", notices, c.again)
				}
				text, _ := cli.RenderAnswer(out, name == "JSON", 0)
				if name == "JSON" && (strings.Count(text, `"pmcid":`) != 200 || !strings.Contains(text, `"outcome":"degraded"`)) {
					t.Errorf("the JSON has %d records, want 200 and a degraded outcome", strings.Count(text, `"pmcid":`))
				}
			}, entreztest.XML(entreztest.Generate(n, 1, func(int, *entreztest.SyntheticRecord) {})))
			if name == "get" || name == "batch" {
				body, err := os.ReadFile(filepath.Join(dir, name+".csv"))
				if lines := strings.Count(string(body), "\n"); err != nil || lines < 200 {
					t.Errorf("the file has %d lines (%v), want 200 records", lines, err)
				}
			}
		})
	}
}
