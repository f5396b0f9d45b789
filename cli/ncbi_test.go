package cli

import (
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
)

// ncbiApp is an App on a simulated NCBI, with its own folder and pace.
func ncbiApp(t testing.TB, srv *entreztest.Server) *command.App {
	t.Helper()
	app := toyApp()
	app.Env = command.ReadEnv(environment(srv, t.TempDir()), "test")
	app.Log, app.Now = slog.New(slog.DiscardHandler), time.Now
	t.Cleanup(func() {
		if err := app.Close(); err != nil {
			t.Error(err)
		}
	})
	return app
}

// environment returns the variables of a program that asks a server, with a key.
func environment(srv *entreztest.Server, home string) func(string) (string, bool) {
	vars := map[string]string{"NCBI_API_KEY": entreztest.Key, "HOME": home, "NCBI_MAX_RETRIES": "0"}
	for _, v := range srv.Env() {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// withSimulators runs a test with every simulator and an App that asks them, in a
// bubble of synctest: there time passes only while all wait, so that no deadline ends
// because the machine is busy.
func withSimulators(t *testing.T, test func(*testing.T, *entreztest.Server, *command.App), options ...entreztest.Option) {
	t.Helper()
	warmCache(t)
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, append(options, entreztest.NoLimit(), entreztest.Unlisted())...)
		sourcestest.AddTo(srv.Server)
		app := toyApp()
		app.Env = command.ReadEnv(environment(srv, home), "test", sources.All()...)
		app.Env.Network.Transport = srv.Transport()
		defer app.Close()
		test(t, srv, app)
	})
}

// warmCache makes what packs and unpacks the cache's entries, which the tests share,
// outside of a bubble of synctest: what is made in one cannot be used by others.
func warmCache(t *testing.T) {
	t.Helper()
	cache, err := diskApp(t).Cache()
	if err != nil {
		t.Fatal(err)
	}
	if err := cache.Put(t.Context(), "warm", []byte("words"), time.Hour); err != nil {
		t.Fatal(err)
	}
	if body, found, err := cache.Get(t.Context(), "warm"); err != nil || !found || string(body) != "words" {
		t.Fatal(string(body), found, err)
	}
}

// generated are the PMIDs of entreztest.Generate.
func generated(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = strconv.Itoa(entreztest.FirstSynthetic + i)
	}
	return ids
}

// synthetic is a simulated NCBI without a limit of requests: on a busy machine
// requests that were sent at the right pace can arrive too close to each other.
func synthetic(t testing.TB) *entreztest.Server {
	t.Helper()
	return entreztest.New(t, entreztest.File("../cmd/biomcp/testdata/records.xml"), entreztest.NoLimit())
}

func ask(t *testing.T, app *command.App, may command.Policy, line string) (text string, code int) {
	t.Helper()
	args, err := words.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	c := parse(NewTree(), args, may)
	out := c.run(t.Context(), app, command.IO{Err: io.Discard})
	text, _ = Answer(out, c.json, 0)
	return text, exit(out)
}

func TestTwoHundredArticlesAreOneRequest(t *testing.T) {
	srv := entreztest.New(t)
	if err := srv.Add(entreztest.Generate(200, 1)); err != nil {
		t.Fatal(err)
	}
	ids := generated(200)
	text, code := ask(t, ncbiApp(t, srv), command.Person, "get article --json "+strings.Join(ids, " "))
	var got struct{ Articles []struct{ PMID string } }
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if len(got.Articles) != 200 {
		t.Errorf("%d articles", len(got.Articles))
	}
	for i, a := range got.Articles {
		if a.PMID != ids[i] {
			t.Fatalf("article %d is %s, asked for %s", i, a.PMID, ids[i])
		}
	}
	if n := srv.Count("efetch"); n != 1 {
		t.Errorf("%d EFetch requests", n)
	}
}

func TestFailedSectionIsNamedAndTheRestAnswered(t *testing.T) {
	srv := synthetic(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "pubtator", Kind: entreztest.HTML502, Times: -1}); err != nil {
		t.Fatal(err)
	}
	text, code := ask(t, ncbiApp(t, srv), command.Agent, "get article 90100001 annotations mesh --json")
	if code != 0 || !strings.Contains(text, "Annotations is missing") || !strings.Contains(text, `"unavailable"`) || !strings.Contains(text, "Agaricales") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestKeyIsNeverShown(t *testing.T) {
	t.Parallel()
	for _, kind := range []entreztest.Kind{entreztest.BadKey, entreztest.Limit429, entreztest.HTML502, entreztest.Cut} {
		srv := synthetic(t)
		if err := srv.Fail(entreztest.Fault{Kind: kind, Times: -1}); err != nil {
			t.Fatal(err)
		}
		app := ncbiApp(t, srv)
		for _, line := range []string{"search article ergothioneine", "search article ergothioneine --json", "health --json", "get article 90100001 all"} {
			if text, _ := ask(t, app, command.Person, line); strings.Contains(text, entreztest.Key) {
				t.Errorf("%s after %s shows the key:\n%s", line, kind, text)
			}
		}
	}
	srv := synthetic(t)
	if text, _ := ask(t, ncbiApp(t, srv), command.Person, "search article ergothioneine --json"); strings.Contains(text, entreztest.Key) || !strings.Contains(text, "esearch.fcgi") {
		t.Error(text)
	}
}

// TestCutAnswerContinuesUntilComplete follows the command for the rest until an
// answer fits, and must have seen every article.
func TestCutAnswerContinuesUntilComplete(t *testing.T) {
	srv := entreztest.New(t)
	if err := srv.Add(entreztest.Generate(60, 7)); err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, srv)
	ids := generated(60)
	line := "get article " + strings.Join(ids, " ")
	seen := map[string]bool{}
	for range 40 {
		args, err := words.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		text, failed := Answer(Run(t.Context(), app, command.IO{}, args, command.Agent), false, 20000)
		if failed || len([]rune(text)) > 20000 {
			t.Fatalf("failed: %v, %d characters: %.300s", failed, len(text), text)
		}
		for _, id := range ids {
			seen[id] = seen[id] || strings.Contains(text, "**PMID:** "+id+"\n")
		}
		_, after, cut := strings.Cut(text, "The rest:\n\n```\n")
		if !cut {
			break
		}
		line, _, _ = strings.Cut(after, "\n")
		line = strings.TrimPrefix(line, "biomcp ")
	}
	for _, id := range ids {
		if !seen[id] {
			t.Errorf("article %s was never shown", id)
		}
	}
	out := Run(t.Context(), app, command.IO{}, append([]string{"get", "article"}, ids...), command.Agent)
	if text, failed := Answer(out, true, 20000); !failed || !strings.Contains(text, `"VALIDATION"`) || !strings.Contains(text, `"try"`) {
		t.Errorf("JSON over the cap: %.300s", text)
	}
}

func TestRealRecordsEndToEnd(t *testing.T) {
	const file = "../../shared/data/pubmed/efetch-163.xml.gz"
	if _, err := os.Stat(file); err != nil {
		t.Skip("the real records are not next to the project: ", file)
	}
	app := ncbiApp(t, entreztest.New(t, entreztest.File(file)))
	for line, wants := range map[string][]string{
		`search article "ergothioneine" --limit 5`:               {"32051057", "The biology of ergothioneine"},
		"get article 32051057 mesh citation --style bibtex":      {"@article{pmid32051057,", "| Ergothioneine | yes |"},
		"get article 10.1017/S0954422419000301 citation --json":  {`"ris":"TY  - JOUR`, `"pmid":"32051057"`},
		"search article cancer --sort pub_date --json --limit 3": {`"sort":"pub_date"`, `"retrieved_count":3`},
	} {
		text, code := ask(t, app, command.Agent, line)
		for _, want := range wants {
			if code != 0 || !strings.Contains(text, want) {
				t.Errorf("%s: exit %d, %q is missing in\n%.2000s", line, code, want, text)
			}
		}
	}
}
