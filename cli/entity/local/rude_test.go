package local_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"biomcp/cli"
	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

// A sync ends in time if the source sends nothing or asks for a long pause, and it suggests a
// command. Until then it reports progress, even to a pipe.
func TestRudeSourceEndsInTime(t *testing.T) {
	for name, c := range map[string]struct {
		fault  sourcetest.Fault
		atMost time.Duration
		signs  bool
		want   string
	}{
		"Retry-After: 3600": {sourcetest.Fault{Kind: sourcetest.Limit429, RetryAfter: "3600", Times: -1}, 2 * time.Second, false, "(in 1h0m0s)"},
		"down for a day":    {sourcetest.Fault{Kind: sourcetest.Down503, RetryAfter: "86400", Times: -1}, 2 * time.Second, false, "(in 24h0m0s)"},
		"silent":            {sourcetest.Fault{Kind: sourcetest.Stall, Times: -1}, httpclient.DefaultDeadline, true, "sent nothing for 1m0s"},
		"half, then silent": {sourcetest.Fault{Kind: sourcetest.StallBody, Times: -1}, 2 * httpclient.DefaultDeadline, true, "sent nothing for "},
	} {
		t.Run(name, func(t *testing.T) {
			clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
				s.App.Env.Network.MaxRetries = httpclient.DefaultMaxRetries
				for _, set := range bulk.Sets() {
					if err := s.Fail(c.fault); err != nil {
						t.Fatal(err)
					}
					var pipe bytes.Buffer
					began := time.Now()
					out := cli.Run(t.Context(), s.App, command.IO{Err: &pipe}, clitest.Words(t, "sync "+set.Name), command.Person)
					text, failed := cli.RenderAnswer(out, false, 0)
					if took := time.Since(began); took > c.atMost+time.Second {
						t.Errorf("%s took %s", set.Name, took)
					}
					want := c.want
					if c.signs && set == bulk.CPIC { // replies in memory, not downloads
						want = "did not answer in the time allowed"
					}
					if !failed || !strings.Contains(text, want) || !strings.Contains(text, "try:   biomcp sync "+set.Name+"\n") {
						t.Errorf("%s: %q is not in %s", set.Name, want, text)
					}
					if got := strings.Count(pipe.String(), "waiting for "+set.Source.Label+": attempt 1, "); c.signs && got < 4 {
						t.Errorf("%s: %q", set.Name, pipe.String())
					}
					s.ClearFaults()
					time.Sleep(25 * time.Hour) // the pause that the source requested
					s.Sync(t, "sync "+set.Name)
				}
			})
		})
	}
}
