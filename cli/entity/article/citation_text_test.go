package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Only markdown has italics: files, terminals and JSON get plain text.
func TestCitationsAreEmphasisedInMarkdownOnly(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for line, emphasised := range map[string]bool{
		"get article 90100001 citation --style apa,mla":             true,
		"get article 90100001 citation --style apa":                 false,
		"get article 90100001 citation --style apa,mla --json":      false,
		"search article ergothioneine --style mla":                  false,
		"get article 90100001,90100002 citation --style apa --json": false,
	} {
		t.Run(line, func(t *testing.T) {
			text, code := clitest.Ask(t, app, command.Agent, line)
			if code != 0 || strings.Contains(text, "*") != emphasised || strings.ContainsRune(text, 0xfdd0) {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
}

// A citation uses the whole record, whatever page of another section is shown.
func TestACitationHasTheWholeListsOfAPage(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	const keywords = "  keywords = {"
	cited := func(line string) string {
		text, code := clitest.Ask(t, app, command.Agent, line)
		_, after, ok := strings.Cut(text, keywords)
		if code != 0 || !ok {
			t.Fatalf("exit %d: %s", code, text)
		}
		after, _, _ = strings.Cut(after, "\n")
		return after
	}
	whole := cited("get article 90100001 citation --style bibtex")
	if !strings.Contains(whole, ",") {
		t.Fatalf("too few keywords: %s", whole)
	}
	for range 20 {
		if got := cited("get article 90100001 mesh citation --style bibtex --limit 1"); got != whole {
			t.Fatalf("the keywords are %s, want %s", got, whole)
		}
	}
}
