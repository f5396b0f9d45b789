package cli

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/sources"
)

// Tests of features for a person at a terminal.

func TestFormatForTerminalPipeAndJSON(t *testing.T) {
	env := func(vars map[string]string) command.Env {
		return command.ReadEnv(func(name string) (string, bool) { v, ok := vars[name]; return v, ok }, "test", sources.All()...)
	}
	tty := screen{terminal: true, width: 90, kind: "xterm-256color"}
	for name, c := range map[string]struct {
		vars map[string]string
		args []string
		to   screen
		want result.Format
	}{
		"a terminal":        {nil, nil, tty, result.Format{Terminal: true, Color: true, Width: 90}},
		"NO_COLOR":          {map[string]string{"NO_COLOR": "1"}, nil, tty, result.Format{Terminal: true, Width: 90}},
		"--no-color":        {nil, []string{"version", "--no-color"}, tty, result.Format{Terminal: true, Width: 90}},
		"after --":          {nil, []string{"get", "--", "--no-color"}, tty, result.Format{Terminal: true, Color: true, Width: 90}},
		"a dumb terminal":   {nil, nil, screen{terminal: true, width: 90, kind: "dumb"}, result.Format{Terminal: true, Width: 90}},
		"a pipe":            {nil, nil, screen{kind: "xterm"}, result.Format{}},
		"JSON":              {nil, []string{"version", "--json"}, tty, result.Format{JSON: true, Terminal: true}},
		"JSON in a pipe":    {nil, []string{"version", "--json"}, screen{kind: "xterm"}, result.Format{JSON: true}},
		"JSON that is off":  {nil, []string{"version", "--json=false"}, tty, result.Format{Terminal: true, Color: true, Width: 90}},
		"a width not known": {nil, nil, screen{terminal: true}, result.Format{Terminal: true, Color: true}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := parse(NewTree(), c.args, command.Person).format(env(c.vars), c.to); got != c.want {
				t.Errorf("%s: %+v, want %+v", name, got, c.want)
			}
		})
	}
	out := toyRun(t, "get", "planet", "mars", "moons")
	for _, color := range []bool{true, false} {
		var b bytes.Buffer
		if err := result.Render(&b, &b, out, result.Format{Terminal: true, Color: color, Width: 80}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "\x1b[") != color {
			t.Errorf("colour %v: %q", color, b.String())
		}
	}
}

// TestShellCompletion sends the requests of a shell.
func TestShellCompletion(t *testing.T) {
	app := commandtest.Study(t)
	for _, line := range []string{"sync pubmed --from " + sampleRecords, "sync checkpoint mushrooms 2024-01-01", "library init notes"} {
		if text, code := ask(t, app, command.Person, line); code != 0 {
			t.Fatal(text)
		}
	}
	for line, want := range map[string][]string{
		"|":                             {"search", "get", "cache", "health", "version"},
		"se|":                           {"search", "serve"},
		"search |":                      {"article", "mesh", "citation", "corpus"},
		"get art|":                      {"article"},
		"get article 32051057 |":        {"mesh", "grants", "fulltext", "citation", "all"},
		"get article 32051057 --|":      {"--style", "--limit", "--json"},
		"search article x --sort |":     {"relevance", "pub_date", "author", "journal_name"},
		"search article x --species |":  {"humans", "animals"},
		"search article x --language |": {"english", "french"},
		"search article x --pub-type |": {"Systematic Review"},
		"study summary --study |":       {"synthetic_demo"},
		"study survival --study synthetic_demo --gene TP53 --by |": {"SEX"},
		"sync pubmed --query-key |":                                {"mushrooms"},
		"search article x --date-type |":                           {"pdat", "edat", "mdat", "crdt"},
		"get article 1 citation --style |":                         {"ris", "bibtex", "csl-json"},
		"search article x --no-such-flag |":                        nil,
		"completion |":                                             {"bash", "zsh", "fish", "powershell"},
		"list |":                                                   {"article"},
		"get checkpoint |":                                         {"mushrooms"},
		"sync checkpoint |":                                        {"mushrooms"},
		"sync list |":                                              {"mushrooms"},
		"sync checkpoint mushrooms |":                              nil,
		"study remove |":                                           {"synthetic_demo"},
		"library add |":                                            {"notes"},
		"search library --project |":                               {"notes"},
		"batch |":                                                  {"article", "gene"},
		"batch article 32051057 |":                                 {"mesh", "all"},
		"search corpus x --pub-type |":                             {"Review", "Systematic Review"},
	} {
		t.Run(line, func(t *testing.T) {
			typed, _ := strings.CutSuffix(line, "|")
			words := strings.Split(typed, " ") // the last word is incomplete
			tree := NewTree().Expand()
			tree.Complete(func(c *cobra.Command, flag string) []string { return localCompletions(app, c, flag) })
			root := tree.Root
			var out bytes.Buffer
			root.SetOut(&out)
			root.SetErr(&bytes.Buffer{})
			root.SetArgs(append([]string{"__complete"}, words...))
			if err := root.Execute(); err != nil {
				t.Errorf("%s: %v", line, err)
			}
			offered := map[string]bool{}
			for _, l := range strings.Split(out.String(), "\n") {
				word, _, _ := strings.Cut(l, "\t")
				offered[word] = true
			}
			for _, w := range want {
				if !offered[w] {
					t.Errorf("%s does not offer %s: %s", line, w, out.String())
				}
			}
			if want == nil && len(offered) > 3 {
				t.Errorf("%s offers %s", line, out.String())
			}
		})
	}
}

func TestCacheCleanDryRunRemovesNothing(t *testing.T) {
	app := ncbiApp(t, unpaced(t))
	if text, code := ask(t, app, command.Person, "search article mushroom"); code != 0 {
		t.Fatal(text)
	}
	stats := func() string {
		text, code := ask(t, app, command.Person, "cache stats --json")
		if code != 0 {
			t.Fatal(text)
		}
		return text
	}
	if s := stats(); !strings.Contains(s, `"entries":2,`) {
		t.Fatal("a search and its summaries should be kept: ", s)
	}
	if text, code := ask(t, app, command.Person, "cache clean --max-size 16777217T --dry-run"); code != 2 || !strings.Contains(text, "out of range") {
		t.Errorf("a size of more bytes than can be counted: exit %d, %s", code, text)
	}
	text, code := ask(t, app, command.Person, "cache clean --max-size 1 --dry-run --json")
	if code != 0 || !strings.Contains(text, `"dry_run":true`) || !strings.Contains(text, `"removed":2,`) {
		t.Errorf("exit %d, %s", code, text)
	}
	if s := stats(); !strings.Contains(s, `"entries":2,`) {
		t.Error("a dry run removed something: ", s)
	}
	if text, _ := ask(t, app, command.Person, "cache clean --max-size 1"); !strings.HasPrefix(text, "Removed 2 responses") {
		t.Error(text)
	}
	if s := stats(); !strings.Contains(s, `"entries":0,`) {
		t.Error("a clean-up removed nothing: ", s)
	}
}

type said struct {
	Text string `json:"text"`
}

func (s said) Doc() result.Doc { return result.Doc{result.Para{Text: s.Text}} }

// TestAgentMayNotUseHostOnlyFlags uses a command that an agent may run.
func TestAgentMayNotUseHostOnlyFlags(t *testing.T) {
	tree := func() *command.Tree {
		return command.NewTree(&command.Command{Use: "biomcp", Short: "Toy", Noun: "command", Commands: []*command.Command{{
			Use: "read", Short: "Read", Effect: command.Reads,
			Examples: []command.Example{{Line: "biomcp read", Explanation: "nothing"}},
			Flags: func(f *command.Flags) {
				f.String("word", "", "a word")
				f.String("file", "", "a file")
				f.HostOnly("file")
			},
			Run: func(_ context.Context, in *command.Input) (*result.Result, error) {
				return &result.Result{Payload: said{"ran with " + in.String("word") + in.String("file")}}, nil
			},
		}}})
	}
	for _, c := range []struct {
		words   string
		may     command.Policy
		refused bool
	}{
		{"read --word x", command.Agent, false},
		{"read --file x", command.Agent, true},
		{"read --file=x", command.Agent, true},
		{"--json read --file=", command.Agent, true},
		{"read --file x", command.Person, false},
	} {
		t.Run(c.words, func(t *testing.T) {
			out := runIn(t.Context(), tree(), toyApp(), command.IO{}, strings.Fields(c.words), c.may)
			text, failed := RenderAnswer(out, false, 0)
			if failed != c.refused || c.refused && !strings.Contains(text, "--file reads or writes files of the server's machine") {
				t.Errorf("%s: %s", c.words, text)
			}
		})
	}
}

// If a line has a flag for files on the server, the suggestion to an agent omits it.
func TestHostOnlyFlagIsLeftOutOfTheSuggestion(t *testing.T) {
	app := commandtest.Study(t)
	for line, want := range map[string]string{
		"study survival -s synthetic_demo -g TP53 --chart survival -o x.svg": "study survival --study synthetic_demo --gene TP53 --chart survival",
		"get article 90100001 --ids-from list.txt":                           "get article 90100001",
		"get article 90100001 -":                                             "get article 90100001",
		"get article -":                                                      "get article --help",
		"search article mushrooms -o /tmp/x.txt":                             "search article mushrooms",
		"batch article -":                                                    "batch --help",
		"batch article --input list.txt":                                     "batch --help",
	} {
		t.Run(line, func(t *testing.T) {
			if text, code := ask(t, app, command.Agent, line); code != 2 || !strings.HasSuffix(text, "try:   biomcp "+want+"\n") || strings.Contains(text, ".csv") {
				t.Errorf("%s: exit %d, %s", line, code, text)
			}
		})
	}
}

func TestACommandThatTheAskerMayNotRunIsNotSuggested(t *testing.T) {
	app := diskApp(t)
	for _, c := range []struct {
		may     command.Policy
		line    string
		want    string
		without string
	}{
		{command.Person, "search corpus x", "try:   biomcp sync pubmed --help", "owner"},
		{command.Agent, "search corpus x", "the server's owner can run: biomcp sync pubmed --help", "try:"},
		{command.Agent, "search corpus x --json", `"owner":"biomcp sync pubmed --help"`, `"try"`},
		{command.Agent, "get artcle 1", "try:   biomcp get article", "owner"},
	} {
		t.Run(fmt.Sprint(c.may), func(t *testing.T) {
			if text, code := ask(t, app, c.may, c.line); code == 0 || !strings.Contains(text, c.want) || strings.Contains(text, c.without) {
				t.Errorf("%v %s: exit %d, %s", c.may, c.line, code, text)
			}
		})
	}
}
