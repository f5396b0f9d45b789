package library_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A user begins a project and adds articles; an agent finds and reads them.
func TestArticlesAreKeptInAProject(t *testing.T) {
	srv := commandtest.PubMed(t)
	app := commandtest.NCBI(t, srv)
	for _, c := range []struct {
		line string
		exit int
		want string
	}{
		{"library add p --from-articles 90100001", 1, "biomcp library init p"},
		{"library init p", 0, "p"},
		{"library init p", 0, "was not changed"},
		{"library init ../p", 2, ""},
		{"library add p --from-articles 90100001,90100002 --json", 0, "90100001"},
		{"library add p --from-articles 90100001", 0, "90100001"},
		{"library add p --from-articles 12x", 2, "12x\ntry:   biomcp library add --help\n"},
		{"library add p --from-articles 90100001,abc 12x --force", 2, "abc, 12x\ntry:   biomcp library add p --force --from-articles 90100001\n"},
		{"library add p", 2, "--from-articles"},
		{"get library 90100001", 2, "try:   biomcp search library 90100001\n"},
		{"get library p", 2, "try:   biomcp search library --project p\n"},
		{"library add p -", 2, "there is no standard input to read ids from"},
	} {
		t.Run(c.line, func(t *testing.T) {
			if text, code := clitest.Ask(t, app, command.Person, c.line); code != c.exit || !strings.Contains(text, c.want) {
				t.Errorf("%s: exit %d: %s", c.line, code, text)
			}
		})
	}
	pipe := command.IO{In: strings.NewReader("90100003\n90100001\n")}
	out := cli.Run(t.Context(), app, pipe, []string{"library", "add", "p", "--from-articles", "-"}, command.Person)
	if text, _ := cli.RenderAnswer(out, true, 0); !strings.Contains(text, `"files":["pmid-90100003.md"],"skipped":["pmid-90100001.md"]`) {
		t.Error(text)
	}
	list := filepath.Join(t.TempDir(), "list.txt")
	if err := os.WriteFile(list, []byte("90100004\n90100001\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range []string{"library add p -", "library add p --ids-from " + list} {
		pipe := command.IO{In: strings.NewReader("90100004\n90100001\n")}
		text, _ := cli.RenderAnswer(cli.Run(t.Context(), app, pipe, strings.Fields(args), command.Person), true, 0)
		if !strings.Contains(text, "pmid-90100004.md") || !strings.Contains(text, "pmid-90100001.md") {
			t.Errorf("%s: got %s, want the articles of the list", args, text)
		}
	}
	files, err := filepath.Glob(filepath.Join(app.Env.LibraryDir, "p", "*", "*.md"))
	if more, _ := filepath.Glob(filepath.Join(app.Env.LibraryDir, "p", "*.md")); err != nil || len(files)+len(more) < 2 {
		t.Errorf("%q, %q, %v", files, more, err)
	}
	commandtest.WriteLibraryFile(t, app, "p/own.md", "---\ntitle: Own words\ntags: [invented]\n---\nA note on ergothioneine.\n")
	clitest.RunCasesOn(t, app, srv, []clitest.Case{
		{Line: "search library ergothioneine", Text: "p/own.md"},
		{Line: "search library ergothioneine --json", Text: `"results":`},
		{Line: "search library nothingofthiskind --json", Text: `"results":[]`},
		{Line: "get library p/own.md", Text: "A note on ergothioneine"},
		{Line: "get library p/own.md --json", Text: `"text":`},
		{Line: "get library p/none.md", ExitStatus: 1, Text: "p/none.md"},
		{Line: "get library ../x.md", ExitStatus: 1, Text: "the library has no file"},
	})
	if err := os.RemoveAll(app.Env.LibraryDir); err != nil {
		t.Fatal(err)
	}
	clitest.RunCasesOn(t, app, srv, []clitest.Case{{Line: "search library ergothioneine --json", Text: `"results":[]`}})
}
