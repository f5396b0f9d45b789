package corpus_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// damage imports records, closes the corpus and zeroes one of its pages.
func damage(t *testing.T, page int) *command.App {
	t.Helper()
	return damaged(t, commandtest.Records(t), func(pages [][]byte) { clear(pages[page-1]) })
}

// damaged imports the records of a file, closes the corpus and changes its pages.
func damaged(t *testing.T, records string, change func(pages [][]byte)) *command.App {
	t.Helper()
	app := commandtest.Empty(t)
	if text, code := clitest.Ask(t, app, command.Person, "sync pubmed --from "+records); code != 0 {
		t.Fatal(text)
	}
	if err := app.Close(); err != nil {
		t.Fatal(err)
	}
	later := commandtest.Empty(t)
	later.Env.DataDir = app.Env.DataDir
	path := filepath.Join(later.Env.DataDir, "corpus.db")
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	change(slices.Collect(slices.Chunk(b, 8192)))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return later
}

func TestDamageHasAWayOut(t *testing.T) {
	app := damage(t, 2)
	dir := app.Env.DataDir
	for name, out := range clitest.AnswersByFormat(t, app, "health") {
		agent := name == "MCP"
		if !strings.Contains(out, "the file is damaged: ") || strings.Contains(out, dir) == agent || strings.Contains(out, "biomcp sync repair") == agent {
			t.Errorf("%s: %s", name, out)
		}
	}
	if text, code := clitest.Ask(t, app, command.Person, "health --fail-on-error"); code != 1 || !strings.Contains(text, "local corpus") || !strings.Contains(text, "try:   biomcp sync repair") {
		t.Errorf("exit %d: %s", code, text)
	}
	text, code := clitest.Ask(t, app, command.Person, "sync repair --json")
	var report struct {
		Saved map[string]int `json:"saved"`
		Lost  struct {
			Records int
			PMIDs   []int
		} `json:"lost"`
		Kept     string `json:"damaged_file"`
		Repaired bool
	}
	if err := json.Unmarshal([]byte(text), &report); err != nil || code != 0 || !report.Repaired || report.Saved["documents"] < 3 || report.Lost.Records != 0 || report.Lost.PMIDs == nil {
		t.Errorf("exit %d, %v: %s", code, err, text)
	}
	if _, err := os.Stat(filepath.Join(dir, report.Kept)); err != nil {
		t.Error(err)
	}
	for _, line := range []string{"health", "health --deep", "health"} {
		for name, out := range clitest.AnswersByFormat(t, app, line) {
			if !strings.Contains(out, "the whole file checked") || strings.Contains(out, "damaged") {
				t.Errorf("%s of %s: %s", line, name, out)
			}
		}
	}
	if out := clitest.Answer(t, app, command.Person, "health"); !strings.Contains(out, "the whole file checked, deep on ") {
		t.Errorf("the date of the deep check: %s", out)
	}
	if out := clitest.Answer(t, app, command.Person, "search corpus mushrooms ergothioneine"); !strings.Contains(out, "ushroom") {
		t.Error(out)
	}
	if text, code := clitest.Ask(t, app, command.Person, "sync repair"); code != 0 || !strings.Contains(text, "No damage was found") {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Person, "sync repair --json"); code != 0 || !strings.Contains(text, `"repaired":false`) {
		t.Errorf("exit %d: %s", code, text)
	}
	if text, code := clitest.Ask(t, app, command.Agent, "sync repair"); code == 0 || !strings.Contains(text, "read-only") {
		t.Errorf("an agent: exit %d: %s", code, text)
	}
}

// The error of an unreadable corpus is its damage, not a query key without a term.
func TestDamageIsNotAQueryKeyWithoutATerm(t *testing.T) {
	text, code := clitest.Ask(t, damage(t, 1), command.Person, "sync pubmed --query-key all")
	if code != 1 || !strings.Contains(text, "the file is ") || !strings.Contains(text, "try:   biomcp sync repair") {
		t.Errorf("exit %d: %s", code, text)
	}
}

func TestADamagedCorpusNamesItsFileToAPersonAlone(t *testing.T) {
	app := damage(t, 1)
	for name, out := range clitest.AnswersByFormat(t, app, "get document pmid:90100001") {
		agent := name == "MCP"
		if !strings.Contains(out, "STORE") && !strings.Contains(out, "is not a biomcp database") || strings.Contains(out, app.Env.DataDir) == agent ||
			!strings.Contains(out, "biomcp sync repair") || agent && !strings.Contains(out, "the server's owner can run: biomcp sync repair") {
			t.Errorf("%s: %s", name, out)
		}
	}
	if out := clitest.Answer(t, app, command.Person, "sync repair"); !strings.Contains(out, "Lost:** nothing") || !strings.Contains(out, "corpus.damaged-") {
		t.Error(out)
	}
	if out := clitest.Answer(t, app, command.Person, "get document pmid:90100001"); !strings.Contains(out, "90100001") {
		t.Error(out)
	}
}
