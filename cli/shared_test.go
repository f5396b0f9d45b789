package cli

import (
	"sync"
	"testing"

	"biomcp/cli/command"
)

// Concurrent calls share data parsed from a cached reply, and none modifies it. The race
// detector would report a write even if it did not change the answer.
func TestCallsAtTheSameTimeShareReplies(t *testing.T) {
	app := ncbiApp(t, synthetic(t))
	lines := []string{"get article 90100001", "get article 90100001 --json", "get article 90100001 citation"}
	want := make([]string, len(lines))
	for i, line := range lines {
		t.Run(line, func(t *testing.T) {
			code := 0
			if want[i], code = ask(t, app, command.Agent, line); code != 0 {
				t.Fatalf("%s: %s", line, want[i])
			}
			want[i], _ = ask(t, app, command.Agent, line) // fills the cache
		})
	}
	var all sync.WaitGroup
	for n := range 16 {
		all.Go(func() {
			for i := range lines {
				i = (i + n) % len(lines)
				if got, _ := ask(t, app, command.Agent, lines[i]); got != want[i] {
					t.Errorf("%s answered\n%s\nwant\n%s", lines[i], got, want[i])
				}
			}
		})
	}
	all.Wait()
}
