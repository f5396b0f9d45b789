package cli

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/cli/words"
)

// An accepted line is an example of a command with the terms that no correction may lose: its arguments
// and the values of its flags.
type acceptedLine struct {
	words, terms []string
	path         []string
	cmd          *cobra.Command
}

// acceptedLines returns the examples of every command that the caller may run. It leaves out the lines that
// need a file.
func acceptedLines(app *command.App, tree *command.Tree, may command.Policy) (list []acceptedLine) {
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for _, sub := range tree.Commands(c) {
			walk(sub)
		}
		def := tree.Command(c)
		if def == nil || def.Run == nil || tree.Allow(may, c) != nil {
			return
		}
		for _, e := range def.Examples {
			typed, err := words.Split(strings.TrimPrefix(e.Line, "biomcp "))
			if err != nil {
				continue
			}
			if l := (&call{tree: tree, policy: may}).parseNext(app, agentIO(), typed); l.refusal == nil && l.cmd.CommandPath() == c.CommandPath() {
				list = append(list, acceptedLine{typed, termsOf(l), command.Path(c), c})
			}
		}
	}
	walk(tree.Root)
	return list
}

// termsOf returns the arguments of a line and the values of its flags.
func termsOf(c *call) []string {
	terms := slices.Clone(c.args)
	c.cmd.Flags().Visit(func(f *pflag.Flag) {
		switch v := f.Value.(type) {
		case pflag.SliceValue:
			terms = append(terms, v.GetSlice()...)
		default:
			if v.Type() == "string" {
				terms = append(terms, v.String())
			}
		}
	})
	return terms
}

// spoiled returns faulty forms of a line by the kind of the fault.
func (a acceptedLine) spoiled(tree *command.Tree) map[string][]string {
	with := func(more ...string) []string { return slices.Concat(a.words, more) }
	lines := map[string][]string{
		"an unknown flag":        with("--nosuchflag", "3"),
		"an unknown switch":      with("--nosuchswitch"),
		"a flag before all":      slices.Concat([]string{"--nosuchflag=3"}, a.words),
		"a page that is none":    with("--page", "x"),
		"a page":                 with("--page", "2"),
		"new":                    with("--new"),
		"since":                  with("--since", "7d"),
		"dry run":                with("--dry-run"),
		"rows of another tool":   with("--max-rows", "5"),
		"a format":               with("--format", "parquet"),
		"a query as flag":        with("--query", "melanoma"),
		"an id as flag":          with("--id", "5"),
		"a gene as flag":         with("--gene", "EGFR"),
		"a wrong limit":          with("--limit", "many"),
		"a surplus word":         with("zzqx"),
		"a surplus pair":         with("a=b"),
		"a folder":               with("./folder/"),
		"a file to write":        with("-o", "out.bib"),
		"a file to read":         with("--ids-from", "ids.txt"),
		"a list of databases":    with("--db", "pubmed", "--retmax", "10"),
		"another verb":           slices.Concat([]string{"fetch"}, a.words[1:]),
		"the same twice":         with(a.words...),
		"the program and a flag": slices.Concat([]string{"/usr/local/bin/biomcp"}, a.words, []string{"--nosuchflag"}),
		"no command":             a.words[len(a.path):],
	}
	for i, word := range a.words {
		replaced := func(by ...string) []string { return slices.Concat(a.words[:i], by, a.words[i+1:]) }
		switch {
		case strings.HasPrefix(word, "--") && len(word) > 5:
			lines["misspelt "+word] = replaced(word[:4] + word[5:])
			lines["longer "+word] = replaced(word + "s")
			lines["without value "+word] = a.words[:i+1]
		case i < len(a.path) && len(word) > 3:
			lines["misspelt command "+word] = replaced(word[:1] + word[2:])
			lines["foreign command "+word] = replaced("zzqx")
		case i < len(a.path):
		case i > 0 && strings.HasPrefix(a.words[i-1], "--"):
			lines["misspelt value "+word] = replaced(word + "zzq")
			lines["empty value "+a.words[i-1]] = replaced("")
			lines["twice "+a.words[i-1]] = with(a.words[i-1], word+"2")
		}
	}
	return lines
}

// Every line that a refusal suggests is accepted and keeps every argument and value of the refused line; or
// it is help.
func TestEveryTryRunsAndKeepsTheQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("asks thousands of lines, in one goroutine")
	}
	app := commandtest.Study(t)
	refused := 0
	for _, may := range []command.Policy{command.Person, command.Agent} {
		tree := NewTree()
		for _, a := range acceptedLines(app, tree, may) {
			for name, line := range a.spoiled(tree) {
				c := parse(tree.Clone(), line, may)
				if c.refusal == nil && c.corrected {
					if problem := a.judge(app, tree, may, line, c.words); problem != "" && !strings.HasPrefix(problem, "refused") {
						t.Errorf("%s: %q is understood as %q: %s", name, words.Quote(line), result.Argv(c.words), problem)
					}
				}
				if c.refusal == nil {
					continue
				}
				refused++
				f := c.run(context.Background(), app, agentIO()).Failure
				tries := append([]result.Argv{f.Try}, f.Alternatives...)
				for _, try := range tries {
					if problem := a.judge(app, tree, may, line, try); problem != "" {
						t.Errorf("%s: %q: %s\ntry %q: %s", name, words.Quote(line), f.Message, try, problem)
					}
				}
			}
		}
	}
	if refused < 1000 {
		t.Errorf("%d refusals, want at least 1000", refused)
	}
	t.Log(refused)
}

func isList(word string) bool { return strings.Contains(word, "list") }

// judge returns what is wrong with a suggested line, or "".
func (a acceptedLine) judge(app *command.App, tree *command.Tree, may command.Policy, line []string, try result.Argv) string {
	if len(try) == 0 || slices.Contains(try, "--help") {
		return ""
	}
	c := (&call{tree: tree, policy: may}).parseNext(app, agentIO(), try)
	switch {
	case c.refusal != nil:
		return "refused: " + c.refusal.Message
	case c.family() == "list" && a.isRestricted(tree, may, line): // it names what the caller may run
		return ""
	case c.family() == "list" && a.path[0] != "list" && !slices.ContainsFunc(line, isList):
		return "replaces the question by list"
	}
	text := strings.ToLower(strings.Join(try, " "))
	for _, term := range a.terms {
		typed := slices.ContainsFunc(line, func(w string) bool { return strings.Contains(w, term) })
		if typed && !strings.Contains(text, strings.ToLower(term)) {
			return "lacks " + term
		}
	}
	return ""
}

// isRestricted reports whether the caller may not run the command that a line begins with.
func (a acceptedLine) isRestricted(tree *command.Tree, may command.Policy, line []string) bool {
	c := tree.Member(tree.Root, line[0])
	return c != nil && tree.Allow(may, c) != nil
}
