package corpus_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// A sync names the records that PubMed deleted at every door of a person. Health, searches and the
// document itself name them to an agent, too.
func TestDeletedRecordIsNamed(t *testing.T) {
	srv := entreztest.New(t, entreztest.File(commandtest.Records(t)), entreztest.NoLimit())
	app := commandtest.NCBI(t, srv)
	ask := func(may command.Policy, line string, parts ...string) {
		t.Helper()
		text, code := clitest.Ask(t, app, may, line)
		clitest.WantExit(t, code, 0, line+": "+text)
		clitest.WantText(t, text, parts...)
	}
	const sync = "sync pubmed --query-key all --no-vectors"
	ask(command.Person, sync+" --term 1900:2100[edat]")
	srv.Delete("90100001")
	const gone = "PubMed no longer has 1 document of this query: 90100001. "
	for _, line := range []string{sync, sync + " --json", "sync pubmed --all-keys --no-vectors", "sync pubmed --all-keys --no-vectors --json"} {
		ask(command.Person, line, gone, "biomcp sync pubmed --from")
	}
	const noted = "PubMed no longer had at the last sync of their query: 90100001"
	everyDoor(t, app, "get document pmid:90100001", noted)
	everyDoor(t, app, "search corpus --query-key all --top-k 100", noted)
	everyDoor(t, app, "search corpus ergothioneine", noted)
	for _, may := range []command.Policy{command.Person, command.Agent} {
		ask(may, "health", "PubMed no longer has 1 document")
		ask(may, "health --json", "PubMed no longer has 1 document")
	}
}
