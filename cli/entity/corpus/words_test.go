package corpus_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// plan returns what a successful sync pubmed --all prints on stderr.
func plan(t *testing.T, app *command.App, flags string) string {
	t.Helper()
	var stderr strings.Builder
	if out := cli.Run(t.Context(), app, command.IO{Err: &stderr}, clitest.Words(t, "sync pubmed --all --no-vectors "+flags), command.Person); out.Failure != nil {
		t.Fatal(out.Failure)
	}
	return stderr.String()
}

// filesOfPubMed simulates a file server with 8 files of one record; the last, a daily
// update, has none.
func filesOfPubMed(t *testing.T) *entreztest.Server {
	t.Helper()
	srv := commandtest.GeneratedNCBI(t, 7, nil)
	if err := srv.Publish(26, 1); err != nil {
		t.Fatal(err)
	}
	return srv
}

func TestNumbersOfFiles(t *testing.T) {
	srv := filesOfPubMed(t)
	for flags, want := range map[string]string{"": "8 files of 2026 to download from pubmed26n0001", "--files 7": "1 file of 2026 to download from pubmed26n0007",
		"--files 1-5": "5 files of 2026 to download from pubmed26n0001", "--files 6-": "3 files of 2026 to download from pubmed26n0006"} {
		t.Run(flags, func(t *testing.T) {
			if got := plan(t, commandtest.NCBI(t, srv), flags); !strings.Contains(got, want) {
				t.Error(got)
			}
		})
	}
	for _, text := range []string{"0", "x", "20-1", "1-99999", "-5"} {
		t.Run(text, func(t *testing.T) {
			if text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Person, "sync pubmed --all --files="+text); code != 2 || !strings.Contains(text, "the numbers of files are 7, 1-20 or 1300-") {
				t.Errorf("exit %d: %s", code, text)
			}
		})
	}
}

func TestWordsOfAPlan(t *testing.T) {
	app := commandtest.NCBI(t, filesOfPubMed(t))
	plan(t, app, "--files 1-3")
	want := regexp.MustCompile(`^5 files of 2026 to download from pubmed26n0004\.xml\.gz on, \d+\.\d kB \(3 imported before\); about \d+ records\.
The disk needs about \d+\.\d [kM]B of \d+\.\d [MGT]B free, and the import less than a minute, besides the time of the download\.
`)
	if got := plan(t, app, ""); !want.MatchString(got) {
		t.Error(got)
	}
	if got := plan(t, app, ""); got != "All 8 files of 2026 are imported.\n" {
		t.Error(got)
	}
}

// The first lost PMIDs are named, and the others are counted.
func TestWordsOfWhatWasLost(t *testing.T) {
	file := filepath.Join(t.TempDir(), "made-up.xml")
	records, err := io.ReadAll(entreztest.Generate(200, 1))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, records, 0o600); err != nil {
		t.Fatal(err)
	}
	app := damaged(t, file, func(pages [][]byte) {
		for i := 3; i < len(pages); i += 2 {
			clear(pages[i])
		}
	})
	text := clitest.Answer(t, app, command.Person, "sync repair")
	m := regexp.MustCompile(`\*\*Lost:\*\* (\d+) records(?:, [^\n]*)?\n- \*\*PMIDs:\*\* ((?:\d+, )+)and (\d+) more\n`).FindStringSubmatch(text)
	if m == nil {
		t.Fatal(text)
	}
	named := strings.Count(m[2], ",")
	more, err := strconv.Atoi(m[3])
	if err != nil || named != 20 || m[1] != fmt.Sprint(named+more) {
		t.Error(text)
	}
}
