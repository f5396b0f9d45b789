package cli

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"biomcp/cli/command"
	"biomcp/cli/correct"
	"biomcp/cli/result"
	"biomcp/cli/words"
)

// refusedLine is a line of testdata/refused.tsv.
type refusedLine struct {
	typed string
	right []string
}

func refusedLines(t *testing.T, name string) (lines []refusedLine) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		if text := in.Text(); text != "" && text[0] != '#' {
			cells := strings.Split(text, "\t")
			if len(cells) < 2 {
				t.Fatalf("no answer: %s", text)
			}
			lines = append(lines, refusedLine{cells[0], cells[1:]})
		}
	}
	return lines
}

// canonical returns a canonical form of the request in a line, or an error if the line is
// refused.
func canonical(app *command.App, list []string, may command.Policy) (string, error) {
	c := readLine(NewTree(), list, may)
	if check := c.def().Check; check != nil && c.refusal == nil && !c.help {
		c.refusal = refusalOf(check(c.input(app, command.IO{In: strings.NewReader(""), Err: io.Discard})))
	}
	if c.refusal != nil {
		return "", c.refusal
	}
	var flags []string
	c.cmd.Flags().Visit(func(f *pflag.Flag) { flags = append(flags, f.Name+"="+f.Value.String()) })
	slices.Sort(flags)
	args := strings.Fields(strings.ReplaceAll(strings.Join(c.args, " "), ",", " "))
	return fmt.Sprintf("%s %q %q %v", strings.Join(command.Path(c.cmd), " "), args, flags, c.help), nil
}

// answersTo returns the lines that the answer to a refused line suggests, or the line that ran
// instead.
func answersTo(t *testing.T, app *command.App, line string, may command.Policy) (lines []result.Argv, refused bool) {
	t.Helper()
	list, err := words.Split(line)
	if err != nil {
		t.Fatal(line, err)
	}
	c := parse(NewTree(), list, may)
	slip := c.corrected
	if check := c.def().Check; check != nil && c.refusal == nil && !c.help {
		c.refusal = refusalOf(check(c.input(app, command.IO{In: strings.NewReader(""), Err: io.Discard})))
	}
	if slip && c.refusal == nil {
		lines = append(lines, c.words)
		if c.implied != correct.Name && c.implied != correct.Phrase {
			return lines, true
		}
		c = c.typed // which suggests what follows if discover does not know the name
	}
	if c.refusal == nil {
		return nil, false
	}
	c.suggest(app, command.IO{In: strings.NewReader(""), Err: io.Discard})
	out := c.keepRunnable(nil, command.IO{}, result.Outcome{Failure: c.refusal.Failure})
	if len(out.Failure.Try) > 0 {
		lines = append(lines, out.Failure.Try)
	}
	return append(lines, out.Failure.Alternatives...), true
}

// Typical invalid lines are answered with the intended one, and a suggested line runs. The test
// prints the shares of right and wrong suggestions and limits them.
func TestRefusedLines(t *testing.T) {
	if testing.Short() {
		t.Skip("reads 700 lines, one after another")
	}
	t.Parallel()
	for _, list := range []struct {
		file         string
		right, wrong int // minimum percentage, maximum number of lines
	}{{"refused.tsv", 99, 0}, {"heldout.tsv", 85, 5}} {
		t.Run(list.file, func(t *testing.T) { leadsRight(t, "correct/testdata/"+list.file, list.right, list.wrong) })
	}
}

func leadsRight(t *testing.T, file string, leastRight, mostWrong int) {
	app := diskApp(t)
	var right, helped, wrong, accepted int
	lines := refusedLines(t, file)
	for _, l := range lines {
		want := map[string]bool{}
		for _, w := range l.right {
			if w == "help" {
				want["help"] = true
				continue
			}
			form, err := canonical(app, split(t, w), command.Person)
			if err != nil && !strings.Contains(w, "--help") {
				t.Errorf("%s: the answer %q is refused itself: %s", l.typed, w, err)
			}
			want[form] = true
		}
		got, refused := answersTo(t, app, l.typed, command.Person)
		if !refused {
			accepted++
			t.Logf("accepted: %s", l.typed)
			continue
		}
		verdict, first := "help", result.Argv{}
		if len(got) > 0 {
			first = got[0]
		}
		for i, line := range got {
			form, err := canonical(app, line, command.Person)
			switch {
			case err != nil:
				t.Errorf("%s: suggests %s, which is refused: %s", l.typed, line, err)
			case want[form]:
				verdict = "right"
			case slices.Contains(line, "--help") || slices.Equal(line, result.Argv{"list"}):
				if i == 0 && want["help"] {
					verdict = "right"
				}
			case verdict != "right":
				verdict = "wrong"
			}
		}
		if len(got) == 0 && want["help"] {
			verdict = "right"
		}
		switch verdict {
		case "right":
			right++
		case "wrong":
			wrong++
			t.Logf("wrong: %s: %s, want %q", l.typed, got, l.right)
		default:
			helped++
			t.Logf("help: %s: %s, want %q", l.typed, first, l.right)
		}
		// An agent gets no suggestion that it may not run.
		agentLines, _ := answersTo(t, app, l.typed, command.Agent)
		for _, line := range agentLines {
			if _, err := canonical(app, line, command.Agent); err != nil {
				t.Errorf("%s: an agent is led to %s, which is refused: %s", l.typed, line, err)
			}
		}
	}
	t.Logf("%d lines: %d right, %d wrong, %d help alone, %d accepted", len(lines), right, wrong, helped, accepted)
	if n := len(lines) - accepted; wrong > mostWrong || right*100 < n*leastRight {
		t.Errorf("of %d refused lines %d lead to a right one, %d to a wrong one", n, right, wrong)
	}
}
