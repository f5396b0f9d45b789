package cli

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"biomcp/cli/command"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/skills"
	"biomcp/store/study/example"
)

// simulated are the names of the worked examples of which the simulators know
// nothing, with others of which they do. They do not know every word, as --strict asks.
var simulated = strings.NewReplacer(
	"imatinib", "fictinib", "imatinb", "fictin", "NCT02576665", "NCT99000001", "GTR000500001", "GTR000900001",
	"32051057", "90100001", "23193287", "90100002", "32450107", "90100003", "9500320", "90100004", "10.1093/nar/gks1195", "90100001",
	"PMC3531190", "PMC8000001", "GLP-1 receptor agonist AND obesity", "ergothioneine", " --strict", "",
)

// Every command of a worked example is answered by the simulators, in the order in
// which it is read, and not with an error. Apart are those that name a file of the
// reader, or parts of a longer text than the simulators have.
func TestEveryCommandOfAWorkedExampleRuns(t *testing.T) {
	warmCache(t)
	home := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, entreztest.File(sampleRecords), entreztest.File("../entrez/entreztest/testdata/synthetic.xml"),
			entreztest.PMC("../entrez/entreztest/testdata/synthetic.nxml"), entreztest.NoLimit(), entreztest.Unlisted())
		sourcestest.AddTo(srv.Server)
		vars := map[string]string{"NCBI_API_KEY": entreztest.Key, "HOME": home, "NCBI_MAX_RETRIES": "0"}
		for _, v := range srv.Env() {
			name, value, _ := strings.Cut(v, "=")
			vars[name] = value
		}
		app := toyApp()
		app.Env = command.ReadEnv(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }, "test", sources.All()...)
		app.Env.Network.Transport, app.Now = srv.Transport(), time.Now
		defer app.Close()
		if _, err := example.Write(app.Env.StudyDir); err != nil {
			t.Fatal(err)
		}
		for _, line := range []string{"sync cvx", "sync who", "sync who-ivd", "sync gtr", "sync ema"} {
			if text, code := ask(t, app, command.Person, line); code != 0 {
				t.Fatal(text)
			}
		}
		ran := map[string]bool{}
		for _, e := range skills.Catalogue() {
			for _, line := range commandsOf(e) {
				line = simulated.Replace(line)
				if ran[line] || strings.Contains(line, "ids.txt") || strings.Contains(line, "fulltext --part") || line == "sync pubmed" {
					continue
				}
				ran[line] = true
				if text, code := ask(t, app, command.Person, line); code != 0 {
					t.Errorf("%s: %s: exit %d: %s", e.Slug, line, code, text)
				}
			}
		}
	})
}

// commandsOf are the commands of a worked example and its ladder.
func commandsOf(e *skills.Example) (lines []string) {
	for _, m := range typedLine.FindAllStringSubmatch(e.Text, -1) {
		lines = append(lines, m[1]+m[2])
	}
	if e.Ladder != nil {
		for _, s := range e.Ladder.Steps {
			lines = append(lines, strings.TrimPrefix(s.Command, "biomcp "))
		}
	}
	return lines
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
