package drug_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

// A section from a local table is shown even if another section, or RxNorm, does not have the drug.
func TestPairsWithoutRxNorm(t *testing.T) {
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	const pair, line = "| CYP2C19 | clopidogrel | A |", "get drug clopidogrel label pgx"
	if text, code := clitest.Ask(t, app, command.Person, line); code != 1 {
		t.Errorf("without the table: exit %d, want 1: %s", code, text)
	}
	text, code := clitest.Ask(t, app, command.Person, "sync cpic")
	clitest.WantExit(t, code, 0, text)
	text, code = clitest.Ask(t, app, command.Agent, line)
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, pair, "DailyMed has no label of clopidogrel", `RxNorm: drug "clopidogrel": not found`)
	if err := srv.Fail(sourcetest.Fault{Endpoint: "rxcui", Kind: sourcetest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code = clitest.Ask(t, app, command.Agent, line+" --no-cache --json")
	clitest.WantExit(t, code, 0, text)
	clitest.WantText(t, text, `"gene":"CYP2C19"`, "source unavailable")
}
