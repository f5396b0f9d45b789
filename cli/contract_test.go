package cli

import (
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
)

// --contract checks one source or all, for every kind of caller. The row of a difference
// describes it.
func TestHealthOfTheContract(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		for line, want := range map[string]struct {
			code int
			text string
		}{
			"health --contract datasets":        {0, "reports.0.gene.symbol = BRAF (seen: interface description"},
			"health --contract datasets --json": {0, `"name":"NCBI Datasets","kind":"contract","status":"ok"`},
			"health --contract nosuch --json":   {2, "no source"},
			"health --contract --deep datasets": {2, "--contract cannot be used with --deep"},
			"health datasets --json":            {2, `"try":"biomcp health datasets --contract"`},
		} {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				if text, code := ask(t, app, may, line); code != want.code || !strings.Contains(text, want.text) {
					t.Errorf("%s: exit %d: %s", line, code, text)
				}
			}
		}
		if err := srv.Fail(sourcetest.Fault{Endpoint: "datasets-symbol", Kind: sourcetest.OtherJSON, Text: `{"reports":[{"gene":{"gene_id":"674","symbol":"BRAF"},"query":["BRAF"]}]}`, Times: -1}); err != nil {
			t.Fatal(err)
		}
		text, code := ask(t, app, command.Person, "health --contract datasets --fail-on-error --json")
		for _, want := range []string{`"status":"drifted"`, "reports.0.gene.gene_id = 673 (seen: interface description, capture of its origin 2024); reports.0.gene.gene_id is 674", "there is no reports.0.gene.nomenclature_authority.identifier", "3 lines of the contract drifted"} {
			if code != 1 || !strings.Contains(text, want) {
				t.Errorf("exit %d, want %s: %s", code, want, text)
			}
		}
	})
}

// If every source answers as recorded, the contract holds. The check obeys the rate limit of
// each source and takes less than two minutes.
func TestContractHoldsAtTheDoor(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		sourcestest.Contract(srv.Server)
		begun := time.Now()
		text, code := ask(t, app, command.Person, "health --contract --fail-on-error --json")
		if took := time.Since(begun); code != 0 || took > 2*time.Minute || !strings.Contains(text, " sources: 0 drifted, 0 unknown") {
			t.Errorf("exit %d after %s: %s", code, took, text)
		}
		srv.ExpectTags() // one tag per source is unknown on purpose
	})
}
