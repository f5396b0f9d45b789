package cli

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/words"
)

// hostileTails returns the parts that a shell would run, redirect to or substitute after a line. Each has the word zzqx.
func hostileTails() (tails []string) {
	for _, rest := range []string{"sync zzqx", "zzqx all", "rm -rf zzqx", "cat zzqx.txt", "zzqx"} {
		for _, form := range []string{"; %s", ";%s", " && %s", " & %s", "&&%s", " | %s", "|%s", "\n%s", "\r\n%s", " `%s`", " $(%s)", " || %s"} {
			tails = append(tails, fmt.Sprintf(form, rest))
		}
	}
	return append(tails, " > zzqx", " >zzqx", ">zzqx.txt", " >> zzqx", " < zzqx", " 2> zzqx", "\n\nzzqx")
}

// No suggestion carries a word from behind a shell operator into an argument. The part may be a line of its own.
func TestNothingBehindAShellOperatorBecomesAnArgument(t *testing.T) {
	t.Parallel()
	parse := Parser(ncbiApp(t, breadth(t)))
	lines := []string{"study oncoprint --study x", "search article melanoma", "get gene BRAF", "get disease melanoma", "search article 'lung",
		"papers about asthma", "BRAF", "batch gene BRAF", "serach article x", "search citation 'Smith J"}
	tree := NewTree()
	for _, cmd := range Runnable(tree, tree.Root, command.Person) {
		for _, e := range tree.Command(cmd).Examples[:1] {
			if list, err := words.Split(e.Line); err == nil {
				lines = append(lines, words.Quote(words.WithoutProgram(list)))
			}
		}
	}
	if len(lines) < 60 {
		t.Fatalf("%d lines, want one for each command", len(lines))
	}
	for i, line := range lines {
		for j, tail := range hostileTails() {
			if i > 10 && (i+j)%7 != 0 { // each line with some of the tails
				continue
			}
			blocks, _, failed := callTool(t, parse, line+tail, false)
			for text := range strings.Lines(blocks[0].Text) {
				_, try, isTry := strings.Cut(text, "   biomcp ")
				isOwnLine := strings.HasPrefix(try, "zzqx") || strings.HasPrefix(try, "suggest zzqx") || strings.HasPrefix(try, "discover zzqx")
				if isTry && strings.Contains(try, "zzqx") && !isOwnLine {
					t.Errorf("%q leads to %s", line+tail, try)
				}
			}
			if !failed {
				t.Errorf("%q was answered: %.200s", line+tail, blocks[0].Text)
			}
		}
	}
}

// The same holds for a quoted line at a terminal, which no shell has split.
func TestQuotedLineWithAShellOperator(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for _, line := range []string{"get gene BRAF", "search article melanoma", "serach article melanoma", "study oncoprint --study x"} {
		for _, tail := range []string{"; sync zzqx", " && sync zzqx", " | cat zzqx", " > zzqx", " `zzqx`"} {
			out := parse(NewTree(), []string{line + tail}, command.Person).run(t.Context(), app, command.IO{Err: io.Discard})
			if f := out.Failure; f == nil || strings.Contains(f.Try.String(), "zzqx") && f.Try[0] != "suggest" && f.Try[1] != "article" {
				t.Errorf("%q leads to %v", line+tail, f)
			}
		}
	}
}
