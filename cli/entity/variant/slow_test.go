package variant_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

// A source that never answers delays the others by at most httpclient.StragglerTimeout, and its missing
// values are not reported as absent.
func TestSourceThatHangsHoldsUpNoName(t *testing.T) {
	for name, c := range map[string]struct {
		endpoint, line string
		ids            string // ids in the order of the answer
		want           string
	}{
		"a change of a sequence": {"variation-hgvs", "get variant 90400001 rs268 'NM_000237.2:c.1421C>G' --json", "VCV090400001 rs268", "could not be looked for: NM_000237.2:c.1421C>G: NCBI Variation Services did not answer within 5s of the others"},
		"a name of Ensembl":      {"ensembl-recoder", "get variant 90400001 'ENST00000646891.2:c.1799T>A' --json", "VCV090400001", "could not be looked for: ENST00000646891.2:c.1799T>A: Ensembl did not answer within 5s of the others"},
		"the name of a gene":     {"datasets-symbol", "get variant 90400001 'NOSUCH1 L755S' --json", "VCV090400001", "could not be looked for: NOSUCH1 L755S: NCBI Datasets did not answer within 5s of the others"},
		"a name of no variant":   {"datasets-symbol", "get variant 'HER2 L755S' --json", "", "NCBI Datasets did not answer within 5s of the others"},
		"a whole record":         {"efetch", "get variant 90400001 --json", "VCV090400001", "earlier classifications, functional evidence, MANE and the split of submissions are not known: NCBI E-utilities did not answer within 5s of the others"},
		"a search":               {"datasets-symbol", "search variant -g NOSUCH1 --json", "", "whether NOSUCH1 is another name of a gene is not known: NCBI Datasets did not answer within 5s of the others"},
	} {
		t.Run(name, func(t *testing.T) {
			commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
				began := time.Now()
				clitest.Ask(t, app, command.Agent, c.line)
				usual := time.Since(began)
				if err := srv.Fail(sourcetest.Fault{Endpoint: c.endpoint, Kind: sourcetest.Stall, Times: -1}); err != nil {
					t.Fatal(err)
				}
				began = time.Now()
				text, code := clitest.Ask(t, app, command.Agent, c.line+" --no-cache")
				if took := time.Since(began); took > usual+httpclient.StragglerTimeout+time.Second || !strings.Contains(text, c.want) || (code == 0) != !strings.Contains(c.line, "'HER2") {
					t.Errorf("exit %d after %v (%v as a rule), without %q: %.3000s", code, took, usual, c.want, text)
				}
				if c.ids == "" {
					return
				}
				var ids []string
				for _, v := range variantJSON(t, text).Variants {
					ids = append(ids, v.ID)
				}
				if strings.Join(ids, " ") != c.ids {
					t.Errorf("%q: %.2000s", ids, fmt.Sprint(text))
				}
			}, entreztest.File(commandtest.Records(t)))
		})
	}
}
