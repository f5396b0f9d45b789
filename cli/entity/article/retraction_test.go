package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// The retraction section says in words that a paper has no notice, in every format. It says
// nothing about a paper that was not read.
func TestACleanPaperIsSaidToBeClean(t *testing.T) {
	const clean = "No retraction, correction or expression of concern is recorded in "
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	for _, c := range []struct{ line, want, not string }{
		{"get article 90100001 retraction", clean + "PubMed.", "local corpus"},
		{"get article 90100001 retraction --json", `"retraction":"` + clean + `PubMed."`, "local corpus"},
		{"get article 90100002 retraction", "RETRACTED", clean},
		{"get article 90109999 retraction", "90109999", clean},
		{"get article 90100001", "90100001", clean},
	} {
		for _, may := range []command.Policy{command.Person, command.Agent} {
			if text, _ := clitest.Ask(t, app, may, c.line); !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
				t.Errorf("%s: %s", c.line, text)
			}
		}
	}
	clitest.FailEndpoint(t, srv, "efetch")
	if text, _ := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get article 90100001 retraction"); strings.Contains(text, clean) {
		t.Errorf("it was not read: %s", text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100001 retraction --no-cache"); code != 0 || !strings.Contains(text, clean+"the local corpus, which has the record as revised ") {
		t.Errorf("exit %d: %s", code, text)
	}
}

// The warning about a retracted article has the same words wherever the article is read, listed, cited or exported.
func TestARetractionHasOneWording(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	for _, line := range []string{
		"get article 90100002", "get article 90100002 retraction", "get article 90100001 90100002", "get ids 90100002",
		"get article 90100002 citation --style apa", "search article ergothioneine --style ris", "search citation 'PMID: 90100002'",
		"get document pmid:90100002", "search corpus 'Ergothioneine cures everything'",
	} {
		out := clitest.Run(t, app, command.Person, line)
		text, _ := clitest.Ask(t, app, command.Agent, line)
		if all := text + strings.Join(out.Result.Notices, "\n"); !strings.Contains(all, "RETRACTED: article 90100002 has been retracted") {
			t.Errorf("%s: %s", line, all)
		}
	}
}
