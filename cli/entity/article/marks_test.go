package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// Every list of articles marks retracted ones and preprints.
func TestListsMarkArticles(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 3, func(i int, m *entreztest.SyntheticRecord) {
		m.Title = "Marked yeast"
		if i < 2 {
			m.Types = []string{"Preprint"}
		}
	})
	ids := commandtest.GeneratedPMIDs(3)
	for _, n := range []int{1, 2} {
		if err := srv.Retract(ids[n], ""); err != nil {
			t.Fatal(err)
		}
	}
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "batch article " + strings.Join(ids, " "), Text: "| found | PREPRINT: Marked yeast"},
		{Line: "batch article " + strings.Join(ids, " "), Text: "| found | RETRACTED PREPRINT: Marked yeast"},
		{Line: "batch article " + ids[2], Text: "| found | RETRACTED: Marked yeast"},
		{Line: `search article "marked yeast"`, Text: "| PREPRINT: Marked yeast"},
		{Line: `search article "marked yeast" --json`, Text: `"preprint":true`},
		{Line: `search article "marked yeast" --no-preprints --json`, Text: `"pmids":["` + ids[2] + `"]`, Sent: `NOT "preprint"[Publication Type]`},
		{Line: `search article "marked yeast" --no-retracted --no-preprints --json`, Text: `"pmids":[]`},
	})
}
