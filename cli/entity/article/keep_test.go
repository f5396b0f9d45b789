package article_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestArticlesAreKeptOneByOne(t *testing.T) {
	t.Parallel()
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "get article 90100001 90100002 12345"); code != 0 || srv.Count("efetch") != 1 {
		t.Fatal(code, text)
	}
	if text, code := clitest.Ask(t, app, command.Person, "cache stats"); code != 0 || !strings.Contains(text, "| efetch.fcgi | 2 |") {
		t.Errorf("exit %d: %s", code, text)
	}
	srv.ClearRequests()
	g, _ := clitest.Read(t, app, "get article 90100002")
	if srv.Count("efetch") != 0 || len(g.Articles) != 1 {
		t.Errorf("%d requests, %v", srv.Count("efetch"), g.IDs())
	}
	// The answer is identical with and without cached replies, including URLs.
	line := "get article 90100003 90100001 12345 --json"
	first, _ := clitest.Ask(t, app, command.Agent, line)
	second, _ := clitest.Ask(t, app, command.Agent, line)
	if asked := srv.Requests("efetch"); len(asked) != 2 || asked[0].Params.Get("id") != "90100003,12345" || asked[1].Params.Get("id") != "12345" {
		t.Errorf("%+v", asked)
	}
	if without, _ := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, line); first != second || first != without {
		t.Errorf("%s\n%s\n%s", first, second, without)
	}
}

// Cached items of a list are shown, and missing ones are named.
func TestPartOfAListIsInTheCache(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "get article 90100001"); code != 0 {
		t.Fatal(text)
	}
	unconnected := commandtest.NCBI(t, srv)
	unconnected.Env.CacheDir = app.Env.CacheDir
	unconnected.Env.Network.Transport = commandtest.RefusingTransport{}
	for line, notice := range map[string]string{
		"get article 90100002 90100001":           "could not be looked for: 90100002: NCBI E-utilities",
		"get article 90100002 90100001 --offline": "is from the response cache, under a minute old",
	} {
		t.Run(line, func(t *testing.T) {
			for name, out := range clitest.AnswersByFormat(t, unconnected, line) {
				if !strings.Contains(out, notice) || !strings.Contains(out, "Ergothioneine") && !strings.Contains(out, "ergothioneine") {
					t.Errorf("%s, %s: %s", line, name, out)
				}
			}
			if g, _ := clitest.Read(t, unconnected, line); g.Outcome("articles") != "degraded" || len(g.NotFound) != 0 {
				t.Errorf("%s: %+v", line, g)
			}
		})
	}
}
