package corpus_test

import (
	"net/http"
	"testing"
	"time"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/cli/result"
	"biomcp/entrez/entreztest"
)

// silent never answers.
type silent struct{}

func (silent) RoundTrip(r *http.Request) (*http.Response, error) {
	<-r.Context().Done()
	return nil, r.Context().Err()
}

// A command of many calls whose service is silent ends after one deadline.
func TestOneDeadlineHoldsForACommandOfManyCalls(t *testing.T) {
	commandtest.WithFakeClock(t, func(t *testing.T, srv *entreztest.Server, app *command.App) {
		for _, key := range []string{"one", "two", "three"} {
			text, code := clitest.Ask(t, app, command.Person, "sync pubmed --no-vectors --query-key "+key+" --term "+key)
			clitest.WantExit(t, code, 0, text)
		}
		const deadline = 20 * time.Second
		for _, line := range []string{
			"sync pubmed --query-key one --term one", "sync pubmed --query-key new --term new", "sync pubmed --all-keys",
			"sync pubmed --all", "sync mesh", "batch article 90100001 90100002 10.1000/xyz", "batch article 90100001 90100002",
			"batch gene BRAF TP53 EGFR", "batch trial NCT00000001 NCT00000002", "batch variant rs1 rs2 rs3",
			"get gene BRAF --follow", "search all BRAF", "get article 90100001 all",
		} {
			// Each line runs in a program of its own, to which no host is known as silent.
			later := commandtest.App()
			later.Env = app.Env
			later.Env.CacheDir = t.TempDir()
			later.Env.Network.Transport, later.Env.Network.Deadline = silent{}, deadline
			began := time.Now()
			out := clitest.Run(t, later, command.Person, line)
			took := time.Since(began)
			if err := later.Close(); err != nil {
				t.Error(err)
			}
			if out.Failure == nil || out.Failure.Code != result.Upstream || cli.ExitStatus(out) != 1 {
				t.Errorf("%s: failure %+v, want %s", line, out.Failure, result.Upstream)
			}
			if took > deadline+time.Second {
				t.Errorf("%s took %v under a deadline of %v", line, took, deadline)
			}
		}
	})
}
