package cli

import (
	"bytes"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/entreztest"
)

// noticesAt are the notices of one command as a terminal, JSON and an agent get them.
func noticesAt(t *testing.T, app *command.App, line string) map[string][]string {
	t.Helper()
	c := parse(NewTree(), strings.Fields(line), command.Person)
	out := c.run(t.Context(), app, command.IO{})
	var screen bytes.Buffer
	if err := result.Render(&screen, &screen, out, result.Format{Terminal: true, Width: 500}); err != nil {
		t.Fatal(err)
	}
	of := func(text, mark string) (notices []string) {
		for l := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(l, mark); ok {
				notices = append(notices, strings.TrimSpace(rest))
			}
		}
		return notices
	}
	g, _ := read(t, app, line)
	text, _ := ask(t, app, command.Agent, line)
	return map[string][]string{"terminal": of(screen.String(), "! "), "JSON": g.Notices, "MCP": of(text, "> **Note:** ")}
}

func TestNoticesOnManyArticlesAreFew(t *testing.T) {
	t.Parallel()
	srv := made(t, 80, func(i int, m *entreztest.Made) {
		if i > 1 {
			m.PMCID = ""
		}
	})
	app := ncbiApp(t, srv)
	all := "get article " + strings.Join(generated(60), " ") + " all"
	for name, notices := range noticesAt(t, app, all) {
		if len(notices) == 0 || len(notices) > 6 {
			t.Errorf("%s: %d notices", name, len(notices))
		}
		for _, n := range notices {
			if len(n) > 250 {
				t.Errorf("%s: a notice of %d characters: %s", name, len(n), n)
			}
		}
		for _, want := range []string{"are not in PubMed Central, so they have no full text there", " more are not ", "--limit shows more"} {
			if !strings.Contains(strings.Join(notices, "\n"), want) {
				t.Errorf("%s: %q is missing: %q", name, want, notices)
			}
		}
	}
	for name, notices := range noticesAt(t, app, "get article "+generated(3)[2]+" fulltext") {
		if want := "article " + generated(3)[2] + " is not in PubMed Central, so it has no full text there"; len(notices) != 1 || notices[0] != want {
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
		srv := made(t, 30, nil)
		fail(t, srv, kind)
		for name, notices := range noticesAt(t, ncbiApp(t, srv), "get article "+strings.Join(generated(30), " ")+" similar citedby") {
			if len(notices) != 1 || !strings.HasPrefix(notices[0], "Similar articles, Cited by are missing: ") || len(notices[0]) > 250 {
				t.Errorf("%s: %q", name, notices)
			}
		}
	}
}

func TestRetractedArticlesAreOneWarning(t *testing.T) {
	srv := made(t, 30, nil)
	for _, pmid := range generated(7) {
		if err := srv.Retract(pmid, ""); err != nil {
			t.Fatal(err)
		}
	}
	g, _ := read(t, ncbiApp(t, srv), "get article "+strings.Join(generated(30), " "))
	if len(g.Notices) != 1 || !strings.Contains(g.Notices[0], "7 articles have been retracted: "+strings.Join(generated(7), ", ")) {
		t.Errorf("%q", g.Notices)
	}
}
