package cli

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

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
	plain := strings.NewReplacer(`\fB`, "", `\fR`, "", `\[u2026]`, "…", `\:`, "", `\&`, "", `\-`, "-", `\`, "")
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
			if got[name] == "" || got[name] != again[name] || !strings.HasPrefix(text, `.TH "`) || !strings.Contains(text, `" "1" "" "biomcp `) {
				t.Errorf("%.200s", got[name])
			}
			checkRoff(t, got[name])
			_, places, _ := strings.Cut(c.Use, " ")
			places, _, _ = strings.Cut(places, " | ") // a long synopsis has several lines
			places, _, _ = strings.Cut(places, " --")
			for _, want := range append([]string{places, "EXAMPLE"}, flagNames(c)...) {
				if !strings.Contains(text, want) && tree.Command(c).Run != nil {
					t.Errorf("no %s:\n%.900s", want, text)
				}
			}
		})
	}
	walk(tree.Root)
	checkGroff(t, slices.Collect(maps.Values(got)))
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

// checkRoff checks the source of a man page: its sections, that only requests begin with a full stop, and that it
// has no marks of markdown and no empty defaults.
func checkRoff(t *testing.T, page string) {
	t.Helper()
	at := 0
	for _, section := range []string{"NAME", "SYNOPSIS", "DESCRIPTION"} {
		i := strings.Index(page, "\n.SH "+section+"\n")
		if i < at {
			t.Errorf("section %s is at %d, want it after %d", section, i, at)
		}
		at = i
	}
	requests := []string{".TH", ".SH", ".SS", ".PP", ".TP", ".RS", ".RE", ".nf", ".fi", ".nh", ".ad"}
	for line := range strings.Lines(page) {
		line = strings.TrimSuffix(line, "\n")
		request, _, _ := strings.Cut(line, " ")
		switch {
		case strings.HasPrefix(line, "'"), strings.HasPrefix(line, ".") && !slices.Contains(requests, request):
			t.Errorf("%q is read as a request", line)
		case strings.HasSuffix(line, `\`), strings.TrimSpace(line) == "":
			t.Errorf("%q ends with a backslash or is empty", line)
		case strings.ContainsAny(line, "`"), strings.Contains(line, `=""`), strings.Contains(line, "**"):
			t.Errorf("%q has marks of markdown or an empty default", line)
		case strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII || r < ' ' }):
			t.Errorf("%q has characters that troff does not read", line)
		}
	}
}

// checkGroff formats pages with groff, if there is one, and wants no warnings.
func checkGroff(t *testing.T, pages []string) {
	t.Helper()
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Log("no groff on this machine")
		return
	}
	cmd := exec.Command(groff, "-ww", "-man", "-Tutf8")
	cmd.Stdin = strings.NewReader(strings.Join(pages, ""))
	var problems strings.Builder
	cmd.Stderr = &problems
	if out, err := cmd.Output(); err != nil || problems.Len() > 0 || len(out) == 0 {
		t.Errorf("groff: %v, %d bytes: %.2000s", err, len(out), problems.String())
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
	for line, want := range map[string]string{
		"man": "biomcp", "man biomcp": "biomcp", "man search": "biomcp search", "man search article": "biomcp search article",
		"man biomcp search article": "biomcp search article", "man biomcp-search-article": "biomcp search article",
		"man biomcp-co-occurrence": "", "man biomcp-study-co-occurrence": "biomcp study co-occurrence",
	} {
		if want == "" {
			if text, code := ask(t, app, command.Person, line); code != 2 {
				t.Errorf("%s: got exit %d: %.200s, want 2", line, code, text)
			}
			continue
		}
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
