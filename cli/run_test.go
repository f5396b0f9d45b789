package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// run runs words under a policy without a network.
func run(t testing.TB, may command.Policy, words ...string) result.Outcome {
	t.Helper()
	return Run(context.Background(), toyApp(), command.IO{}, words, may)
}

// runIn runs words over a tree of the test.
func runIn(ctx context.Context, tree *command.Tree, app *command.App, io command.IO, words []string, may command.Policy) result.Outcome {
	return parse(tree, words, may).run(ctx, app, io)
}

func TestInvalidCommandLines(t *testing.T) {
	for _, c := range []struct{ words, want string }{
		{"", "biomcp needs a command: search, get"},
		{"serach article x", `no command "serach"; did you mean search?`},
		{"search", "search needs an entity: article"},
		{"search artcle x", `no entity "artcle"; did you mean article?`},
		{"get article 1 --lmit 3", `no flag "--lmit" for biomcp get article; did you mean --limit?`},
		{"get article 1 --limit three", `--limit: "three" is not a whole number`},
		{"get article 1 --style risx", `"risx" is not one of ris`},
		{"get article 1 --limit", "flag needs an argument"},
		{"version now", "version takes no arguments"},
		{"get article 0", "0 is not a PMID"},
		{"get article 99999999999999999999", "is not a PMID"},
		{"get article PMC0", "is not a PMCID"},
		{"get article 1 pathway", `no section "pathway"; sections: abstract, mesh`},
		{"get article pathway", "is not an id of this kind"},
		{"search article ab", "at least three characters"},
		{`search article x"yz`, "unbalanced quote"},
		{`search article (abc`, "unbalanced parentheses"},
		{"search mesh cancer --limit 0", "--limit must be at least 1"},
		{"search article cancer --limit -1", "--limit must be at least 0"},
		{"search article cancer --offset -1", "--offset must not be negative"},
		{"search article cancer --offset 9999", "works with --sort pub_date"},
		{"search article cancer --date-from 2024-13", "not a date of the calendar"},
		{"search article cancer --date-from 2024 --date-to 2023", "is later than"},
		{"search article", "needs a query or a filter"},
		{"completion tcsh", `no shell "tcsh"`},
		{"list artcle", "did you mean article?"},
		{"cache clear", "requires --yes"},
		{"cache clean --max-age soon", "is not a time"},
	} {
		t.Run(c.words, func(t *testing.T) {
			out := run(t, command.Person, strings.Fields(c.words)...)
			text, _ := RenderAnswer(out, false, 0)
			if ExitStatus(out) != 2 || !strings.Contains(text, c.want) || !strings.Contains(text, "\ntry:   biomcp ") {
				t.Errorf("%q: exit %d, %s", c.words, ExitStatus(out), text)
			}
			parses(t, c.words, out.Failure.Try)
			if text, _ := RenderAnswer(out, true, 0); !json.Valid([]byte(text)) || !strings.Contains(text, `"VALIDATION"`) {
				t.Errorf("%q: not an envelope: %s", c.words, text)
			}
		})
	}
}

func TestHostileArguments(t *testing.T) {
	if testing.Short() {
		t.Skip("parses megabytes, in one goroutine")
	}
	long := strings.Repeat("x", 1<<20)
	var many []string
	for i := range 10_001 {
		many = append(many, fmt.Sprintf("%d!", i+1))
	}
	for _, words := range [][]string{
		{"search", "article", long},
		{"search", "article", "abc\x00\xff\xfe"},
		{"search", "article", "--gene", `"; DROP`},
		{"search", "article", "--journal", long},
		append([]string{"get", "article"}, many...),
		{"get", "article", "$(whoami)"},
		{"get", "article", "\xff\xfe"},
		{long},
		{"--" + long},
		{"get", long},
		{""},
		{"search", "article", ""},
		{"get", "article", ""},
	} {
		t.Run(fmt.Sprintf("%.40q", fmt.Sprint(words)), func(t *testing.T) {
			out := run(t, command.Person, words...)
			text, _ := RenderAnswer(out, false, 0)
			if ExitStatus(out) != 2 || len(text) > 4000 {
				t.Errorf("%.40q: exit %d, %d bytes: %.200s", words, ExitStatus(out), len(text), text)
			}
		})
	}
}

func TestAgentMayOnlyRead(t *testing.T) {
	for words, want := range map[string]string{
		"serve":                    command.RefusalPrefix,
		"--json serve":             command.RefusalPrefix,
		"completion bash":          command.RefusalPrefix,
		"--no-cache cache path":    cacheRefusal,
		"cache clear --yes":        cacheRefusal,
		"cache stats --nonsense":   cacheRefusal,
		"rm -rf /":                 command.RefusalPrefix,
		"serach article x":         "did you mean search?",
		"-- serve":                 "needs a command",
		"get article -":            "the argument - reads or writes files",
		"get article 1 --nope":     `no flag "--nope"`,
		"search article ab --json": "three characters",
	} {
		t.Run(words, func(t *testing.T) {
			out := run(t, command.Agent, strings.Fields(words)...)
			text, failed := RenderAnswer(out, false, 0)
			if !failed || !strings.Contains(text, want) {
				t.Errorf("%s: %s", words, text)
			}
		})
	}
	for _, words := range []string{"cache", "cache foo", "cache --help", "sync nothing"} {
		t.Run(words, func(t *testing.T) {
			text, failed := RenderAnswer(run(t, command.Agent, strings.Fields(words)...), false, 0)
			if want := map[bool]string{true: cacheRefusal, false: command.RefusalPrefix}[strings.HasPrefix(words, "cache")]; !failed || !strings.Contains(text, want) {
				t.Errorf("%s: %s", words, text)
			}
		})
	}
}

func TestCommandWithoutEffectPanics(t *testing.T) {
	build := func(e command.Effect) (panicked string) {
		defer func() { panicked, _ = recover().(string) }()
		command.NewTree(&command.Command{
			Use: "x", Short: "x", Effect: e, Examples: []command.Example{{Line: "biomcp x", Explanation: "x"}},
			Run: func(context.Context, *command.Input) (*result.Result, error) { return nil, nil },
		})
		return ""
	}
	for _, none := range []command.Effect{"", "everything"} {
		if got := build(none); got != `command "x" declares no effect` {
			t.Errorf("effect %q: %q", none, got)
		}
	}
	if got := build(command.Reads); got != "" {
		t.Error(got)
	}
}

func TestPanicIsNotShown(t *testing.T) {
	tree := command.NewTree(&command.Command{
		Use: "biomcp", Short: "x", Noun: "command",
		Commands: []*command.Command{{
			Use: "boom", Short: "x", Effect: command.Reads, Examples: []command.Example{{}},
			Run: func(context.Context, *command.Input) (*result.Result, error) { panic("/home/secret") },
		}},
	})
	out := runIn(t.Context(), tree, toyApp(), command.IO{}, []string{"boom"}, command.Agent)
	text, _ := RenderAnswer(out, true, 0)
	if ExitStatus(out) != 1 || strings.Contains(text, "secret") || !strings.Contains(text, `"UNKNOWN"`) {
		t.Error(text)
	}
}

func TestHelpDoesNotRunTheCommand(t *testing.T) {
	for _, words := range []string{"--help", "help", "search --help", "get article --help", "serve --help", "help cache clear", "get article 1 --help"} {
		t.Run(words, func(t *testing.T) {
			out := run(t, command.Person, strings.Fields(words)...)
			if text, failed := RenderAnswer(out, false, 0); failed || !strings.HasPrefix(text, "# biomcp") {
				t.Errorf("%s: %s", words, text)
			}
		})
	}
}

func BenchmarkNewTree(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		NewTree()
	}
}
