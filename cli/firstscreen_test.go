package cli

import (
	"bytes"
	"fmt"
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

// A long answer goes through the pager on a terminal only.
func TestPager(t *testing.T) {
	tty := screen{terminal: true, width: 80, height: 24, kind: "xterm"}
	for name, c := range map[string]struct {
		pager, line string
		to          screen
		lines       int
		want        string
	}{
		"none set":       {"", "version", tty, 24, "less"},
		"one set":        {"more -d", "version", tty, 24, "more -d"},
		"a short answer": {"", "version", tty, 23, ""},
		"cat":            {"cat", "version", tty, 99, ""},
		"--no-pager":     {"", "version --no-pager", tty, 99, ""},
		"a pipe":         {"", "version", screen{}, 99, ""},
		"a dumb one":     {"", "version", screen{terminal: true, height: 24, kind: "dumb"}, 99, ""},
		"no height":      {"", "version", screen{terminal: true}, 99, ""},
		"JSON":           {"", "version --json", tty, 99, "less"},
	} {
		t.Run(name, func(t *testing.T) {
			env := command.ReadEnv(func(name string) (string, bool) { return c.pager, name == "PAGER" }, "test", sources.All()...)
			got := parse(NewTree(), strings.Fields(c.line), command.Person).pager(env, c.to, bytes.Repeat([]byte("x\n"), c.lines))
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
