package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestWhatASyncStoredIsShownBesideItsFailure(t *testing.T) {
	app := commandtest.Empty(t)
	dir := t.TempDir()
	records, err := os.ReadFile(commandtest.Records(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a.xml": string(records), "b.xml": "no XML"} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		})
	}
	stdout, stderr, _ := clitest.RunForPerson(t, app, "sync pubmed --from "+dir)
	out := stdout + stderr
	if !strings.Contains(out, " inserted, 0 updated") || !strings.Contains(out, "error: the sync is incomplete: b.xml: it is not PubMed XML") {
		t.Error(out)
	}
}

func TestAWatermarkInTheFutureIsRefused(t *testing.T) {
	app := commandtest.Empty(t)
	now := app.Now().UTC()
	for at, want := range map[string]int{
		now.Format("2006-01-02"):                            0,
		now.Format("2006-01-02T15:04:05Z"):                  0,
		now.AddDate(0, 0, 1).Format("2006-01-02"):           2,
		now.AddDate(1, 0, 0).Format("2006-01-02T15:04:05Z"): 2,
	} {
		t.Run(fmt.Sprintf("%.60s", at), func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Person, "sync checkpoint k "+at); code != want || strings.Contains(text, "in the future") != (want == 2) {
				t.Errorf("%s: exit %d: %s", at, code, text)
			}
		})
	}
}
