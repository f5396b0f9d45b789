package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
	"biomcp/entrez/sources"
)

// The first screen fits into 40 lines of 80 columns. It names every top-level command with its
// purpose; for an agent, only those that it may run.
func TestFirstScreen(t *testing.T) {
	for may, hidden := range map[command.Policy]string{command.Person: "", command.Agent: "sync"} {
		t.Run(fmt.Sprint(may), func(t *testing.T) {
			out := run(t, may, "--help")
			var b bytes.Buffer
			if err := result.Render(&b, &b, out, result.Format{Terminal: true, Width: 80}); err != nil || ExitStatus(out) != 0 {
				t.Fatal(err, out.Failure)
			}
			text := b.String()
			if n := strings.Count(text, "\n"); n > 40 {
				t.Errorf("%d lines:\n%s", n, text)
			}
			tree := NewTree()
			for _, c := range tree.Commands(tree.Root) {
				def := tree.Command(c)
				if !slices.Contains(command.Purposes, def.Purpose) {
					t.Errorf("%s is for %q", c.Name(), def.Purpose)
				}
				named := slices.ContainsFunc(strings.Split(text, "\n"), func(l string) bool {
					return strings.HasPrefix(l, " "+c.Name()+" ") && strings.HasSuffix(l, "  "+string(def.Purpose))
				})
				if allowed := may == command.Person || len(Runnable(tree, c, may)) > 0; named != allowed {
					t.Errorf("%s: named %v, allowed %v", c.Name(), named, allowed)
				}
			}
			for _, want := range []string{"search <entity>", "article, gene", "biomcp list ", "biomcp suggest "} {
				if !strings.Contains(text, want) {
					t.Errorf("no %q:\n%s", want, text)
				}
			}
			if hidden != "" && strings.Contains(text, hidden+" ") {
				t.Errorf("an agent is shown %s", hidden)
			}
		})
	}
}

// A long answer goes through the pager only if a person can type: standard input and output are terminals.
// BIOMCP_PAGER overrides PAGER, and an empty value turns paging off.
func TestPager(t *testing.T) {
	tty := screen{terminal: true, keyboard: true, width: 80, height: 24, kind: "xterm"}
	type variables = map[string]string
	for name, c := range map[string]struct {
		env   variables
		line  string
		to    screen
		lines int
		want  string
	}{
		"none set":              {nil, "version", tty, 24, "less"},
		"one set":               {variables{"PAGER": "more -d"}, "version", tty, 24, "more -d"},
		"its own":               {variables{"PAGER": "more", "BIOMCP_PAGER": "less -S"}, "version", tty, 24, "less -S"},
		"its own alone":         {variables{"BIOMCP_PAGER": "more"}, "version", tty, 24, "more"},
		"its own is cat":        {variables{"PAGER": "more", "BIOMCP_PAGER": "cat"}, "version", tty, 24, ""},
		"its own is empty":      {variables{"PAGER": "more", "BIOMCP_PAGER": ""}, "version", tty, 24, ""},
		"its own, not PAGER":    {variables{"PAGER": "", "BIOMCP_PAGER": "more"}, "version", tty, 24, "more"},
		"an empty one":          {variables{"PAGER": ""}, "version", tty, 24, ""},
		"a short answer":        {nil, "version", tty, 23, ""},
		"cat":                   {variables{"PAGER": "cat"}, "version", tty, 99, ""},
		"--no-pager":            {nil, "version --no-pager", tty, 99, ""},
		"a pipe":                {nil, "version", screen{keyboard: true}, 99, ""},
		"input is not terminal": {nil, "version", screen{terminal: true, height: 24, kind: "xterm"}, 99, ""},
		"a dumb one":            {nil, "version", screen{terminal: true, keyboard: true, height: 24, kind: "dumb"}, 99, ""},
		"no height":             {nil, "version", screen{terminal: true, keyboard: true}, 99, ""},
		"JSON":                  {nil, "version --json", tty, 99, "less"},
	} {
		t.Run(name, func(t *testing.T) {
			lookup := func(name string) (string, bool) { v, ok := c.env[name]; return v, ok }
			env := command.ReadEnv(lookup, "test", sources.All()...)
			got := parse(NewTree(), strings.Fields(c.line), command.Person).pager(env, c.to, bytes.Repeat([]byte("x\n"), c.lines))
			if strings.Join(got, " ") != c.want {
				t.Errorf("got pager %q, want %q", got, c.want)
			}
		})
	}
}

// The prompt of less says how to leave it, unless the user has options of their own.
func TestPagerSaysHowToLeaveIt(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh: " + err.Error())
	}
	for own, want := range map[string]string{"": lessOptions, "-R": "-R"} {
		if t.Setenv("LESS", own); own == "" {
			_ = os.Unsetenv("LESS")
		}
		var out bytes.Buffer
		if err := show(t.Context(), &out, []byte("x"), []string{sh, "-c", `printf %s "$LESS"`}); err != nil {
			t.Fatal(err)
		}
		if out.String() != want {
			t.Errorf("with LESS=%q the pager has LESS=%q, want %q", own, out.String(), want)
		}
	}
	if !strings.Contains(lessOptions, "leave") {
		t.Errorf("the prompt is %q, want that it says how to leave", lessOptions)
	}
}

// writerFunc is a function as a writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// A cancelled program ends its pager.
func TestCancelledPager(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh: " + err.Error())
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	started := writerFunc(func(p []byte) (int, error) {
		cancel(errInterrupted)
		return len(p), nil
	})
	if err := show(ctx, started, []byte("text"), []string{shell, "-c", "echo started; exec sleep 600"}); err != errInterrupted {
		t.Errorf("got error %v, want %v", err, errInterrupted)
	}
}
