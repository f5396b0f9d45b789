package corpus_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A corpus cut to a stub leads to no dead end: a repair sets it aside and says how to begin anew,
// and health reports the loss at every door until it is accepted.
func TestACorpusCutToAStub(t *testing.T) {
	for name, size := range map[string]int64{"empty": 0, "stub": 50} {
		t.Run(name, func(t *testing.T) {
			app := damaged(t, commandtest.Records(t), func([][]byte) {})
			path := filepath.Join(app.Env.DataDir, "corpus.db")
			if err := os.Truncate(path, size); err != nil {
				t.Fatal(err)
			}
			for door, out := range clitest.AnswersByFormat(t, app, "search corpus aspirin") {
				if strings.Contains(out, "no corpus yet") || !strings.Contains(out, "the file is ") {
					t.Errorf("%s: got %q, want an error that says that the file is damaged", door, out)
				}
			}
			text, code := clitest.Ask(t, app, command.Person, "sync repair")
			if code != 0 || !strings.Contains(text, "begin anew with sync pubmed") || !strings.Contains(text, "records") {
				t.Errorf("repair: exit %d: %s", code, text)
			}
			if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+commandtest.Records(t)); code != 0 {
				t.Errorf("import: exit %d: %s", code, text)
			}
			for door, out := range clitest.AnswersByFormat(t, app, "health") {
				if !strings.Contains(out, "behind") || !strings.Contains(out, "sync repair --accept") {
					t.Errorf("health, %s: got %q, want the loss and how to accept it", door, out)
				}
			}
			if err := app.Close(); err != nil {
				t.Fatal(err)
			}
			app = reopened(t, app)
			if text, code := clitest.Ask(t, app, command.Person, "sync repair --accept"); code != 0 || !strings.Contains(text, "accepted") {
				t.Errorf("accept: exit %d: %s", code, text)
			}
			if text, _ := clitest.Ask(t, app, command.Person, "health"); strings.Contains(text, "--accept") {
				t.Errorf("health after the loss was accepted: %s", text)
			}
		})
	}
}

// A folder in place of the corpus is refused at once, by a repair too, and left alone.
func TestAFolderInPlaceOfTheCorpus(t *testing.T) {
	app := commandtest.Empty(t)
	path := filepath.Join(app.Env.DataDir, "corpus.db")
	if err := os.MkdirAll(path, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"search corpus aspirin", "sync repair", "get checkpoint q"} {
		text, code := clitest.Ask(t, app, command.Person, line)
		if code != 1 || !strings.Contains(text, "a folder has the name of the file") {
			t.Errorf("%s: exit %d: got %q, want an error that names the folder", line, code, text)
		}
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		t.Errorf("the folder is gone: %v", err)
	}
}

// reopened returns an App of another process with the same data folder.
func reopened(t *testing.T, app *command.App) *command.App {
	t.Helper()
	other := commandtest.Empty(t)
	other.Env.DataDir = app.Env.DataDir
	return other
}
