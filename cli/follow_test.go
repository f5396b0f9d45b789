package cli

import (
	"strings"
	"testing"

	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// An alias takes one call with --follow and two without; so does the single hit of a search.
// Every format names the followed command.
func TestFollowGoesOnWithTheOnlyCandidate(t *testing.T) {
	app := commandtest.NCBI(t, commandtest.EverySource(t))
	ask := func(may command.Policy, line string) (string, int) {
		out := Run(t.Context(), app, command.IO{}, strings.Fields(line), may)
		text, _ := RenderAnswer(out, strings.Contains(line, "--json"), 0)
		return text, ExitStatus(out)
	}
	for line, want := range map[string]struct {
		said string
		code int
	}{
		"get gene HER2":                             {"ERBB2", 1},
		"get gene HER2 --follow":                    {"HER2 is an alias, not a symbol; this is biomcp get gene ERBB2", 0},
		"get gene HER2 pathways --follow --limit 1": {"this is biomcp get gene ERBB2 pathways --limit 1", 0},
		"batch gene HER2 --follow":                  {"this is biomcp get gene ERBB2", 0},
		"search gene ERBB2 --limit 1 --follow":      {"there is one hit; this is biomcp get gene ERBB2", 0},
		"get gene ERBB2 --follow":                   {"ERBB2", 0},
		"get gene BRAF HER2 P53":                    {"biomcp get gene TP53", 0},
		"get gene BRAF HER2 P53 --follow":           {"P53 is an alias, not a symbol; this is biomcp get gene TP53", 0},
		"get gene HER2 P53":                         {"biomcp get gene ERBB2 TP53", 1},
		"get gene HER2 P53 --follow":                {"HER2 is an alias, not a symbol; this is biomcp get gene ERBB2", 0},
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				for _, form := range []string{"", " --json"} {
					text, code := ask(may, line+form)
					if code != want.code || !strings.Contains(text, want.said) || strings.Contains(text, "this is biomcp") != strings.Contains(want.said, "this is") {
						t.Errorf("%s%s: exit %d: %.600s", line, form, code, text)
					}
				}
			}
		})
	}
}
