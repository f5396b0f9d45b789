package trial_test

import (
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/entity"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/sourcetest"
)

// Other names that do not come hold up a search by entity.Slack at most.
func TestNamesThatHangDoNotHoldUpTheSearch(t *testing.T) {
	commandtest.InBubble(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		if err := srv.Fail(sourcetest.Fault{Endpoint: "datasets-symbol", Kind: sourcetest.Stall, Times: -1}); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		text, code := clitest.Ask(t, app, command.Agent, "search trial -g HER2 --json")
		want := "are not searched for: NCBI Datasets did not answer within 5s of the others"
		if took := time.Since(began); code != 0 || took > entity.Slack+3*time.Second || !strings.Contains(text, want) {
			t.Errorf("exit %d after %v: %.2000s", code, took, text)
		}
	})
}
