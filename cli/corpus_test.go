package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/rag/intake"
	"biomcp/rag/lsa"
	"biomcp/store"
)

// doors are the answers to a line at a terminal, in JSON with what goes to standard
// error, and over MCP.
func doors(t *testing.T, app *command.App, line string) map[string]string {
	t.Helper()
	return map[string]string{
		"terminal": answer(t, app, command.Person, line),
		"JSON":     answer(t, app, command.Person, line+" --json"),
		"MCP":      answer(t, app, command.Agent, line),
	}
}

// corpusApp is an App with an empty data folder and no network.
func corpusApp(t *testing.T) *command.App {
	t.Helper()
	app, home := toyApp(), t.TempDir()
	app.Env = command.ReadEnv(func(name string) (string, bool) { return home, name == "HOME" }, "test")
	app.Env.Network.Transport = refusing{}
	t.Cleanup(func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	})
	return app
}

// atTerminal is what a line writes to standard output and standard error.
func atTerminal(t *testing.T, app *command.App, may command.Policy, line string) string {
	t.Helper()
	var b strings.Builder
	c := parse(NewTree(), split(t, line), may)
	if err := result.Render(&b, &b, c.run(t.Context(), app, command.IO{Err: io.Discard}), result.Format{JSON: c.json}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestACacheThatCannotBeUsedIsOneNotice(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	app.Env.CacheDir = filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(app.Env.CacheDir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, out := range doors(t, app, "get article 90100001 90100002 mesh") {
		if n := strings.Count(out, "replies cannot be kept"); n != 1 {
			t.Errorf("%s: %d notices: %s", name, n, out)
		}
	}
	if out := answer(t, app, command.Person, "version"); strings.Contains(out, "kept") {
		t.Errorf("without a network: %s", out)
	}
}

func TestCtrlCKeepsTheReportOfASync(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errInterrupted)
	part := &intake.Incomplete{Report: intake.Report{Inserted: 7, Warnings: []string{}}, Causes: []error{errInterrupted}}
	for name, err := range map[string]error{"a sync": part, "another command": errInterrupted} {
		f := failureOf(ctx, err)
		if f.Code != result.Upstream || Exit(result.Outcome{Failure: f}) != 130 || !strings.Contains(f.Message, "interrupted") {
			t.Errorf("%s: %+v", name, f)
		}
		details, err := json.Marshal(f.Details)
		if err != nil || strings.Contains(string(details), `"inserted":7`) != (name == "a sync") {
			t.Errorf("%s: %s, %v", name, details, err)
		}
	}

	// The whole way: an import that is stopped shows what it has stored.
	app := corpusApp(t)
	c := parse(NewTree(), []string{"sync", "pubmed", "--from", "../cmd/biomcp/testdata/records.xml"}, command.Person)
	out := c.run(ctx, app, command.IO{Err: io.Discard})
	if out.Failure == nil || Exit(out) != 130 || out.Failure.Try.String() != "biomcp sync pubmed --from=../cmd/biomcp/testdata/records.xml" {
		t.Errorf("%+v, try %s", out.Failure, out.Failure.Try)
	}
}

func TestWhatASyncStoredIsShownBesideItsFailure(t *testing.T) {
	app := corpusApp(t)
	dir := t.TempDir()
	records, err := os.ReadFile("../cmd/biomcp/testdata/records.xml")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.xml": string(records), "b.xml": "no XML"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	out := atTerminal(t, app, command.Person, "sync pubmed --from "+dir)
	if !strings.Contains(out, " inserted, 0 updated") || !strings.Contains(out, "error: the sync is incomplete: b.xml: it is not PubMed XML") {
		t.Error(out)
	}
}

func TestAWatermarkInTheFutureIsRefused(t *testing.T) {
	app := corpusApp(t)
	now := app.Now().UTC()
	for at, want := range map[string]int{
		now.Format("2006-01-02"):                            0,
		now.Format("2006-01-02T15:04:05Z"):                  0,
		now.AddDate(0, 0, 1).Format("2006-01-02"):           2,
		now.AddDate(1, 0, 0).Format("2006-01-02T15:04:05Z"): 2,
	} {
		if text, code := ask(t, app, command.Person, "sync checkpoint k "+at); code != want || strings.Contains(text, "in the future") != (want == 2) {
			t.Errorf("%s: exit %d: %s", at, code, text)
		}
	}
}

func TestARecordThatNeverComesNamesTheWayOn(t *testing.T) {
	f := failureOf(t.Context(), &intake.Incomplete{Causes: []error{&intake.RecordsError{Missing: 1, Names: []string{"150"}, Key: "glp 1", Skip: "2026-01-20T13:00:00Z"}}})
	if f.Code != result.Upstream || !strings.Contains(f.Message, "(PMID 150)") || f.Try.String() != "biomcp sync checkpoint 'glp 1' 2026-01-20T13:00:00Z" {
		t.Errorf("%+v, try %s", f, f.Try)
	}
}

func TestADamagedModelIsAFailureOfTheStore(t *testing.T) {
	f := failureOf(t.Context(), fmt.Errorf("search: %w (a row of 3 bytes)", lsa.ErrDamaged))
	if f.Code != result.Store || f.Try.String() != "biomcp sync embeddings" {
		t.Errorf("%+v, try %s", f, f.Try)
	}
}

func TestALockNamesItsWorkAndNoKeyOfOurs(t *testing.T) {
	f := failureOf(t.Context(), &store.HeldError{Key: "--embeddings", Work: "making vectors", PID: 7, Host: "h", Since: "2026-01-20T13:00:00Z"})
	if f.Code != result.Store || f.Message != "store: process 7 on h is busy with making vectors since 2026-01-20T13:00:00Z" {
		t.Errorf("%+v", f)
	}
	if text := (&store.HeldError{Key: "glp1"}).Error(); text != `store: another process is busy with a sync of "glp1"` {
		t.Error(text)
	}
}

func TestHealthNamesWhatFailed(t *testing.T) {
	app := corpusApp(t)
	for name, out := range doors(t, app, "health --fail-on-error") {
		if !strings.Contains(out, "down: NCBI E-utilities, PubTator3, PMC ID converter") {
			t.Errorf("%s: %s", name, out)
		}
	}
}
