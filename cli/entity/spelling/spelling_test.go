package spelling_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/entity/spelling"
)

func TestSpelling(t *testing.T) {
	clitest.RunCases(t, commandtest.PubMed(t), []clitest.Case{
		{Line: "get spelling ergothionein", Text: "**Corrected:** ergothioneine"},
		{Line: "get spelling ergothionein mushroms", Text: "**Query:** ergothionein mushroms\n", Sent: "term=ergothionein mushroms\n"},
		{Line: "get spelling ergothionein --json", Text: `"corrected":"ergothioneine","changed":true`},
		{Line: "get spelling ergothioneine", Text: "nothing to correct"},
		{Line: "get spelling ' '", ExitStatus: 2, NotRequested: "espell"},
	})
}

// If PubMed does not answer, Correct returns "" and the command fails.
func TestSpellingWithoutPubMed(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	in := &command.Input{App: app}
	if got := spelling.Correct(t.Context(), in, "ergothionein"); got != "ergothioneine" {
		t.Errorf("%q", got)
	}
	clitest.FailEndpoint(t, srv, "espell")
	if got := spelling.Correct(t.Context(), in, "mushroms"); got != "" {
		t.Errorf("%q", got)
	}
	clitest.RunCases(t, srv, []clitest.Case{{Line: "get spelling ergothionein --json", ExitStatus: 1, Text: `"code":"UPSTREAM"`}})
}

// A query with a field tag is not sent to ESpell.
func TestNoTagIsSpelt(t *testing.T) {
	srv := commandtest.PubMed(t)
	clitest.RunCases(t, srv, []clitest.Case{{Line: "search article 'ergothionein[Title] AND mushroms[Title]'", NotRequested: "espell", Text: "**Hits:** 0"}})
}
