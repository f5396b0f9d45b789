package command_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/cli/words"
	"biomcp/entrez"
	"biomcp/entrez/httpclient"
)

// run is the Run of commands in toy, which no test calls.
func run(context.Context, *command.Input) (*result.Result, error) { return nil, nil }

// toy returns a tree with a command for each kind of flag, argument and effect.
func toy() *command.Tree {
	examples := func(line string) []command.Example { return []command.Example{{Line: line}} }
	paper := &command.Command{
		Use: "paper <id>... [section...]", Short: "Find papers", Aliases: []string{"publication"}, Effect: command.Reads,
		Examples: examples("biomcp find paper P1"), Run: run, Args: command.Args{Min: 1, Max: -1, Name: "ids", Completion: "paper"},
		Sections: []command.Section{{Name: "abstract", Synonyms: []string{"summary"}}, {Name: "citation", Flag: "style"}},
		Suggest:  func(*command.Tree, []string) []string { return []string{"P1"} },
		MatchExclusive: func(text string) bool {
			return strings.HasPrefix(text, "P")
		},
		Flags: func(f *command.Flags) {
			f.Page(20, 100)
			f.StringsP("mesh", "m", "headings")
			f.Enum("sort", "date", "order", "date", "relevance")
			f.AddValueSynonyms("sort", command.Synonyms{"date": "newest recent"})
			f.Spelling("sort", func(word string) string { return strings.TrimPrefix(word, "by ") })
			f.EnumList("kind", "", "kinds", "review", "trial")
			f.Enum("only", "this", "one value", "this")
			f.Enum("style", "", "citation style", "ris", "bibtex")
			f.String("target", "", "what: `survival|bar|...`")
			f.AddValueSynonyms("target", command.Synonyms{"mutations": "mutation variants"})
			f.Float("least", 0, "least score")
			f.Bool("csv", false, "print CSV")
			f.Bool("count", false, "count only")
			f.Excludes("count", "it has no rows", "limit", "csv")
			f.String("ids-from", "", "file of ids")
			f.HostOnly("ids-from")
			f.FileP("output", "o", "file to write", ".csv")
			f.AddEndings("output", ", or citations", ".bib", ".xlsx")
			f.FileP("rows", "", "file of rows, or their number", ".csv")
			f.FileOrNumber("rows")
			f.Follow("go on")
			f.Hide("follow")
		},
	}
	fetch := &command.Command{Use: "fetch", Short: "Fetch papers", Effect: command.Stores, ReadOnlySwitch: "list", Run: run,
		Examples: examples("biomcp keep fetch"), Args: command.Args{Max: 1},
		Flags: func(f *command.Flags) { f.Bool("list", false, "list them"); f.Bool("yes", false, "do not ask") }}
	notes := &command.Command{Use: "notes", Short: "Store notes", Effect: command.Stores, Run: run, Examples: examples("biomcp keep notes"),
		Args: command.Args{Completion: command.Folder}}
	wipe := &command.Command{Use: "wipe", Short: "Remove all", Effect: command.Local, Run: run, Refusal: "wipe is for the owner",
		Examples: examples("biomcp drop wipe")}
	return command.NewTree(&command.Command{Use: "biomcp", Short: "test", Noun: "command", Commands: []*command.Command{
		{Use: "find", Short: "Find", Noun: "entity", Commands: []*command.Command{paper}},
		{Use: "keep", Short: "Keep", Noun: "thing", Commands: []*command.Command{fetch, notes}},
		{Use: "drop", Short: "Drop", Noun: "thing", Commands: []*command.Command{wipe}},
	}})
}

// A toyCall is a parsed line of toy.
type toyCall struct {
	*command.Input
	tree *command.Tree
	cmd  *cobra.Command
}

// call parses a line of toy.
func call(t *testing.T, line string) toyCall {
	t.Helper()
	tree := toy().Expand()
	list, err := words.Split(line)
	if err != nil {
		t.Fatal(err)
	}
	cmd := tree.Root
	for len(list) > 0 && tree.Member(cmd, list[0]) != nil {
		cmd, list = tree.Member(cmd, list[0]), list[1:]
	}
	if err := cmd.ParseFlags(list); err != nil {
		t.Fatal(err)
	}
	app := &command.App{Now: time.Now, Log: slog.New(slog.DiscardHandler)}
	in := command.NewInput(app, tree, command.IO{}, command.Path(cmd), cmd.Flags().Args(), tree.Flags(cmd))
	return toyCall{in, tree, cmd}
}

// toySource is a source with a key.
var toySource = httpclient.Source{Name: "toy", Label: "Toy", Address: "https://toy.example/", Key: httpclient.Key{Variable: "TOY_API_KEY"}}

// toySources lists the sources of the environments in these tests.
var toySources = []*httpclient.Source{&entrez.Source, &toySource, &toySource}

// equal compares two values by their text.
func equal(t *testing.T, name string, got, want any) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s:\ngot  %v\nwant %v", name, got, want)
	}
}

// refused checks the message of an error and the line that it suggests.
func refused(t *testing.T, name string, err error, message, try string) {
	t.Helper()
	f, is := err.(*result.Failure)
	if !is || f == nil {
		t.Errorf("%s: got the error %v, want a *result.Failure with %q", name, err, message)
		return
	}
	if !strings.Contains(f.Message, message) {
		t.Errorf("%s: got the message %q, want one with %q", name, f.Message, message)
	}
	equal(t, name+", suggested line", f.Try, try)
}
