package gene_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestGenesOfOtherOrganisms(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	for line, want := range map[string]struct {
		code int
		says []string
	}{
		"get gene Trp53":                     {1, []string{"written as genes of mouse and rat are", `"try":"biomcp get gene Trp53 --organism mouse"`}},
		"get gene Zzz1":                      {1, []string{"Zzz1 is not the symbol of a human gene", "--organism mouse"}},
		"get gene Braf":                      {0, []string{`"entrez_id":"673"`, "--organism mouse reads that of the mouse"}},
		"get gene BRAF":                      {0, []string{`"entrez_id":"673"`, `"notices":[]`}},
		"get gene Braf --organism mouse":     {0, []string{`"entrez_id":"109880"`, `"taxid":"10090"`}},
		"get gene Braf --organism 10090":     {0, []string{`"entrez_id":"109880"`}},
		"get gene Trp53 Brca1":               {1, []string{`"try":"biomcp get gene Trp53 Brca1 --organism mouse"`}},
		"get gene Trp53 --organism mouse":    {0, []string{`"entrez_id":"22059"`}},
		"get gene Braf --organism unicorn":   {2, []string{"is not an organism: write human, mouse"}},
		"get gene Braf --organism zebrafish": {1, []string{"NOT_FOUND"}},
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				text, code := clitest.Ask(t, commandtest.NCBI(t, srv), may, line+" --json")
				for _, w := range want.says {
					if code != want.code || !strings.Contains(text, w) {
						t.Errorf("%s: exit %d, no %q: %.700s", line, code, w, text)
					}
				}
			}
		})
	}
	if text, _, _ := clitest.AskUncached(t, srv, "get gene Braf --organism mouse"); !strings.Contains(text, "**MGI:** MGI:88190") {
		t.Errorf("the id of another authority: %s", text)
	}
}
