package cli

import (
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// repeatedFlagLines returns lines of a command, most of them invalid, in which a flag stands twice
// or more: as a flag, as a value and misspelt.
func repeatedFlagLines(cmd *cobra.Command, f *pflag.Flag) (lines []result.Argv) {
	path := command.Path(cmd)
	flag := "--" + f.Name
	short := flag[:min(len(flag), max(5, len(flag)-1))] // a prefix
	for _, tail := range []string{
		"$f $f", "$f $f x", "$f a b $f $f x", "$f x $s x", "$s $s x", "$s a $s b", "$s=a $s=b", "$f=a $f=b", "$f a --nosuch 1 --nosuch 2",
		"x $f a $f b", "$f a y $f b y", "$s", "$s $f", "-- $f $f", "$f -1 $f -2", "$f true $f false", "$f= $f=", "x x $s x x $s",
		"$f '' $f ''", // empty values
	} {
		line := append(result.Argv{}, path...)
		for w := range strings.FieldsSeq(tail) {
			line = append(line, strings.NewReplacer("$f", flag, "$s", short, "''", "").Replace(w))
		}
		lines = append(lines, line)
	}
	if f.Shorthand != "" {
		s := "-" + f.Shorthand
		lines = append(lines, append(path[:len(path):len(path)], s, "a", "b", flag, flag, "x"),
			append(path[:len(path):len(path)], s, s, s, "x"), append(path[:len(path):len(path)], s+"a", s+"b", "x"))
	}
	return lines
}

// Correcting a line with a repeated flag or word does not panic.
func TestCorrectionsOfRepeatedFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("parses thousands of lines, in one goroutine")
	}
	t.Parallel()
	app := diskApp(t)
	quiet := command.IO{In: strings.NewReader(""), Err: io.Discard}
	tree, n := NewTree(), 0
	try := func(line result.Argv, policy command.Policy) {
		defer func() {
			if p := recover(); p != nil {
				t.Errorf("%s: %v\n%s", line, p, debug.Stack())
			}
		}()
		n++
		if c := parse(tree.Clone(), line, policy); c.refusal != nil {
			c.suggest(app, quiet)
		}
	}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		tree.Flags(cmd).VisitAll(func(f *pflag.Flag) {
			if cmd.InheritedFlags().Lookup(f.Name) != nil && cmd.Name() != "article" {
				return // one command is enough for the flags of all
			}
			for _, line := range repeatedFlagLines(cmd, f) {
				try(line, command.Person)
			}
		})
		for _, c := range tree.Commands(cmd) {
			walk(c)
		}
	}
	walk(tree.Root)
	for _, file := range []string{"correct/testdata/refused.tsv", "correct/testdata/heldout.tsv"} {
		for _, l := range refusedLines(t, file) {
			typed := split(t, l.typed)
			try(slices.Concat(typed, typed), command.Agent)
			for i, word := range typed {
				try(slices.Insert(slices.Clone(typed), i, word), command.Agent)
				try(slices.Delete(slices.Clone(typed), i, i+1), command.Agent)
			}
		}
	}
	t.Logf("%d lines", n)
}

// A panic at the door is reported as a bug, with exit status 1. A stack is printed only with -vv.
func TestPanicAtTheDoor(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct{ out, errs, without string }{
		"study query":        {"", "error: something went wrong inside biomcp", "goroutine"},
		"study query --json": {`"code":"UNKNOWN"`, "panic", "goroutine"},
		"study query -vv":    {"", "goroutine", "no such text"},
	} {
		t.Run(line, func(t *testing.T) {
			var out, errs strings.Builder
			status := 0
			func() {
				format := result.Format{JSON: strings.Contains(line, "--json")}
				defer reportPanic(&out, &errs, format, strings.Contains(line, "-vv"), &status)
				panic("/home/secret")
			}()
			if status != 1 {
				t.Errorf("exit %d, want 1", status)
			}
			if !strings.Contains(out.String(), want.out) || want.out == "" && out.Len() > 0 {
				t.Errorf("standard output %q, want %q", out.String(), want.out)
			}
			if got := errs.String(); !strings.Contains(got, want.errs) || strings.Contains(got, want.without) {
				t.Errorf("standard error %q, want %q, without %q", got, want.errs, want.without)
			}
			if strings.Contains(errs.String(), "secret") != strings.Contains(line, "-vv") {
				t.Errorf("standard error shows the panic's value, or hides it from -vv: %q", errs.String())
			}
		})
	}
}
