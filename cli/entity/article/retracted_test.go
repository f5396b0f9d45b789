package article_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// Every table of articles marks retracted titles and preprints, once each.
func TestRetractedTitleIsMarkedOnceInEveryTable(t *testing.T) {
	titles := []struct{ title, want string }{
		{"A synthetic title", "RETRACTED: A synthetic title"}, {"RETRACTED: A synthetic title", "RETRACTED: A synthetic title"},
		{"Retracted: A synthetic title", "RETRACTED: A synthetic title"}, {"", "RETRACTED: "},
		{"Retracted: by hand", "Retracted: by hand"}, {"Bread", "PREPRINT: Bread"},
	}
	const retracted = 4 // the first records
	n := len(titles)
	srv := commandtest.GeneratedNCBI(t, n+1, func(i int, m *entreztest.SyntheticRecord) {
		m.Published, m.Journal = time.Date(2020, 1, 2, 0, 0, 0, 0, time.UTC), 0
		if m.References = nil; i == n { // it cites all others and is cited by them
			for cited := range n {
				m.References = append(m.References, entreztest.FirstSynthetic+cited)
			}
			return
		}
		m.Title, m.References, m.Abstract = titles[i].title, []int{entreztest.FirstSynthetic + n}, []string{"Ergothioneine."}
		if i == n-1 {
			m.Types = []string{"Preprint"}
		}
	})
	ids := commandtest.GeneratedPMIDs(n + 1)
	for _, id := range ids[:retracted] {
		if err := srv.Retract(id, ""); err != nil {
			t.Fatal(err)
		}
	}
	app := commandtest.NCBI(t, srv)
	for i, c := range titles {
		for _, line := range []string{
			"get article " + ids[n] + " references", "get article " + ids[n] + " citedby --limit 10", "search article ergothioneine",
			fmt.Sprintf("search citation --year 2020 --volume 30 --page %d", (entreztest.FirstSynthetic+i)%900),
		} {
			want := c.want
			if c.title == "" && strings.HasSuffix(line, " references") {
				want += "Synthetic reference " + ids[i] + "." // as printed in the citing article
			}
			t.Run(line, func(t *testing.T) {
				if text, code := clitest.Ask(t, app, command.Agent, line); code != 0 || !strings.Contains(text, "| "+ids[i]+" | "+strings.TrimSpace(want)+" |") {
					t.Errorf("%q: exit %d: %s", c.title, code, text)
				}
			})
		}
	}
}
