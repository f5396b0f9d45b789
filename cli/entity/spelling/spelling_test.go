package spelling_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/entity/spelling"
)

func TestSpelling(t *testing.T) {
	clitest.Answers(t, commandtest.PubMed(t), []clitest.Case{
		{Line: "get spelling ergothionein", Text: "**Corrected:** ergothioneine"},
		{Line: "get spelling ergothionein mushroms", Text: "**Query:** ergothionein mushroms\n", Sent: "term=ergothionein mushroms\n"},
		{Line: "get spelling ergothionein --json", Text: `"corrected":"ergothioneine","changed":true`},
		{Line: "get spelling ergothioneine", Text: "nothing to correct"},
		{Line: "get spelling ' '", Exit: 2, Unasked: "espell"},
	})
}

// If PubMed does not answer, Of returns "" and the command fails.
func TestSpellingWithoutPubMed(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	in := &command.Input{App: app}
	if got := spelling.Of(t.Context(), in, "ergothionein"); got != "ergothioneine" {
		t.Errorf("%q", got)
	}
	clitest.Down(t, srv, "espell")
	if got := spelling.Of(t.Context(), in, "mushroms"); got != "" {
		t.Errorf("%q", got)
	}
	clitest.Answers(t, srv, []clitest.Case{{Line: "get spelling ergothionein --json", Exit: 1, Text: `"code":"UPSTREAM"`}})
}

// A query with a field tag is not sent to ESpell.
func TestNoTagIsSpelt(t *testing.T) {
	srv := commandtest.PubMed(t)
	clitest.Answers(t, srv, []clitest.Case{{Line: "search article 'ergothionein[Title] AND mushroms[Title]'", Unasked: "espell", Text: "**Hits:** 0"}})
}
