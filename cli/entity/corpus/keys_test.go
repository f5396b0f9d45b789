package corpus_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// A user keeps two queries current with one command, sees the changes, and searches them.
func TestQueriesAreKeptCurrentTogether(t *testing.T) {
	srv := entreztest.New(t, entreztest.File("../../demo/sample.xml"), entreztest.NoLimit())
	app := commandtest.NCBI(t, srv)
	ask := func(line string, code int, parts ...string) string {
		t.Helper()
		text, got := clitest.Ask(t, app, command.Person, line)
		if got != code {
			t.Fatalf("%s: exit %d: %s", line, got, text)
		}
		for _, p := range parts {
			if without, no := strings.CutPrefix(p, "!"); no == strings.Contains(text, without) {
				t.Errorf("%s: %q: %s", line, p, text)
			}
		}
		return text
	}
	ask("sync list", 0, "No query is kept current yet", "biomcp sync pubmed --help")
	ask("sync list --json", 0, `"keys":[]`)
	ask("sync list glp1", 1, "there is no local corpus yet")
	ask("sync pubmed --all-keys --term x", 2, "cannot be used with")
	ask("sync checkpoint byhand 2024-01-01", 0)
	ask("sync pubmed --all-keys", 0, "byhand has a watermark but was never synced")
	ask("sync pubmed --query-key all --term 1900:2100[edat]", 0, "## New to the query (", "more: biomcp sync list all")
	ask("sync pubmed --query-key mushrooms --term mushrooms", 0)
	ask("sync pubmed --all-keys", 0, "## all", "## mushrooms", "!New to")
	var list struct {
		Keys []struct {
			Key       string `json:"query_key"`
			Documents *int
			Added     int
			Finished  *string `json:"last_finished"`
		}
		News *struct{ Added []struct{ Title string } }
	}
	if err := json.Unmarshal([]byte(ask("sync list --json", 0)), &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Keys) != 3 || list.Keys[0].Documents == nil || *list.Keys[0].Documents < 11 || list.Keys[0].Added != 0 || list.Keys[0].Finished == nil || list.News != nil {
		t.Fatalf("%+v", list)
	}
	ask("sync pubmed all", 2, "try:   biomcp sync pubmed --query-key all\n", "!--term all")
	ask("sync pubmed All sorts", 2, "try:   biomcp sync pubmed --query-key all-sorts --term 'All sorts'\n")
	ask("sync pubmed --query-key mushrooms", 0, "0 inserted")
	ask("sync pubmed --query-key other", 2, "requires --query-key and --term")
	ask("sync list --json", 0, `{"query_key":"all","term":"1900:2100[edat]"`)
	ask("search corpus mushrooms --query-key all --added-since last", 0, "Nothing in the local corpus matches")

	pmid := strings.TrimPrefix(strings.SplitN(ask("search corpus mushrooms --query-key all --top-k 1 --json", 0), `pmid:`, 2)[1][:8], "pmid:")
	if err := srv.Revise(pmid, entreztest.Revision{Title: "Zebrafish, a synthetic revision"}); err != nil {
		t.Fatal(err)
	}
	ask("sync pubmed --query-key all --term 1900:2100[edat] --json", 0, `"changed since the last sync (1): `+pmid+`"`)
	ask("sync list all", 0, "## Changed (1)", "pmid:"+pmid+" Zebrafish")
	ask("sync list all --json", 0, `"changed":[{"pmid":"`+pmid+`","title":"Zebrafish`)
	ask("sync list al", 1, "did you mean all?", "biomcp sync list all")
	ask("sync list all --since 7d", 0, "## New to the query (", "!## Changed")
	ask("sync list all --since last", 0, "## Changed (1)", "pmid:"+pmid+" Zebrafish", "!New to the query")
	ask("sync list all --since soon", 2, `--since "soon" is not last, a day`)
	ask("search corpus --query-key all --added-since 7d --top-k 1", 0, "# Corpus: query-key all, added-since 7d", "**Documents:** ", "--offset 1")
	ask("search corpus --query-key all --added-since last", 0, "Nothing in the local corpus matches")
	listed := strings.Fields(ask("search corpus --query-key all --pmids", 0))
	if n := *list.Keys[0].Documents; len(listed) != n || !slices.Contains(listed, pmid) {
		t.Errorf("%d documents are listed, want %d: %v", len(listed), n, listed)
	}
	if few := ask("search corpus --query-key mushrooms --pmids", 0); len(strings.Fields(few)) != *list.Keys[2].Documents {
		t.Errorf("mushrooms: %s, want %d", few, *list.Keys[2].Documents)
	}
	ask("search corpus mushrooms --query-key al", 1, "did you mean all?", "--query-key all")
	ask("search corpus mushrooms --added-since last", 2, "requires --query-key")
	ask("search corpus mushrooms --added-since soon", 2, "is not last, a day")
	ask("search corpus mushrooms --query-key all --added-since 1d", 0, "pmid:")
	ask("search corpus mushrooms --added-since 2026-99", 2)

	if text := ask("suggest what is new on mushrooms since last week", 0); !strings.Contains(text, "biomcp search corpus mushrooms --query-key mushrooms --added-since 7d") || !strings.Contains(text, "kept on this machine, as of ") {
		t.Error(text)
	}
	if text := ask("suggest what is new on CAR-T since last week", 0); strings.Contains(text, "search corpus") || !strings.Contains(text, "no query named CAR-T is kept on this machine") {
		t.Error(text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "search corpus mushrooms --query-key zebra"); code != 1 || !strings.HasSuffix(text, "try:   biomcp health\n") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "search corpus zebrafish --query-key all --added-since 2d --top-k 1"); code != 0 || !strings.Contains(text, "pmid:"+pmid) {
		t.Errorf("MCP: %s", text)
	}
	for _, line := range []string{"sync list", "sync pubmed --all-keys"} {
		if text, code := clitest.Ask(t, app, command.Agent, line); code != 2 || !strings.Contains(text, command.RefusalPrefix) {
			t.Errorf("MCP: %s: %s", line, text)
		}
	}

	// A key that fails does not stop the others.
	if err := srv.Fail(entreztest.Fault{Kind: entreztest.HTML502, Endpoint: "esearch", Times: 2}); err != nil {
		t.Fatal(err)
	}
	ask("sync pubmed --all-keys", 1, "1 of 2 query keys could not be synced: all: ", "biomcp sync pubmed --query-key all\n")
}
