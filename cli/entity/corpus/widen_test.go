package corpus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/store/table"
)

// With a local MeSH table a query also searches for the heading of an entry term, as
// --explain shows. Without it, or if it cannot be read, the search still runs.
func TestCorpusSearchIsWidenedByHeadings(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync pubmed --from "+commandtest.Records(t))
		const line, shows = "search corpus ergothioneine and invented attack --explain", "invented attack is an entry term of the MeSH heading Synthetic Infarction, whose words count half"
		if text, code := clitest.Ask(t, s.App, command.Agent, line); code != 0 || strings.Contains(text, "Widened") {
			t.Errorf("without the table: exit %d, %s", code, text)
		}
		s.Sync(t, "sync mesh")
		if text, code := clitest.Ask(t, s.App, command.Agent, line); code != 0 || !strings.Contains(text, shows) || !strings.Contains(text, "infarct") {
			t.Errorf("with the table: exit %d, %s", code, text)
		}
		if text, _ := clitest.Ask(t, s.App, command.Agent, line+" --json"); !strings.Contains(text, `"widened":[{"term":"invented attack","kind":"MeSH heading","names":["Synthetic Infarction"]}]`) {
			t.Errorf("as JSON: %s", text)
		}
		dir, err := s.App.CorpusDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, table.FileName), []byte(strings.Repeat("no table ", 2000)), 0o600); err != nil {
			t.Fatal(err)
		}
		everyDoor(t, s.App, "search corpus ergothioneine", "the query was not widened by other names: ")
	})
}

// With a local HGNC table each symbol of a gene finds the same documents. A symbol of two
// genes, and a word that only looks like a symbol, are not changed.
func TestCorpusSearchIsWidenedBySymbols(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	for _, line := range []string{"sync pubmed --from " + commandtest.Records(t), "sync hgnc"} {
		if text, code := clitest.Ask(t, app, command.Person, line); code != 0 {
			t.Fatal(text)
		}
	}
	for typed, want := range map[string]string{
		"HER-2": "HER-2 is a symbol of the gene ERBB2; its symbols count the same: ERBB2, ", "erbb2": "erbb2 is a symbol of the gene ERBB2; ", "MLL2": "", "gba": "", "GBA": "GBA is a symbol of the gene GBA1; ",
	} {
		t.Run(typed, func(t *testing.T) {
			out := clitest.Answer(t, app, command.Agent, "search corpus ergothioneine "+typed+" --explain")
			if strings.Contains(out, "Widened") != (want != "") || !strings.Contains(out, want) {
				t.Error(out)
			}
		})
	}
}
