package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A symbol that PubMed does not know is not treated as a misspelling.
func TestSymbolIsNotSpeltAsAWord(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, line := range []string{"mushrooms --gene ERGOTHIONEIN", "mushrooms --drug ERGOTHIONEIN", "mushrooms --gene ergothionein", "ERGOTHIONEIN mushrooms"} {
		text, _ := clitest.Ask(t, app, command.Agent, "search article "+line)
		if !strings.Contains(text, "dropped") || strings.Contains(text, "did you mean") || strings.Contains(text, "biomcp search") {
			t.Errorf("%s: %s", line, text)
		}
	}
}

// A long query is printed whole only once, in the command to type next.
func TestLongQueryIsShownInPart(t *testing.T) {
	t.Parallel()
	app := commandtest.NCBI(t, commandtest.PubMed(t))
	for _, query := range []string{strings.Repeat("mushrooms ", 400), "mushrooms " + strings.Repeat("x", 3900)} {
		if text, code := clitest.Ask(t, app, command.Agent, "search article "+query); code != 0 || len(text) > 4000 || !strings.Contains(text, "…") {
			t.Errorf("exit %d, %d bytes: %.300s", code, len(text), text)
		}
	}
}
