package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
)

func TestWhatASyncStoredIsShownBesideItsFailure(t *testing.T) {
	app := commandtest.Empty(t)
	dir := t.TempDir()
	records, err := os.ReadFile(commandtest.Records(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.xml": string(records), "b.xml": "no XML"} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	stdout, stderr, _ := clitest.RunForPerson(t, app, "sync pubmed --from "+dir)
	out := stdout + stderr
	if !strings.Contains(out, " inserted, 0 updated") || !strings.Contains(out, "error: the sync is incomplete: b.xml: it is not PubMed XML") {
		t.Error(out)
	}
}

func TestAWatermarkInTheFutureIsRefused(t *testing.T) {
	app := commandtest.Empty(t)
	now := app.Now().UTC()
	for at, want := range map[string]int{
		now.Format("2006-01-02"):                            0,
		now.Format("2006-01-02T15:04:05Z"):                  0,
		now.AddDate(0, 0, 1).Format("2006-01-02"):           2,
		now.AddDate(1, 0, 0).Format("2006-01-02T15:04:05Z"): 2,
	} {
		t.Run(fmt.Sprintf("%.60s", at), func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Person, "sync checkpoint k "+at); code != want || strings.Contains(text, "in the future") != (want == 2) {
				t.Errorf("%s: exit %d: %s", at, code, text)
			}
		})
	}
}

// A watermark in the future is an error of every sync that uses it, with the command that sets it
// right, and a notice of the commands that show it.
func TestAWatermarkInTheFutureIsSetRight(t *testing.T) {
	srv := filesOfPubMed(t)
	app := commandtest.NCBI(t, srv)
	ask := func(line string, code int, parts ...string) {
		t.Helper()
		text, got := clitest.Ask(t, app, command.Person, line)
		clitest.WantExit(t, got, code, line+": "+text)
		clitest.WantText(t, text, parts...)
	}
	ask("sync pubmed --query-key k --term 1900:2100[edat] --no-vectors", 0)
	ask("sync pubmed --all --no-vectors", 0)
	corpus, err := app.CorpusToWrite(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	set := func(key string) {
		t.Helper()
		if err := corpus.SetCheckpoint(t.Context(), key, "2998-01-01T00:00:00Z"); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"k", "pubmed-all"} {
		set(key)
	}
	for line, key := range map[string]string{
		"sync pubmed --query-key k": "k", "sync pubmed --all-keys": "k", "sync pubmed --all --no-vectors": "pubmed-all",
		"sync pubmed --query-key k --json": "k", "sync pubmed --all --no-vectors --json": "pubmed-all",
	} {
		out := clitest.Run(t, app, command.Person, line)
		if out.Failure == nil || out.Failure.Code != result.Invariant || cli.ExitStatus(out) != 1 {
			t.Fatalf("%s: failure %+v, want %s", line, out.Failure, result.Invariant)
		}
		if try := out.Failure.Try; len(try) != 4 || try[1] != "checkpoint" || try[2] != key {
			t.Errorf("%s: try %q, want sync checkpoint %s", line, try, key)
		}
	}
	ask("sync list", 0, "is in the future", "biomcp sync checkpoint k ")
	for _, key := range []string{"k", "pubmed-all"} {
		line := "get checkpoint " + key
		shown := func(want bool) {
			t.Helper()
			for _, line := range []string{line, line + " --json"} { // the JSON is bound by a schema
				stdout, stderr, _ := clitest.RunForPerson(t, app, line)
				if strings.Contains(stdout+stderr, "is in the future") != want {
					t.Errorf("%s: a notice of the future: %v, want %v: %q %q", line, !want, want, stdout, stderr)
				}
			}
		}
		shown(true)
		out := clitest.Run(t, app, command.Person, map[string]string{"k": "sync pubmed --query-key k", "pubmed-all": "sync pubmed --all --no-vectors"}[key])
		ask(out.Failure.Try.String()[len("biomcp "):], 0)
		shown(false)
	}
	ask("sync pubmed --all-keys", 0)
	ask("sync pubmed --all --no-vectors", 0)
	ask("sync checkpoint pubmed-all 2024-01-01", 2, "is the key of sync pubmed --all")
}

// A list of PubMed's files with a gap, and an import without a record, exit 1 at every door.
func TestSyncsThatBringLessThanAskedForFail(t *testing.T) {
	srv := filesOfPubMed(t)
	srv.Files.Remove("baseline", "pubmed26n0003")
	dir := t.TempDir()
	for name, text := range map[string]string{"set.xml": "<PubmedArticleSet></PubmedArticleSet>", "feed.xml": "<feed/>"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for line, want := range map[string]string{
		"sync pubmed --all --no-vectors":                       "the server lists no file pubmed26n0003, but pubmed26n0004.xml.gz",
		"sync pubmed --all --no-vectors --files 2-3":           "the server lists no file pubmed26n0003",
		"sync pubmed --from " + filepath.Join(dir, "set.xml"):  "set.xml: it holds no PubMed record",
		"sync pubmed --from " + filepath.Join(dir, "feed.xml"): "feed.xml: it is not PubMed XML",
		"sync pubmed --from " + dir:                            "(further causes: 1)",
	} {
		for _, format := range []string{"", " --json"} {
			t.Run(strings.ReplaceAll(line, dir, "DIR")+format, func(t *testing.T) {
				text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Person, line+format)
				clitest.WantExit(t, code, 1, text)
				clitest.WantText(t, text, want)
			})
		}
	}
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --all --no-vectors"); code != 1 {
		t.Errorf("exit %d, want 1: %s", code, text)
	}
	if text, _ := clitest.Ask(t, app, command.Person, "get checkpoint pubmed-all"); !strings.Contains(text, "never synced") || !strings.Contains(text, "1 file before it not imported") {
		t.Errorf("checkpoint: %s", text)
	}
	if text, _ := clitest.Ask(t, app, command.Agent, "health"); !strings.Contains(text, "| behind | 7 files imported") {
		t.Errorf("health: %s", text)
	}
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --all --files 99"); code != 2 || !strings.Contains(text, "only the files 1 to 8 of 2026") {
		t.Errorf("exit %d, want 2: %s", code, text)
	}
}
