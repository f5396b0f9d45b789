package cli_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// Flags are parsed by type, an error for an unknown word suggests the closest one, and an
// agent may not run commands that change anything.
func TestFlagsAndPolicies(t *testing.T) {
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	clitest.RunCasesOn(t, app, srv, []clitest.Case{
		{Line: "search article ergothioneine --limit three", ExitStatus: 2, Text: `--limit: "three" is not a whole number`},
		{Line: "search mesh cancer --limit 0", ExitStatus: 2, Text: "--limit must be at least 1"},
		{Line: "search article ergothioneine --limit 9999 --json", Text: "lowered"},
		{Line: "search article ergothioneine --sort relevanse", ExitStatus: 2, Text: "relevance"},
		{Line: "search article ergothioneine --mesh Humans --mesh Agaricales --json", Text: `"flag":"mesh","value":"Agaricales"`},
		{Line: "search trial melanoma --status recruiting --limit 1 --json", Text: `"value":"RECRUITING"`},
		{Line: "search trial melanoma --status RECRUTING --limit 1", ExitStatus: 2, Text: "RECRUITING"},
		{Line: "get article 1 --lmit 3", ExitStatus: 2, Text: "--limit"},
		{Line: "serach article x", ExitStatus: 2, Text: "did you mean search?"},
		{Line: "get artcle 1", ExitStatus: 2, Text: "article"},
		{Line: "get aricle 90100001 mesh", ExitStatus: 2, Text: "article"},
		{Line: "articles 90100001", ExitStatus: 2},
		{Line: "get 90100001", ExitStatus: 2, Text: "try:   biomcp "},
		{Line: "search ergothioneine mushrooms", ExitStatus: 2, Text: "try:   biomcp "},
		{Line: "NCT99000001", Text: "understood as: biomcp get trial NCT99000001"},
		{Line: "search article --help", Text: "--date-from"},
		{Line: "sync pubmed --query-key x --term y", ExitStatus: 2, Text: command.RefusalPrefix},
		{Line: "study download --list", Text: "synthetic_hub_2026"},
		{Line: "study download synthetic_hub_2026", ExitStatus: 2, Text: "allowed only as study download --list"},
		{Line: "get article 90100001 --ids-from list.txt", ExitStatus: 2, Text: "reads or writes files"},
		{Line: "library init p", ExitStatus: 2, Text: command.RefusalPrefix},
		{Line: "study list --json", Text: `"studies":[]`},
		{Line: "search library words", Text: ""},
		{Line: "search corpus ergothioneine", ExitStatus: 1, Text: "biomcp sync pubmed"},
	})
	// An agent can search the data that a person has stored.
	for _, line := range []string{"sync pubmed --from " + commandtest.Records(t), "sync cvx", "sync mesh", "library init p"} {
		t.Run(fmt.Sprintf("%.60s", line), func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Person, line); code != 0 {
				t.Errorf("%s: %s", line, text)
			}
		})
	}
	clitest.RunCasesOn(t, app, srv, []clitest.Case{
		{Line: "search corpus ergothioneine --explain", Text: "pmid:90100001"},
		{Line: "search vaccine fictivax --json", Text: `"results":`},
		{Line: "health", Text: "local corpus"},
		{Line: "cache stats", ExitStatus: 2, Text: "CLI-only"},
	})
	text, code := clitest.Ask(t, app, command.Person, "cache stats")
	if code != 0 {
		t.Errorf("cache stats: got exit status %d, want 0", code)
	}
	if want := "Response cache"; !strings.Contains(text, want) {
		t.Errorf("cache stats: %q is missing in\n%s", want, text)
	}
}

// An error for an invalid setting names its variable.
func TestSettingsOfTheCorpus(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
		t.Fatal(text)
	}
	for name, c := range map[string]struct {
		set  func(*command.Env)
		line string
		exit int
		want string
	}{
		"a table without a file": {func(e *command.Env) { e.Embeddings = "static" }, "sync embeddings", 2, "BIOMCP_EMBEDDINGS_MODEL"},
		"an unknown service":     {func(e *command.Env) { e.Embeddings = "magic" }, "sync embeddings", 2, "BIOMCP_EMBEDDINGS"},
		"an engine that is down": {func(e *command.Env) { e.Index, e.WeaviateURL = "weaviate", "http://127.0.0.1:9" }, "search corpus ergothioneine", 0, "127.0.0.1:9"},
		"an unknown index":       {func(e *command.Env) { e.Index = "shoebox" }, "search corpus ergothioneine", 2, "BIOMCP_INDEX"},
	} {
		t.Run(name, func(t *testing.T) {
			later := commandtest.NCBI(t, srv)
			later.Env.DataDir = app.Env.DataDir
			c.set(&later.Env)
			text, code := clitest.Ask(t, later, command.Person, c.line)
			if code != c.exit {
				t.Errorf("got exit status %d, want %d", code, c.exit)
			}
			if !strings.Contains(text, c.want) {
				t.Errorf("%q is missing in\n%s", c.want, text)
			}
		})
	}
}
