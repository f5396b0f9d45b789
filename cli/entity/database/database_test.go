package database_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

func TestDatabases(t *testing.T) {
	clitest.RunCases(t, commandtest.PubMed(t), []clitest.Case{
		{Line: "get database pubmed", Text: "# pubmed\n"},
		{Line: "get database PubMed mesh --json", Text: `"name":"mesh"`, Sent: "db=mesh\n"},
		{Line: "get database pubmed --json", Text: `"term_count":`},
		{Line: "get database pubmed nosuchdb --json", Text: `"not_found":["nosuchdb"]`},
		{Line: "get database nosuchdb", ExitStatus: 1, Text: "no database found for nosuchdb"},
		{Line: "get database 'pub med'", ExitStatus: 2, Text: "pub med", NotRequested: "einfo"},
	})
}

func TestDatabaseThatIsNotDescribed(t *testing.T) {
	srv := commandtest.PubMed(t)
	clitest.FailEndpoint(t, srv, "einfo")
	clitest.RunCases(t, srv, []clitest.Case{{Line: "get database pubmed --json", ExitStatus: 1, Text: `"code":"UPSTREAM"`}})
}
