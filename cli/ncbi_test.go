package cli

import (
	"io"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"biomcp/cli/command"
	"biomcp/cli/words"
	"biomcp/entrez/entreztest"
)

func ask(t *testing.T, app *command.App, may command.Policy, line string) (text string, code int) {
	t.Helper()
	args, err := words.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	c := parse(NewTree(), args, may)
	out := c.run(t.Context(), app, command.IO{Err: io.Discard})
	text, _ = RenderAnswer(out, c.json, 0)
	return text, ExitStatus(out)
}

func TestKeyIsNeverShown(t *testing.T) {
	t.Parallel()
	for _, kind := range []entreztest.Kind{entreztest.BadKey, entreztest.Limit429, entreztest.HTML502, entreztest.Cut} {
		srv := synthetic(t)
		if err := srv.Fail(entreztest.Fault{Kind: kind, Times: -1}); err != nil {
			t.Fatal(err)
		}
		app := ncbiApp(t, srv)
		for _, line := range []string{"search article ergothioneine", "search article ergothioneine --json", "health --json", "get article 90100001 all"} {
			if text, _ := ask(t, app, command.Person, line); strings.Contains(text, entreztest.Key) {
				t.Errorf("%s after %s shows the key:\n%s", line, kind, text)
			}
		}
	}
	srv := synthetic(t)
	if text, _ := ask(t, ncbiApp(t, srv), command.Person, "search article ergothioneine --json"); strings.Contains(text, entreztest.Key) || !strings.Contains(text, "esearch.fcgi") {
		t.Error(text)
	}
}

// TestCutAnswerContinuesUntilComplete follows the command for the rest until an answer is
// complete. Together the answers must contain every article.
func TestCutAnswerContinuesUntilComplete(t *testing.T) {
	srv := entreztest.New(t)
	if err := srv.Add(entreztest.Generate(60, 7)); err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, srv)
	ids := generated(60)
	line := "get article " + strings.Join(ids, " ")
	seen := map[string]bool{}
	for range 40 {
		args, err := words.Split(line)
		if err != nil {
			t.Fatal(err)
		}
		text, failed := RenderAnswer(Run(t.Context(), app, command.IO{}, args, command.Agent), false, 20000)
		if failed || len([]rune(text)) > 20000 {
			t.Fatalf("failed: %v, %d characters: %.300s", failed, len(text), text)
		}
		for _, id := range ids {
			seen[id] = seen[id] || strings.Contains(text, "**PMID:** "+id+"\n")
		}
		_, after, cut := strings.Cut(text, "The rest:\n\n```\n")
		if !cut {
			break
		}
		line, _, _ = strings.Cut(after, "\n")
		line = strings.TrimPrefix(line, "biomcp ")
	}
	for _, id := range ids {
		if !seen[id] {
			t.Errorf("article %s was never shown", id)
		}
	}
	out := Run(t.Context(), app, command.IO{}, append([]string{"get", "article"}, ids...), command.Agent)
	if text, failed := RenderAnswer(out, true, 20000); !failed || !strings.Contains(text, `"VALIDATION"`) || !strings.Contains(text, `"try"`) {
		t.Errorf("JSON over the cap: %.300s", text)
	}
}

func TestRealRecordsEndToEnd(t *testing.T) {
	const file = "../../shared/data/pubmed/efetch-163.xml.gz"
	if _, err := os.Stat(file); err != nil {
		t.Skip("the real records are not next to the project: ", file)
	}
	app := ncbiApp(t, entreztest.New(t, entreztest.File(file)))
	for line, wants := range map[string][]string{
		`search article "ergothioneine" --limit 5`:               {"32051057", "The biology of ergothioneine"},
		"get article 32051057 mesh citation --style bibtex":      {"@article{pmid32051057,", "| Ergothioneine | yes |"},
		"get article 10.1017/S0954422419000301 citation --json":  {`"ris":"TY  - JOUR`, `"pmid":"32051057"`},
		"search article cancer --sort pub_date --json --limit 3": {`"sort":"pub_date"`, `"retrieved_count":3`},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := ask(t, app, command.Agent, line)
			for _, want := range wants {
				if code != 0 || !strings.Contains(text, want) {
					t.Errorf("%s: exit %d, %q is missing in\n%.2000s", line, code, want, text)
				}
			}
		})
	}
}

// readmeBlock matches a block of code of the README: its language and its text.
var readmeBlock = regexp.MustCompile("(?s)```(console|text)\n(.*?)```")

// The commands of the README run in order, and each excerpt is part of the answer of the command before it.
func TestReadmeShowsWhatIsPrinted(t *testing.T) {
	const file = "../../shared/data/pubmed/efetch-163.xml.gz"
	if _, err := os.Stat(file); err != nil {
		t.Skip("the real records are not next to the project: ", file)
	}
	body, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	app := ncbiApp(t, entreztest.New(t, entreztest.File(file)))
	app.Env = app.Env.WithDirs(t.TempDir(), t.TempDir())
	app.Now = func() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) } // quality depends on age
	commands, excerpts, last, answer := 0, 0, "", ""
	for _, block := range readmeBlock.FindAllStringSubmatch(string(body), -1) {
		for line := range strings.Lines(block[2]) {
			line = strings.TrimSpace(line)
			words, isCommand := strings.CutPrefix(strings.Replace(line, "$ ./", "$ ", 1), "$ biomcp ")
			switch {
			case block[1] == "text" && !strings.Contains("\n"+answer+"\n", "\n"+line+"\n"):
				t.Errorf("%s does not print: %s", last, line)
			case isCommand:
				commands++
				last = words
				text, code := ask(t, app, command.Person, words)
				if code != 0 {
					t.Errorf("%s: exit %d, want 0: %s", words, code, text)
				}
				answer = text
			}
		}
		if block[1] == "text" {
			excerpts++
		}
	}
	if commands != 6 || excerpts != 3 {
		t.Errorf("%d commands and %d excerpts, want 6 and 3", commands, excerpts)
	}
}
