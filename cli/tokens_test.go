package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/mcpshell"
)

// The token counts of ten tasks are estimated as bytes divided by four. No tokenizer is used,
// since each model has its own and four bytes per token is common for English. The earlier
// numbers are from the commit before JSON was printed on one line. The records are synthetic.
// `go test -v -run Tokens ./cli` prints the table.
func TestTokensOfTenTasksStayUnderTheirCeilings(t *testing.T) {
	srv, ids, _ := commandtest.FullTexts(t, 20, 8)
	app := ncbiApp(t, srv)
	if text, code := ask(t, app, command.Person, "sync pubmed --from "+sampleRecords); code != 0 {
		t.Fatal(text)
	}
	five := strings.Join(ids[:5], " ")
	t.Logf("%8s %8s %8s  task (tokens: bytes / 4)", "before", "now", "ceiling")
	for _, c := range []struct {
		task            string
		before, ceiling int
	}{
		{"the tool's description", 894, 1100},
		{"list", 695, 650}, // one line per entity
		{"list --long", 2132, 1800},
		{"list --json", 7533, 8000}, // grows with the number of entities
		{"search article synthetic --limit 20", 1268, 1400},
		{"search article synthetic --limit 20 --json", 3690, 3000},
		{"search corpus mushrooms", 168, 200},
		{"search article synthetic --count", 25, 50},
		{"get article " + five + " --json", 7342, 5700},
		{"get article " + five + " abstract --json", 7379, 1800},
		{"get article " + five + " citation --style bibtex --json", 8195, 1600},
		{"search corpus mushrooms --explain --json", 579, 530}, // shows the heading that was added
	} {
		t.Run(c.task, func(t *testing.T) {
			text := mcpshell.Description
			if c.task != "the tool's description" {
				var code int
				if text, code = ask(t, app, command.Agent, c.task); code != 0 {
					t.Errorf("%s: %s", c.task, text)
				}
			}
			now := len(text) / 4
			t.Logf("%8d %8d %8d  %s", c.before, now, c.ceiling, c.task)
			if now > c.ceiling {
				t.Errorf("%s: %d tokens, over the ceiling of %d", c.task, now, c.ceiling)
			}
		})
	}
}
