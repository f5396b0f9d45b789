package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/words"
)

func TestDemoShowsACorpusOffline(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	app := diskApp(t)
	text, code := ask(t, app, command.Person, "demo --json")
	var got struct {
		Folder string
		Steps  []struct {
			Command string
			Answer  json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
		t.Fatal(code, err, text)
	}
	if len(got.Steps) != len(demoSteps) {
		t.Fatalf("%d steps", len(got.Steps))
	}
	for i, want := range []string{`"inserted":51`, `"doc_id":"pmid:90200003"`, `"doc_id":"pmid:90200014"`, `"title":"Ergothioneine content`, `"gene":"TP53"`} {
		t.Run(want, func(t *testing.T) {
			if s := got.Steps[i]; !strings.Contains(strings.ReplaceAll(string(s.Answer), " ", ""), strings.ReplaceAll(want, " ", "")) {
				t.Errorf("%s: %q is missing in %s", s.Command, want, s.Answer)
			}
			args, err := words.Split(strings.TrimPrefix(got.Steps[i].Command, "biomcp "))
			if err != nil {
				t.Fatal(err)
			}
			parses(t, "demo", args)
		})
	}
	if strings.Contains(string(got.Steps[1].Answer), `"sim":null, "bm25": null`) || !strings.Contains(string(got.Steps[1].Answer), `"sim":0.`) {
		t.Errorf("no search by meaning: %s", got.Steps[1].Answer)
	}
	if _, err := os.Stat(app.Env.DataDir); err == nil {
		t.Error("the demo touched the user's own corpus")
	}
	temporary := func() []os.DirEntry {
		entries, err := os.ReadDir(os.Getenv("TMPDIR"))
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
	if left := temporary(); len(left) != 0 || got.Folder != "" {
		t.Errorf("the demo leaves %v, and names %q", left, got.Folder)
	}
	text, _ = ask(t, app, command.Person, "demo")
	if tests, note := strings.Index(text, "Log-rank p-value"), strings.Index(text, "38 variants of TP53"); tests < 0 || note < tests {
		t.Errorf("the note on variants is at %d, want it after the tests at %d", note, tests)
	}
	if text, code := ask(t, app, command.Person, "demo --keep"); code != 0 || len(temporary()) != 1 || !strings.Contains(text, "BIOMCP_DATA_DIR="+os.Getenv("TMPDIR")) {
		t.Errorf("exit %d, %v: %.300s", code, temporary(), text)
	}
}
