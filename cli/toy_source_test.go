package cli

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sources"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/sourcetest/toytest"
)

// A source needs a package and a line in the list of sources; its row in health follows. The
// table of the environment is tested in build.
func TestHealthHasARowForEverySource(t *testing.T) {
	t.Parallel()
	ncbi := entreztest.New(t)
	toy, err := toytest.Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(toy.Close)
	hub := sourcetest.New(t, sourcetest.Keys(entreztest.Key))
	sourcestest.AddTo(hub)
	vars := map[string]string{"HOME": t.TempDir(), "NCBI_MAX_RETRIES": "0", toytest.Source.Key.Variable: toytest.Key}
	for _, v := range slices.Concat(ncbi.Env(), toy.Env(), hub.Env()) {
		name, value, _ := strings.Cut(v, "=")
		vars[name] = value
	}
	health := func() map[string]string {
		app := toyApp()
		app.Env = command.ReadEnv(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }, "test", append(sources.All(), &toytest.Source)...)
		defer app.Close()
		text, code := ask(t, app, command.Agent, "health --json")
		var got struct {
			Rows []struct{ Name, Kind, Status, Detail string }
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
			t.Fatal(code, text)
		}
		rows := map[string]string{}
		for _, r := range got.Rows {
			if r.Kind == "source" || r.Kind == "key" {
				rows[r.Name] = r.Status + ": " + r.Detail
			}
		}
		return rows
	}
	want := map[string]string{
		"Toy service":  "ok: answers",
		"NCBI_API_KEY": fmt.Sprintf("absent: %s; a key gives %d", entrez.Source.Rate.Text(false), entrez.Source.Rate.WithKey), "TOY_API_KEY": "ok: set: 5 requests a second",
	}
	for _, s := range sources.All() {
		want[s.Label] = "ok: answers"
	}
	if got := health(); !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if err := toy.Fail(sourcetest.Fault{Kind: sourcetest.Down503, Times: -1}); err != nil {
		t.Fatal(err)
	}
	if got := health()["Toy service"]; !strings.HasPrefix(got, "down: Toy service answered HTTP 503") {
		t.Error(got)
	}
	if toy.Limited() > 0 || toy.Requests()[0].Params.Get("key") != toytest.Key {
		t.Errorf("%+v", toy.Requests())
	}
	vars[toytest.Source.Variable()] = "ftp://toy"
	if got := health()["Toy service"]; !strings.Contains(got, "BIOMCP_TOY_URL must be an http or https address") {
		t.Error(got)
	}
}
