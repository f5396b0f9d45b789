package trial_test

import (
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

// Other names that do not arrive delay a search by at most httpclient.StragglerTimeout.
func TestNamesThatHangDoNotHoldUpTheSearch(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if err := srv.Fail(sourcetest.Fault{Endpoint: "datasets-symbol", Kind: sourcetest.Stall, Times: -1}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		text, code := clitest.Ask(t, app, command.Agent, "search trial -g HER2 --json")
		want := "are not searched for: NCBI Datasets did not answer within 5s of the others"
		if took := time.Since(began); code != 0 || took > httpclient.StragglerTimeout+3*time.Second || !strings.Contains(text, want) {
			t.Errorf("exit %d after %v: %.2000s", code, took, text)
		}
	})
}

// If only one source can answer, it has the time of one request, named in the failure, and no
// second attempt of that length.
func TestSourceThatHangsAloneHasItsOwnTime(t *testing.T) {
	for _, line := range []string{"get trial NCT90000001", "search trial melanoma"} {
		t.Run(line, func(t *testing.T) {
			commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
				if err := srv.Fail(sourcetest.Fault{Endpoint: "studies", Kind: sourcetest.Stall, Times: -1}); err != nil {
					t.Fatal(err)
				}
				for _, may := range []command.Policy{command.Person, command.Agent} {
					began := time.Now()
					text, code := clitest.Ask(t, app, may, line+" --json")
					if took := time.Since(began); code != 1 || took > httpclient.DefaultTimeout+time.Second || !strings.Contains(text, "ClinicalTrials.gov did not answer within 30s") {
						t.Errorf("exit %d after %v: %.2000s", code, took, text)
					}
				}
			})
		})
	}
}
