package variant_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

// A filter given twice, or with a list, matches any of its values; one that takes a single
// value rejects the line.
func TestFiltersGivenTwice(t *testing.T) {
	t.Parallel()
	srv := commandtest.EverySource(t)
	app := commandtest.NCBI(t, srv)
	for line, want := range map[string]string{
		"search variant -g BRAF --significance benign --significance pathogenic": `("clinsig benign"[Properties] OR ("clinsig pathogenic"[Properties] OR`,
		"search variant -g BRAF --significance benign,drug-response":             `("clinsig benign"[Properties] OR "clinsig drug response"[Properties])`,
		"search variant -g BRAF --consequence missense --consequence intron":     `("missense variant"[Molecular consequence] OR "intron variant"[Molecular consequence])`,
		"search gene BRAF --type pseudo --type ncrna":                            `("genetype pseudo"[PROP] OR "genetype ncrna"[PROP])`,
		"search article BRAF --species humans,animals":                           `("humans"[MeSH Terms] OR "animals"[MeSH Terms:noexp])`,
	} {
		t.Run(line, func(t *testing.T) {
			for _, may := range []command.Policy{command.Person, command.Agent} {
				srv.ClearRequests()
				text, code := clitest.Ask(t, app, may, line+" --json --no-cache")
				sent := ""
				for _, r := range srv.Requests("esearch") {
					sent += r.Params.Get("term") + "\n"
				}
				if code != 0 || !strings.Contains(sent, want) {
					t.Errorf("%s: exit %d, sent %s: %.600s", line, code, sent, text)
				}
			}
		})
	}
	for _, line := range []string{"search variant -g BRAF --review-stars 1 --review-stars 2", "search drug x --region us --region eu", "search trial x --sex MALE --sex FEMALE", "search variant --hgvsp V600E --hgvsp V600K"} {
		t.Run(line, func(t *testing.T) {
			srv.ClearRequests()
			text, code := clitest.Ask(t, app, command.Agent, line+" --json")
			if code != 2 || !strings.Contains(text, "takes one value and is given twice") || srv.Count() > 0 {
				t.Errorf("%s: exit %d: %s", line, code, text)
			}
		})
	}
}
