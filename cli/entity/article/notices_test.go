package article_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

func TestNoticesOnManyArticlesAreFew(t *testing.T) {
	t.Parallel()
	srv := commandtest.GeneratedNCBI(t, 80, func(i int, m *entreztest.SyntheticRecord) {
		if i > 1 {
			m.PMCID = ""
		}
	})
	app := commandtest.NCBI(t, srv)
	all := "get article " + strings.Join(commandtest.GeneratedPMIDs(60), " ") + " all"
	for name, notices := range clitest.Notices(t, app, all) {
		if len(notices) == 0 || len(notices) > 6 {
			t.Errorf("%s: %d notices", name, len(notices))
		}
		for _, n := range notices {
			if len(n) > 250 {
				t.Errorf("%s: a notice of %d characters: %s", name, len(n), n)
			}
		}
		for _, want := range []string{"are not in PubMed Central, so they have no full text there", " more are not ", "--limit shows more"} {
			t.Run(want, func(t *testing.T) {
				if !strings.Contains(strings.Join(notices, "\n"), want) {
					t.Errorf("%s: %q is missing: %q", name, want, notices)
				}
			})
		}
	}
	for name, notices := range clitest.Notices(t, app, "get article "+commandtest.GeneratedPMIDs(3)[2]+" fulltext") {
		if want := "article " + commandtest.GeneratedPMIDs(3)[2] + " is not in PubMed Central, so it has no full text there"; len(notices) != 1 || notices[0] != want {
			t.Errorf("%s: %q", name, notices)
		}
	}
}

func TestELinkThatFailsIsOneNotice(t *testing.T) {
	t.Parallel()
	for _, kind := range []entreztest.Fault{
		{Endpoint: "elink", Kind: entreztest.Down503, Times: -1},
		{Endpoint: "elink", Kind: entreztest.Error200, Times: -1, Text: "Couldn't resolve #exLinkSrv2"},
	} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			srv := commandtest.GeneratedNCBI(t, 30, nil)
			commandtest.Fail(t, srv, kind)
			for name, notices := range clitest.Notices(t, commandtest.NCBI(t, srv), "get article "+strings.Join(commandtest.GeneratedPMIDs(30), " ")+" similar citedby") {
				if len(notices) != 1 || !strings.HasPrefix(notices[0], "Similar articles, Cited by are missing: ") || len(notices[0]) > 250 {
					t.Errorf("%s: %q", name, notices)
				}
			}
		})
	}
}

func TestRetractedArticlesAreOneWarning(t *testing.T) {
	srv := commandtest.GeneratedNCBI(t, 30, nil)
	for _, pmid := range commandtest.GeneratedPMIDs(7) {
		if err := srv.Retract(pmid, ""); err != nil {
			t.Fatal(err)
		}
	}
	g, _ := clitest.Read(t, commandtest.NCBI(t, srv), "get article "+strings.Join(commandtest.GeneratedPMIDs(30), " "))
	if len(g.Notices) != 1 || !strings.Contains(g.Notices[0], "7 articles have been retracted: "+strings.Join(commandtest.GeneratedPMIDs(7), ", ")) {
		t.Errorf("%q", g.Notices)
	}
}
