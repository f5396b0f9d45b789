package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
)

func TestArticlesAreKeptOneByOne(t *testing.T) {
	t.Parallel()
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	if text, code := ask(t, app, command.Person, "get article 90100001 90100002 12345"); code != 0 || srv.Count("efetch") != 1 {
		t.Fatal(code, text)
	}
	if text, code := ask(t, app, command.Person, "cache stats"); code != 0 || !strings.Contains(text, "| efetch.fcgi | 2 |") {
		t.Errorf("exit %d: %s", code, text)
	}
	srv.Forget()
	g, _ := read(t, app, "get article 90100002")
	if srv.Count("efetch") != 0 || len(g.Articles) != 1 {
		t.Errorf("%d requests, %v", srv.Count("efetch"), g.pmids())
	}
	// The same bytes whatever the cache has, the addresses included.
	line := "get article 90100003 90100001 12345 --json"
	first, _ := ask(t, app, command.Agent, line)
	second, _ := ask(t, app, command.Agent, line)
	if asked := srv.Requests("efetch"); len(asked) != 2 || asked[0].Params.Get("id") != "90100003,12345" || asked[1].Params.Get("id") != "12345" {
		t.Errorf("%+v", asked)
	}
	if without, _ := ask(t, ncbiApp(t, srv), command.Agent, line); first != second || first != without {
		t.Errorf("%s\n%s\n%s", first, second, without)
	}
}

// What the cache has of a list is shown, and what is missing is named.
func TestPartOfAListIsInTheCache(t *testing.T) {
	srv := synthetic(t)
	app := ncbiApp(t, srv)
	if text, code := ask(t, app, command.Person, "get article 90100001"); code != 0 {
		t.Fatal(text)
	}
	unconnected := ncbiApp(t, srv)
	unconnected.Env.CacheDir = app.Env.CacheDir
	unconnected.Env.Network.Transport = refusing{}
	for line, notice := range map[string]string{
		"get article 90100002 90100001":           "missing: 90100002: NCBI E-utilities",
		"get article 90100002 90100001 --offline": "is from the response cache, under a minute old",
	} {
		for name, out := range map[string]string{
			"terminal": answer(t, unconnected, command.Person, line),
			"JSON":     answer(t, unconnected, command.Person, line+" --json"),
			"MCP":      answer(t, unconnected, command.Agent, line),
		} {
			if !strings.Contains(out, notice) || !strings.Contains(out, "Ergothioneine") && !strings.Contains(out, "ergothioneine") {
				t.Errorf("%s, %s: %s", line, name, out)
			}
		}
		if g, _ := read(t, unconnected, line); g.outcome("articles") != "degraded" || len(g.NotFound) != 0 {
			t.Errorf("%s: %+v", line, g)
		}
	}
}
