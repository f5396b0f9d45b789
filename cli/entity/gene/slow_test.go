package gene_test

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

// A source that never answers affects only its own section, and delays at most httpclient.StragglerTimeout.
func TestSourceThatHangsDoesNotHoldUpTheOthers(t *testing.T) {
	for endpoint, want := range map[string]string{
		"datasets-ortholog": "NCBI Datasets did not answer within 5s of the others",
		"pathways":          "Reactome did not answer within 5s of the others",
		"datasets-symbol":   "NCBI Datasets did not answer in the time allowed",
	} {
		t.Run(endpoint, func(t *testing.T) {
			commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
				began := time.Now()
				whole, _ := clitest.Ask(t, app, command.Agent, "get gene BRAF all --json")
				usual := time.Since(began)
				if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.Stall, Times: -1}); err != nil {
					t.Fatal(err)
				}
				began = time.Now()
				text, code := clitest.Ask(t, app, command.Agent, "get gene BRAF all --json --no-cache")
				if took := time.Since(began); code != 0 || took > usual+httpclient.StragglerTimeout+time.Second || !strings.Contains(text, want) || strings.Contains(text, "E-utilities did not answer") {
					t.Errorf("exit %d after %v (%v as a rule), without %q: %.3000s", code, took, usual, want, text)
				}
				lost := 0
				usually := clitest.Outcomes(t, whole)
				for key, outcome := range clitest.Outcomes(t, text) {
					if fmt.Sprint(outcome) != fmt.Sprint(usually[key]) {
						lost++
					}
				}
				if endpoint != "datasets-symbol" && lost != 1 {
					t.Errorf("%d sections changed: %v, %v", lost, usually, clitest.Outcomes(t, text))
				}
			})
		})
	}
}
