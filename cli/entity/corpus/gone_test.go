package corpus_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// A record that PubMed deleted leaves the corpus at the next sync of its query, which names it, at
// every door. Health says once which deletions no sync learns of.
func TestDeletedRecordLeavesTheCorpus(t *testing.T) {
	srv := entreztest.New(t, entreztest.File(commandtest.Records(t)), entreztest.NoLimit())
	app := commandtest.NCBI(t, srv)
	ask := func(may command.Policy, line string, parts ...string) {
		t.Helper()
		text, code := clitest.Ask(t, app, may, line)
		clitest.WantExit(t, code, 0, line+": "+text)
		clitest.WantText(t, text, parts...)
	}
	const gone = "PubMed no longer has 1 record of this query: 9010000"
	for _, format := range []struct{ pmid, flags string }{{"90100001", ""}, {"90100002", " --json"}} {
		ask(command.Person, "sync pubmed --query-key all --term 1900:2100[edat] --no-vectors")
		ask(command.Agent, "search corpus --query-key all --top-k 50 --json", format.pmid)
		srv.Delete(format.pmid)
		ask(command.Person, "sync pubmed --query-key all --no-vectors"+format.flags, gone, "removed from the corpus")
		for _, flags := range []string{"", " --json"} {
			text, _ := clitest.Ask(t, app, command.Agent, "search corpus --query-key all --top-k 50"+flags)
			clitest.WantNoText(t, text, format.pmid)
		}
	}
	for _, may := range []command.Policy{command.Person, command.Agent} {
		for _, line := range []string{"health", "health --json"} {
			text, _ := clitest.Ask(t, app, may, line)
			if n := strings.Count(text, "deletions by PubMed are known for documents of a query key"); n != 1 {
				t.Errorf("%s tells %d times which deletions are known, want 1: %s", line, n, text)
			}
		}
	}
	ask(command.Person, "sync pubmed --help", "Nothing else tells of a deletion")
}
