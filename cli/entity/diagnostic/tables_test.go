package diagnostic_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Without local tables GTR is asked live, and questions that only the tables can answer fail.
func TestTestsOfGTR(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search diagnostic -g BRCA1", Text: "| GTR000900001 | Synthetic BRCA1 sequencing | BRCA1 |", Sent: `term="BRCA1"[SYMB]`},
		{Line: "search diagnostic -g BRCA1 --json", Text: `"route":"live"`, Schema: "search_diagnostic.response"},
		{Line: "search diagnostic -d 'Lynch syndrome' -g MLH1", Sent: `term="MLH1"[SYMB] AND "Lynch syndrome"[DISNAME]`},
		{Line: "get diagnostic GTR000900002 --json", Text: `"genes":["BRCA1","TP53"]`, Schema: "get_diagnostic.response"},
		{Line: "get diagnostic GTR000900002", Text: "GTR, live, as of "},
		{Line: "get diagnostic GTR000999999", ExitStatus: 1, Text: "no diagnostic found for GTR000999999"},
		{Line: "get diagnostic BRCA1", ExitStatus: 1, Text: "machine; biomcp sync who-ivd stores it\ntry:   biomcp search diagnostic BRCA1"}, // not an accession
		{Line: "get diagnostic 25-3301", ExitStatus: 1, Text: "biomcp sync who-ivd"},
		{Line: "search diagnostic --country Germany", ExitStatus: 1, Text: "biomcp sync gtr", NotRequested: "esearch"},
		{Line: "search diagnostic --source elsewhere", ExitStatus: 2, Text: "is not one of gtr, who-ivd, all"},
		{Line: "search diagnostic", ExitStatus: 2, Text: "needs a query or a filter"},
	})
}

// With local tables their filters work, and if GTR fails, its table answers.
func TestTestsOfTables(t *testing.T) {
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	for _, line := range []string{"sync gtr", "sync who-ivd"} {
		t.Run(line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Person, line); code != 0 {
				t.Fatal(text)
			}
		})
	}
	clitest.RunCasesOn(t, app, srv, []clitest.Case{
		{Line: "search diagnostic --country germany --json", Text: `"total":2,`, Schema: "search_diagnostic.response", NotRequested: "esearch"},
		{Line: "search diagnostic --method 'sequence analysis' --json", Text: `"route":"local"`},
		{Line: "search diagnostic --lab made-up", Text: "Synthetic Lynch panel"},
		{Line: "search diagnostic qqzzxv", Text: "WHO's diagnostics: biomcp search diagnostic qqzzxv --source who-ivd"},
		{Line: "search diagnostic 'hiv duo'", Text: "## Next\n\n```\nbiomcp search diagnostic 'hiv duo' --source who-ivd"},
		{Line: "search diagnostic BRACA1", Text: "0 for (BRACA1[All Fields])\n"},
		{Line: "search diagnostic -d HIV --source who-ivd", Text: `| SYN-001 | Synthetic HIV Duo "Rapid" |`},
		{Line: "search diagnostic synthetic --source all --json", Text: `"source":"WHO"`},
		{Line: "get diagnostic GTR000900004.5 SYN-002", Text: "Synthetic Malaria Ag"},
		{Line: "get diagnostic SYN-001 --json", Text: `"accession":"SYN-001"`, Schema: "get_diagnostic.response"},
	})
	clitest.FailEndpoint(t, srv, "esearch")
	clitest.RunCasesOn(t, app, srv, []clitest.Case{
		{Line: "search diagnostic -g TP53 --no-cache", Text: "the local table is used if it exists"},
		{Line: "get diagnostic GTR000900001 --no-cache", Text: "GTR, local, as of "},
	})
}
