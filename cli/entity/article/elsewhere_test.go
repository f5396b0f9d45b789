package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A search that only the cache may answer suggests the local corpus if documents there
// contain its words.
func TestOfflineLeadsToTheCorpus(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	line := "search article ergothioneine --offline"
	if text, code := clitest.Ask(t, app, command.Person, line); code != 1 || !strings.Contains(text, "try:   biomcp search article ergothioneine\n") {
		t.Errorf("no corpus: exit %d, %s", code, text)
	}
	clitest.Answer(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t))
	for _, may := range []command.Policy{command.Person, command.Agent} {
		if text, code := clitest.Ask(t, app, may, line); code != 1 || !strings.Contains(text, "try:   biomcp search corpus ergothioneine\n") {
			t.Errorf("exit %d, %s", code, text)
		}
	}
}
