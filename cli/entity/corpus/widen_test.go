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

// With MeSH on this machine a query is widened by the heading of an entry term, which
// --explain shows; without it, and where the table cannot be read, the search goes on.
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
		if text, _ := clitest.Ask(t, s.App, command.Agent, line+" --json"); !strings.Contains(text, `"widened":[{"term":"invented attack","heading":"Synthetic Infarction"}]`) {
			t.Errorf("as JSON: %s", text)
		}
		dir, err := s.App.CorpusDir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, table.FileName), []byte(strings.Repeat("no table ", 2000)), 0o600); err != nil {
			t.Fatal(err)
		}
		everyDoor(t, s.App, "search corpus ergothioneine", "the query was not widened by MeSH headings: ")
	})
}
