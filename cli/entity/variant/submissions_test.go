package variant_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// withSubmissions runs a test with the local tables of ClinVar's variants and submissions.
func withSubmissions(t *testing.T, test func(t *testing.T, srv *entreztest.Server, app *command.App)) {
	t.Helper()
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		text := clitest.Answer(t, app, command.Person, "sync clinvar --submissions --json")
		clitest.WantText(t, text, `"source":"clinvar"`, `"changed":false`, `"submissions":{"source":"clinvar-submissions"`, `"rows":6,"changed":true`)
		commandtest.Validate(t, "sync_table.response", "sync clinvar --submissions --json", text)
		srv.ClearRequests()
		test(t, srv, app)
	})
}

// The section clinvar is answered from the table of submissions on a terminal, as JSON and over MCP, without a request: the
// best reviewed first, then the newest, with the members of a live answer.
func TestSubmissionsFromTheTable(t *testing.T) {
	withSubmissions(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		const line = "get variant BRAF V600E clinvar"
		const lacks = "submissions from the local table of ClinVar's submissions, release 2026-11-22; public domain of the United States, provided by NCBI"
		stored := clitest.Answer(t, app, command.Person, line+" --json")
		commandtest.Validate(t, "get_variant.response", line, stored)
		clitest.WantText(t, stored, lacks, "it has no functional data, citations, drugs or reasons of flags; --live asks ClinVar",
			`"ClinVar (local table of submissions, release 2026-11-22)"`,
			`"scv":"SCV900000003","submitter":"Invented Panel","kind":"oncogenicity","classification":"Oncogenic"`,
			`"kind":"clinical impact","classification":"Tier I - Strong"`, `"stars":3,"evaluated":"2024-07-16"`,
			`"condition":"Melanoma; RASopathy"`, `"comment":"A synthetic explanation of the class."`, `"collection_method":"literature only"`,
			`"condition":"Named by the submitter"`, `"comment":"low penetrance"`, `"review_status":"flagged submission"`)
		at := -1
		for _, scv := range []string{"SCV900000003", "SCV900000002", "SCV900000004", "SCV900000005"} {
			next := strings.Index(stored, `"scv":"`+scv)
			if next < at {
				t.Errorf("%s: got %s at %d, want it after %d in %s", line, scv, next, at, stored)
			}
			at = next
		}
		for door, text := range map[string]string{"terminal": clitest.Answer(t, app, command.Person, line), "MCP": clitest.AskAgent(t, app, line, false).Text} {
			for _, want := range []string{"Invented Panel", "Tier I - Strong", "literature only", "Melanoma; RASopathy", "flagged by ClinVar: not counted", lacks} {
				if !strings.Contains(text, want) {
					t.Errorf("%s: want %q in %s", door, want, text)
				}
			}
		}
		none := clitest.Answer(t, app, command.Person, "get variant VCV000089001 clinvar --json")
		clitest.WantText(t, none, `"clinvar":[]`, lacks)
		if requests := srv.Requests(); len(requests) > 0 {
			t.Errorf("got requests %+v, want none", requests)
		}
		live := clitest.Answer(t, app, command.Person, line+" --live --json")
		clitest.WantNoText(t, live, "local table")
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "get variant 37055 clinvar --live --json"), `"collection_method":"clinical testing"`)
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "get variant BRAF V600E population --json"),
			"ClinVar was asked, because its local table has no frequencies")
	})
}

// Later syncs keep the submissions up to date without the flag, and the health names them.
func TestLaterSyncsKeepSubmissions(t *testing.T) {
	withTable(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		clitest.WantNoText(t, clitest.Answer(t, app, command.Person, "sync clinvar --json"), "submissions")
		clitest.Answer(t, app, command.Person, "sync clinvar --submissions")
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "sync clinvar --force"), "Local table clinvar-submissions", "2, stored")
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "sync all --json"), `{"source":"clinvar-submissions","outcome":"unchanged","version":2,"rows":6`)
	})
}

// A damaged table of submissions is named, and ClinVar is asked.
func TestDamagedSubmissionsAreNamed(t *testing.T) {
	withSubmissions(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if err := os.WriteFile(filepath.Join(app.Env.DataDir, "clinvar-submissions", "submissions.bin"), []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "get variant BRAF V600E clinvar --json"),
			"ClinVar was asked, because the local table of its submissions cannot be read", "biomcp sync clinvar --force")
		clitest.Answer(t, app, command.Person, "sync clinvar --force")
		clitest.WantText(t, clitest.Answer(t, app, command.Person, "get variant BRAF V600E clinvar --json"), "submissions from the local table")
	})
}

// The id of a haplotype, which the table of variants lacks, is told from an unknown one if ClinVar is down.
func TestIDOfAHaplotype(t *testing.T) {
	withSubmissions(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.Down503, Times: -1}); err != nil {
			t.Fatal(err)
		}
		const known = "ClinVar has submissions, release 2026-11-22, for "
		text, code := clitest.Ask(t, app, command.Person, "get variant VCV000017661 --no-cache")
		if want := known + "VCV000017661 (1 submission): a haplotype or genotype, or newer"; code != 1 || !strings.Contains(text, want) {
			t.Errorf("exit %d, want 1 with %q in %s", code, want, text)
		}
		if text, code := clitest.Ask(t, app, command.Person, "get variant VCV000017999 --no-cache"); code != 1 || strings.Contains(text, known) {
			t.Errorf("exit %d, want 1 without %q in %s", code, known, text)
		}
	})
}
