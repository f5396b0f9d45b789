package article_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/cite"
	"biomcp/entrez/entreztest"
)

// If PubMed does not answer, an article and its citations come from the local corpus, with a
// notice; once PubMed is back, they are live again.
func TestAnArticleOfTheCorpusWherePubMedDoesNotAnswer(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	lines := []string{"get article 90100001 abstract", "get article 90100001 mesh", "get article 90100001 grants"}
	for _, style := range cite.Styles {
		if style == "nbib" { // needs the whole record, and the corpus keeps a part
			continue
		}
		lines = append(lines, "get article 90100001 citation --style "+style)
	}
	live := map[string]string{}
	for _, line := range lines {
		live[line] = clitest.Answer(t, commandtest.NCBI(t, srv), command.Agent, line)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100003 --offline"); code != 0 || !strings.Contains(text, "from the local corpus: 90100003") {
		t.Errorf("--offline: exit %d, %s", code, text)
	}
	clitest.FailEndpoint(t, srv, "efetch")
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				out := clitest.Run(t, app, may, line)
				if out.Failure != nil || !strings.Contains(strings.Join(out.Result.Notices, "\n"), "from the local corpus: 90100001 as revised ") {
					t.Fatalf("%v", out)
				}
				out.Result.Notices = nil
				text, _ := cli.RenderAnswer(out, false, 0)
				if text != live[line] {
					t.Errorf("the corpus has\n%s\nand PubMed\n%s", text, live[line])
				}
			}
		})
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90109999"); code != 1 || strings.Contains(text, "corpus") {
		t.Errorf("not in the corpus: exit %d, %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "get article 90100001 90109999 --json"); code != 0 || !strings.Contains(text, "from the local corpus: 90100001") || !strings.Contains(text, "could not be looked for: 90109999") {
		t.Errorf("one of two: exit %d, %s", code, text)
	}
	clitest.FailEndpoint(t, srv, "elink")
	clitest.FailEndpoint(t, srv, "esummary")
	text, code := clitest.Ask(t, app, command.Agent, "get article 90100001 references")
	for _, want := range []string{"| 90100002 |", "RETRACTED: Ergothioneine cures everything.", "from the local corpus, which has 1 of 1", "without affiliations, printed references"} {
		if code != 0 || !strings.Contains(text, want) {
			t.Errorf("references: exit %d, no %q: %s", code, want, text)
		}
	}
}

// For all real records, if available, the corpus answers like PubMed, byte for byte.
func TestRealArticlesOfTheCorpusAreThoseOfPubMed(t *testing.T) {
	if testing.Short() {
		t.Skip("compares texts: what runs at once in it, other tests run too")
	}
	file := filepath.Join("..", "..", "..", "..", "shared", "data", "pubmed", "efetch-163.xml.gz")
	if _, err := os.Stat(file); err != nil {
		t.Skip("the real records are not here: they are no part of the project")
	}
	srv := entreztest.New(t, entreztest.File(file), entreztest.NoLimit())
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --no-vectors --from "+file); code != 0 {
		t.Fatal(text)
	}
	list, err := os.ReadFile(strings.Replace(file, ".xml.gz", ".pmids", 1))
	if err != nil {
		t.Fatal(err)
	}
	ids := strings.Join(strings.Fields(string(list)), " ")
	lines := []string{" abstract", " mesh", " grants"}
	for _, style := range cite.Styles {
		if style != "nbib" { // needs the whole record
			lines = append(lines, " citation --style "+style)
		}
	}
	live := map[string]string{}
	for _, line := range lines {
		out := clitest.Run(t, commandtest.NCBI(t, srv), command.Person, "get article "+ids+line)
		live[line] = body(t, out)
	}
	clitest.FailEndpoint(t, srv, "efetch")
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			out := clitest.Run(t, app, command.Person, "get article "+ids+line)
			if got := body(t, out); got != live[line] {
				a, b := strings.Split(got, "\n"), strings.Split(live[line], "\n")
				for i := range min(len(a), len(b)) {
					if a[i] != b[i] {
						t.Fatalf("line %d: the corpus has\n%s\nand PubMed\n%s", i, a[i], b[i])
					}
				}
				t.Fatalf("%d lines and %d", len(a), len(b))
			}
		})
	}
}

// body returns an answer without its notices.
func body(t *testing.T, out result.Outcome) string {
	t.Helper()
	if out.Failure != nil {
		t.Fatal(out.Failure.Message)
	}
	out.Result.Notices = nil
	text, _ := cli.RenderAnswer(out, false, 0)
	return text
}
