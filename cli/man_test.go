package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
)

// Each command that is not hidden has a page with its usage and flags. The same program always
// writes the same bytes.
func TestManPages(t *testing.T) {
	app := diskApp(t)
	pages := func(dir string) map[string]string {
		t.Helper()
		text, code := ask(t, app, command.Person, "man "+dir+" --json")
		var got struct{ Pages int }
		if err := json.Unmarshal([]byte(text), &got); err != nil || code != 0 {
			t.Fatal(code, err, text)
		}
		files, err := os.ReadDir(dir)
		if err != nil || len(files) != got.Pages {
			t.Fatalf("got %d files and %d reported pages: %v", len(files), got.Pages, err)
		}
		all := map[string]string{}
		for _, f := range files {
			b, err := os.ReadFile(filepath.Join(dir, f.Name()))
			if err != nil {
				t.Fatal(err)
			}
			all[f.Name()] = string(b)
		}
		return all
	}
	got := pages(filepath.Join(t.TempDir(), "not", "there"))
	t.Setenv("SOURCE_DATE_EPOCH", "0") // Cobra reads a date from it
	again := pages(t.TempDir())
	plain := strings.NewReplacer(`\fB`, "", `\fP`, "", `\&`, "", `\-`, "-", `\`, "")
	tree, n := NewTree(), 0
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		if tree.Command(c) == nil {
			return
		}
		n++
		for _, member := range tree.Commands(c) {
			walk(member)
		}
		t.Run(c.CommandPath(), func(t *testing.T) {
			name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
			text := plain.Replace(got[name])
			if got[name] == "" || got[name] != again[name] || !strings.HasPrefix(text, `.nh
.TH "`) || !strings.Contains(text, `" "1" "" "biomcp `) || strings.Contains(text, "Auto generated") {
				t.Errorf("%.200s", got[name])
			}
			_, places, _ := strings.Cut(c.Use, " ")
			for _, want := range append([]string{places, "EXAMPLE"}, flagNames(c)...) {
				if !strings.Contains(text, want) && tree.Command(c).Run != nil {
					t.Errorf("no %s:\n%.900s", want, text)
				}
			}
		})
	}
	walk(tree.Root)
	if n != len(got) || got["biomcp-help.1"] != "" {
		t.Errorf("%d pages, and %d commands", len(got), n)
	}
	if text, code := ask(t, app, command.Agent, "man "+t.TempDir()); code != 2 {
		t.Errorf("an agent may write files: exit %d, %s", code, text)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if text, code := ask(t, app, command.Person, "man "+file); code != 1 {
		t.Errorf("a file for a folder: exit %d, %s", code, text)
	}
}

func flagNames(c *cobra.Command) (names []string) {
	c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, "--"+f.Name)
		}
	})
	return names
}

// The page of a command is shown. Pages are written only to an argument that is clearly a
// folder.
func TestManShowsThePageOfACommand(t *testing.T) {
	app := diskApp(t)
	t.Chdir(t.TempDir())
	for line, want := range map[string]string{"man search": "biomcp search", "man search article": "biomcp search article"} {
		if text, code := ask(t, app, command.Person, line); code != 0 || !strings.HasPrefix(text, "# "+want+"\n") {
			t.Errorf("%s: exit %d: %.200s", line, code, text)
		}
	}
	if text, code := ask(t, app, command.Person, "man serach"); code != 2 {
		t.Errorf("exit %d: %s", code, text)
	}
	if made, err := os.ReadDir("."); err != nil || len(made) > 0 {
		t.Errorf("%v: %v", err, made)
	}
}
