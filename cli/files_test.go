package cli_test

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

// Two flags of a line may not name one file, however they spell it.
func TestTwoFlagsNameTwoFiles(t *testing.T) {
	app, dir := commandtest.Study(t), t.TempDir()
	work := filepath.Join(dir, "work")
	for _, err := range []error{os.Mkdir(work, 0o700), os.Symlink(work, filepath.Join(dir, "link"))} {
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(work)
	for name, pair := range map[string][2]string{
		"equal":         {filepath.Join(work, "x.csv"), filepath.Join(work, "x.csv")},
		"absolute":      {"x.csv", filepath.Join(work, "x.csv")},
		"with dots":     {"x.csv", filepath.Join("..", "work", "x.csv")},
		"linked folder": {"x.csv", filepath.Join(dir, "link", "x.csv")},
		"linked file":   {"old.csv", filepath.Join(dir, "old-link.csv")},
		"hard link":     {"old.csv", filepath.Join(dir, "old-hard.csv")},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.Contains(name, "link") && pair[0] == "old.csv" {
				link := os.Symlink
				if name == "hard link" {
					link = os.Link
				}
				if err := os.WriteFile("old.csv", []byte("mine"), 0o600); err != nil {
					t.Fatal(err)
				}
				if err := link(filepath.Join(work, "old.csv"), pair[1]); err != nil {
					t.Fatal(err)
				}
			}
			line := "study survival -s synthetic_demo -g TP53 --force --rows " + pair[0] + " --curve " + pair[1]
			if text, code := clitest.Ask(t, app, command.Person, line); code != 2 || !strings.Contains(text, "--curve and --rows name the same file") {
				t.Errorf("exit %d, want 2 and a message about the same file: %s", code, text)
			}
			if _, err := os.Stat("x.csv"); err == nil {
				t.Error("the file was written, want none")
			}
		})
	}
}

// Only a regular file is replaced. A folder is refused, a pipe is written to, and a link remains.
func TestOnlyARegularFileIsReplaced(t *testing.T) {
	app := commandtest.Study(t)
	app.Env.Network = commandtest.NCBI(t, commandtest.PubMed(t)).Env.Network
	const line = "get article 90100001 references -o "
	isLink := func(t *testing.T, file string) {
		t.Helper()
		if info, err := os.Lstat(file); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: got %v (%v), want a link", file, info, err)
		}
	}
	for _, force := range []string{"", " --force"} {
		t.Run("folder"+force, func(t *testing.T) {
			dir := t.TempDir()
			folder, link := filepath.Join(dir, "folder.csv"), filepath.Join(dir, "link.csv")
			for _, err := range []error{os.Mkdir(folder, 0o700), os.Symlink(folder, link)} {
				if err != nil {
					t.Fatal(err)
				}
			}
			for _, file := range []string{folder, link} {
				text, code := clitest.Ask(t, app, command.Person, line+file+force)
				if code != 2 || !strings.Contains(text, "is a folder") || !strings.Contains(text, filepath.Join(file, "out.csv")) {
					t.Errorf("exit %d, want 2 and the name of a file in the folder: %s", code, text)
				}
			}
			isLink(t, link)
		})
	}
	t.Run("link to a file", func(t *testing.T) {
		dir := t.TempDir()
		target, link, broken := filepath.Join(dir, "target.csv"), filepath.Join(dir, "link.csv"), filepath.Join(dir, "broken.csv")
		for _, err := range []error{
			os.WriteFile(target, []byte("mine"), 0o600), os.Symlink(target, link), os.Symlink(filepath.Join(dir, "none"), broken),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, file := range []string{link, broken} {
			if text, code := clitest.Ask(t, app, command.Person, line+file); code != 2 || !strings.Contains(text, "exists; --force replaces it") {
				t.Errorf("exit %d, want 2 and a refusal: %s", code, text)
			}
			isLink(t, file)
		}
		if text, code := clitest.Ask(t, app, command.Person, line+link+" --force"); code != 0 {
			t.Errorf("exit %d, want 0: %s", code, text)
		}
		isLink(t, link)
		if body, err := os.ReadFile(target); err != nil || string(body) == "mine" {
			t.Errorf("the target holds %q (%v), want the answer", body, err)
		}
	})
}
