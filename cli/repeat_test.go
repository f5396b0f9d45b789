package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
)

// The suggested commands do not repeat the answer, neither under another name of the record nor
// as a part of it.
func TestNextCommandsDoNotRepeatTheAnswer(t *testing.T) {
	t.Parallel()
	app := ncbiApp(t, breadth(t))
	for line, c := range map[string]struct{ without, with string }{
		"get disease Marfan syndrome phenotypes":    {"phenotypes", "biomcp search article --disease 'Marfan syndrome'"},
		"get disease Marfan syndrome":               {"get disease C0024796 trials", "biomcp get disease C0024796 phenotypes"},
		"get gene BRAF articles go variants":        {"get gene BRAF", "biomcp search article --gene BRAF"},
		"get gene BRAF all":                         {"get gene BRAF", "biomcp search article --gene BRAF"},
		"get variant BRAF V600E clinvar articles":   {"get variant", "biomcp get gene BRAF"},
		"get variant BRAF V600E --json":             {"nothing", "biomcp get variant VCV000013961 articles"},
		"get variant 13961 articles clinvar --json": {"get variant", "biomcp get gene BRAF"},
	} {
		t.Run(line, func(t *testing.T) {
			text, code := ask(t, app, command.Agent, line)
			_, next, found := strings.Cut(text, "## Next")
			if strings.Contains(line, "--json") {
				_, next, found = strings.Cut(text, `"next_commands"`)
				next, _, _ = strings.Cut(next, "]")
			}
			if code != 0 || !found || strings.Contains(next, c.without) || !strings.Contains(next, c.with) {
				t.Errorf("%s: exit %d: %s", line, code, next)
			}
		})
	}
}
