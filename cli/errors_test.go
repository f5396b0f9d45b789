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
		t.Run(name, func(t *testing.T) {
			f := failureOf(ctx, err)
			if f.Code != result.Upstream || ExitStatus(result.Outcome{Failure: f}) != 130 || !strings.Contains(f.Message, "interrupted") {
				t.Errorf("%s: %+v", name, f)
			}
			details, err := json.Marshal(f.Details)
			if err != nil || strings.Contains(string(details), `"inserted":7`) != (name == "a sync") {
				t.Errorf("%s: %s, %v", name, details, err)
			}
		})
	}

	// End to end: an interrupted import reports the stored records.
	app := corpusApp(t)
	c := parse(NewTree(), []string{"sync", "pubmed", "--from", "../cmd/biomcp/testdata/records.xml"}, command.Person)
	out := c.run(ctx, app, command.IO{Err: io.Discard})
	if out.Failure == nil || ExitStatus(out) != 130 || out.Failure.Try.String() != "biomcp sync pubmed --from=../cmd/biomcp/testdata/records.xml" {
		t.Errorf("%+v, try %s", out.Failure, out.Failure.Try)
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

// After Ctrl-C the answer of a command that reads may be incomplete, so it fails. A server ends
// normally, and a command that stores has stored everything.
func TestAnAnswerAfterCtrlCIsNoWholeOne(t *testing.T) {
	for effect, want := range map[command.Effect]int{command.Reads: 130, command.Stores: 0, command.Serves: 0} {
		t.Run(fmt.Sprint(effect), func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			tree := command.NewTree(&command.Command{
				Use: "biomcp", Short: "x", Noun: "command", Flags: Root(nil).Flags,
				Commands: []*command.Command{{
					Use: "toy", Short: "x", Effect: effect, Examples: []command.Example{{}},
					Run: func(context.Context, *command.Input) (*result.Result, error) {
						cancel(errInterrupted)
						return &result.Result{Payload: cacheFolder{}}, nil
					},
				}},
			})
			if out := runIn(ctx, tree, toyApp(), command.IO{Err: io.Discard}, []string{"toy"}, command.Person); ExitStatus(out) != want {
				t.Errorf("exit %d, %+v", ExitStatus(out), out.Failure)
			}
		})
	}
}
