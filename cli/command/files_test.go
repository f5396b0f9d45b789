package command_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
)

// writers holds a line for each kind of file that a command writes, with FILE for its name.
var writers = []string{
	"search article ergothioneine -o FILE.csv", "search article ergothioneine --limit 2 --output FILE.xlsx",
	"search article ergothioneine --limit 2 -o FILE.ris", "search article ergothioneine -o FILE.txt",
	"get article 90100001 references --limit 2 -o FILE.jsonl",
	"batch article 90100001 mesh -o FILE.tsv", "study top-mutated -s synthetic_demo --limit 2 -o FILE.tsv",
	"study summary -s synthetic_demo --limit 1 -o FILE.csv",
	"study query -s synthetic_demo -g TP53 --chart lollipop -o FILE.svg", "study cohort -s synthetic_demo -g TP53 --rows FILE.csv",
	"study survival -s synthetic_demo -g TP53 --curve FILE.tsv", "study survival -s synthetic_demo -g TP53 -o FILE.xlsx",
	"study top-mutated -s synthetic_demo --limit 2 -o FILE.csv", "study co-occurrence -s synthetic_demo -g TP53,KRAS -o FILE.jsonl",
}

// A file that exists is replaced only with --force. The refusal suggests a name that is free, and no command
// printed after an answer has --force or writes to a file that exists.
func TestNoFileIsReplacedWithoutForce(t *testing.T) {
	app := commandtest.Study(t)
	app.Env.Network = commandtest.NCBI(t, commandtest.PubMed(t)).Env.Network
	for _, writer := range writers {
		t.Run(writer, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "out")
			line := strings.Replace(writer, "FILE", name, 1)
			file := name + filepath.Ext(writer)
			free := name + "-2" + filepath.Ext(writer)
			used := []string{file, name + "-3" + filepath.Ext(writer)} // the second: the next page's name
			for _, used := range used {
				if err := os.WriteFile(used, []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			text, code := clitest.Ask(t, app, command.Person, line)
			if body, err := os.ReadFile(file); code != 2 || err != nil || string(body) != "mine" {
				t.Errorf("exit %d, want 2; the file holds %q: %s", code, body, text)
			}
			if !strings.Contains(text, "exists; --force replaces it") || !strings.Contains(text, free) {
				t.Errorf("the refusal does not suggest %s: %s", free, text)
			}
			out := clitest.Run(t, app, command.Person, line+" --force")
			if body, err := os.ReadFile(file); out.Failure != nil || err != nil || string(body) == "mine" {
				t.Fatalf("--force: %v, the file holds %q", out.Failure, body)
			}
			for _, next := range printedLines(out.Result) {
				if strings.Contains(next, "--force") {
					t.Errorf("a printed command has --force, which was given for %s alone: %s", file, next)
				}
				for _, used := range used {
					if regexp.MustCompile(`--(output|rows|curve) ` + regexp.QuoteMeta(used) + `( |$)`).MatchString(next) {
						t.Errorf("a printed command writes %s, which exists: %s", used, next)
					}
				}
			}
		})
	}
}

// printedLines returns the notices of an answer and the commands after it.
func printedLines(r *result.Result) []string {
	lines := slices.Clone(r.Notices)
	for _, l := range r.Next {
		lines = append(lines, l.String())
	}
	return lines
}

// Two flags of a line may not name one file.
func TestTwoFlagsNameTwoFiles(t *testing.T) {
	app, file := commandtest.Study(t), filepath.Join(t.TempDir(), "x.csv")
	line := "study survival -s synthetic_demo -g TP53 --rows " + file + " --curve " + file
	if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, "--curve and --rows name the same file") {
		t.Errorf("exit %d: %s", code, text)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("the file was written")
	}
}
