package cli

import (
	"bytes"
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/result"
)

// On a terminal of 80 columns health takes at most 45 lines, whatever is down. With --long, and in JSON,
// each source has its row.
func TestHealthIsShort(t *testing.T) {
	app := corpusApp(t) // all sources are down
	for _, line := range []string{"health", "health --long"} {
		out := parse(NewTree(), strings.Fields(line), command.Person).run(t.Context(), app, command.IO{Err: &bytes.Buffer{}})
		var b bytes.Buffer
		if err := result.Render(&b, &b, out, result.Format{Terminal: true, Width: 80}); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		lines, long := strings.Count(text, "\n"), strings.HasSuffix(line, "--long")
		if !long && lines > 45 {
			t.Errorf("%s: %d lines, want at most 45:\n%s", line, lines, text)
		}
		for _, s := range app.Env.Sources {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), s.Label) {
				t.Errorf("%s: it does not name %s:\n%s", line, s.Label, text)
			}
			if row := "\n  " + s.Label + "  "; long && !strings.Contains(text, row) && !strings.Contains(text, "\n  "+s.Label+"\n") {
				t.Errorf("%s: no row %q", line, row)
			}
		}
	}
	if text, _ := ask(t, app, command.Person, "health --json"); strings.Count(text, `"kind":"source"`) != len(app.Env.Sources) {
		t.Errorf("got %d sources in JSON, want %d", strings.Count(text, `"kind":"source"`), len(app.Env.Sources))
	}
}

// If something is down, the answer names the flag that makes it a failure.
func TestHealthTellsOfItsExitStatus(t *testing.T) {
	app := corpusApp(t) // all sources are down
	const notice = "--fail-on-error makes it fail"
	if text, code := ask(t, app, command.Person, "health"); code != 0 || !strings.Contains(text, notice) {
		t.Errorf("got exit %d, want 0 and %q: %s", code, notice, text)
	}
	if _, code := ask(t, app, command.Person, "health --fail-on-error"); code != 1 {
		t.Errorf("with --fail-on-error: got exit %d, want 1", code)
	}
	if text, code := ask(t, app, command.Agent, "health"); code != 0 || !strings.Contains(text, notice) {
		t.Errorf("an agent: got exit %d, want 0 and %q: %s", code, notice, text)
	}
}
