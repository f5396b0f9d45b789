package local_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
)

// outcomes runs a line and returns the outcome of each table, from the answer or the details of its error.
func outcomes(t *testing.T, s *clitest.Sites, line string, wantCode int) (rows map[string]string, text string) {
	t.Helper()
	text, code := clitest.Ask(t, s.App, command.Person, line+" --json")
	type tables struct {
		Tables []struct {
			Source, Outcome string
			Version, Rows   *int
			Error           *string
		}
	}
	var got struct {
		tables
		Error struct{ Details tables }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != wantCode {
		t.Fatalf("%s: exit %d, want %d, %v: %s", line, code, wantCode, err, text)
	}
	rows = map[string]string{}
	for _, o := range append(got.Tables, got.Error.Details.Tables...) {
		rows[o.Source] = o.Outcome
		if o.Version != nil {
			rows[o.Source] += fmt.Sprint(" ", *o.Version)
		}
		if (o.Error != nil) != (o.Outcome == "failed") {
			t.Errorf("%s: error %v of outcome %s", line, o.Error, o.Outcome)
		}
	}
	if len(rows) != len(bulk.Sets()) {
		t.Errorf("%s: %d rows, want one for each of %d tables", line, len(rows), len(bulk.Sets()))
	}
	return rows, text
}

func wantOutcomes(t *testing.T, line string, rows map[string]string, others string, want map[string]string) {
	t.Helper()
	for _, set := range bulk.Sets() {
		wanted, named := want[set.Name]
		if !named {
			wanted = others
		}
		if rows[set.Name] != wanted {
			t.Errorf("%s: %s is %q, want %q", line, set.Name, rows[set.Name], wanted)
		}
	}
}

// `sync all` syncs the tables that are there, names the others, goes on after a failure, and leaves the
// stored version of a table that failed.
func TestSyncAll(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		rows, text := outcomes(t, s, "sync all", 0)
		wantOutcomes(t, "without tables", rows, "absent", nil)
		if !strings.Contains(text, "not on this machine and left out: gtr, ") || !strings.Contains(text, "biomcp sync all --absent") {
			t.Errorf("want the names of absent tables and the command that brings them, got %s", text)
		}
		s.Sync(t, "sync cvx")
		s.Sync(t, "sync hgnc")
		s.Set(bulk.CVX, "cvx.txt", append(s.Text(bulk.CVX, "cvx.txt"), "905|Newer|newer||Active|False|2026/01/01|\n"...))
		rows, _ = outcomes(t, s, "sync all", 0)
		wantOutcomes(t, "with two tables", rows, "absent", map[string]string{"cvx": "changed 2", "hgnc": "unchanged 1"})
		text, _ = clitest.Ask(t, s.App, command.Person, "sync all")
		if want := "| hgnc | unchanged | 1 | 8 | 2026-11-21 | CC0 |"; !strings.Contains(text, want) {
			t.Errorf("want %q in %s", want, text)
		}

		s.Set(bulk.CVX, "cvx.txt", []byte("<html>Maintenance</html>"))
		s.Set(bulk.GTR, "test_version.gz", nil)
		rows, _ = outcomes(t, s, "sync all --absent", 1)
		want := map[string]string{"cvx": "failed 2", "hgnc": "unchanged 1", "gtr": "failed"}
		wantOutcomes(t, "with two failures", rows, "changed 1", want)
		text, code := clitest.Ask(t, s.App, command.Person, "sync all")
		failed := fmt.Sprintf("error: 1 of %d local tables could not be synced: cvx: ", len(bulk.Sets())-1) // without gtr
		for _, line := range []string{failed, "try:   biomcp sync cvx"} {
			if code != 1 || !strings.Contains(text, line) {
				t.Errorf("exit %d, want 1 and %q in %s", code, line, text)
			}
		}
		rows, _ = outcomes(t, s, "sync all", 1)
		wantOutcomes(t, "again", rows, "unchanged 1", map[string]string{"cvx": "failed 2", "gtr": "absent"})
		if stored := info(t, s, bulk.CVX); stored.Version != 2 || stored.Rows != 4 {
			t.Errorf("cvx after its failure: %+v, want version 2 with 4 rows", stored)
		}
		if text, code := clitest.Ask(t, s.App, command.Agent, "sync all"); code != 2 || !strings.Contains(text, command.RefusalPrefix) {
			t.Errorf("an agent: exit %d, want a refusal: %s", code, text)
		}
		text, _ = clitest.Ask(t, s.App, command.Person, "sync gtr --json")
		commandtest.Validate(t, "error", "sync gtr", text)
	})
}

// The row of a table in health has its age, its rows and its licence.
func TestHealthOfEachTable(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		outcomes(t, s, "sync all --absent", 0)
		time.Sleep(3 * 24 * time.Hour) // in the bubble
		text, _ := clitest.Ask(t, s.App, command.Agent, "health --json")
		var got struct {
			Rows []struct {
				Name, Detail string
				Table        *struct {
					Rows    int
					AgeDays int `json:"age_days"`
					Licence string
				}
			}
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatal(err, text)
		}
		found := 0
		for _, r := range got.Rows {
			name, is := strings.CutPrefix(r.Name, "local table ")
			if !is {
				continue
			}
			found++
			set := bulk.Sets()[0]
			for _, one := range bulk.Sets() {
				if one.Name == name {
					set = one
				}
			}
			if r.Table == nil || r.Table.Rows != info(t, s, set).Rows || r.Table.AgeDays != 3 || r.Table.Licence != set.Licence.String() {
				t.Errorf("%s: %+v, want its rows, 3 days and its licence", r.Name, r.Table)
			}
			if !strings.Contains(r.Detail, "(3 days old); "+set.Licence.Name) {
				t.Errorf("%s: detail %q, want the age and the licence", r.Name, r.Detail)
			}
		}
		if found != len(bulk.Sets()) {
			t.Errorf("%d rows, want %d", found, len(bulk.Sets()))
		}
	})
}

// If the submissions fail after the variants were stored, the error says so and how to continue, on a terminal and as
// JSON, and the next sync completes the work.
func TestSubmissionsFailAfterTheVariants(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		const line, file = "sync clinvar --submissions", "submission_summary.txt.gz"
		good := s.Text(bulk.ClinVarSubmissions, file)
		s.Set(bulk.ClinVarSubmissions, file, []byte("<html>Maintenance</html>"))
		text, code := clitest.Ask(t, s.App, command.Person, line)
		const want = "error: 1 of 2 local tables could not be synced: clinvar-submissions: "
		for _, part := range []string{want, "; stored and up to date: clinvar", "try:   biomcp sync clinvar-submissions\n"} {
			if code != 1 || !strings.Contains(text, part) {
				t.Errorf("%s: exit %d, want 1 and %q in %s", line, code, part, text)
			}
		}
		s.Set(bulk.ClinVarSubmissions, file, nil)
		text, code = clitest.Ask(t, s.App, command.Person, line+" --json")
		commandtest.Validate(t, "error", line, text)
		for _, part := range []string{`{"source":"clinvar","outcome":"unchanged","version":1,"rows":7`, `"try":"biomcp sync clinvar --submissions"`,
			`{"source":"clinvar-submissions","outcome":"failed","version":null,"rows":null`} {
			if code != 1 || !strings.Contains(text, part) {
				t.Errorf("%s: exit %d, want 1 and %q in %s", line, code, part, text)
			}
		}
		if got := info(t, s, bulk.ClinVar); got.Rows != 7 {
			t.Errorf("variants after the failure: got %d rows, want 7", got.Rows)
		}
		s.Set(bulk.ClinVarSubmissions, file, good)
		s.Sync(t, line)
		if got := info(t, s, bulk.ClinVarSubmissions); got.Rows != 6 {
			t.Errorf("submissions after the next sync: got %d rows, want 6", got.Rows)
		}
	})
}

// A sync of all tables that is cancelled within a table, or between two, says what it stored and what it did not run.
func TestCancelledSyncAll(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		progress := writerFunc(func(text string) {
			if text == "storing who-ivd\n" {
				cancel()
			}
		})
		out := cli.Run(ctx, s.App, command.IO{Err: progress}, clitest.Words(t, "sync all --absent"), command.Person)
		text, failed := cli.RenderAnswer(out, false, 0)
		for _, part := range []string{"could not be synced: who-ivd: ", "; stored and up to date: gtr; not run: ema, who, ",
			"try:   biomcp sync all --absent"} {
			if !failed || !strings.Contains(text, part) {
				t.Errorf("failed %t, want a failure with %q in %s", failed, part, text)
			}
		}
	})
	between := &local.TablesError{Synced: []string{"gtr"}, NotRun: []string{"ema"}, Errs: []error{context.Canceled}, Next: []string{"sync", "all"}}
	const want = "the sync of 2 local tables was stopped; stored and up to date: gtr; not run: ema"
	if m := between.Meaning(); between.Error() != want || !m.Partial || fmt.Sprint(m.Next) != "[sync all]" {
		t.Errorf("between two tables: got %q, %+v, want %q, partial, with sync all", between, m, want)
	}
}

type writerFunc func(string)

func (f writerFunc) Write(p []byte) (int, error) {
	f(string(p))
	return len(p), nil
}
