package vaccine_test

import (
	"strings"
	"testing"
	"time"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
)

// An answer from an old table says so, at a terminal, in JSON and over MCP.
func TestStaleTableIsNoticed(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync cvx")
		time.Sleep(40 * 24 * time.Hour) // virtual time of synctest
		for name, notices := range clitest.Notices(t, s.App, "search vaccine measles --source cvx") {
			want := "the local table cvx is from 2026-11-21, 40 days old, and may be out of date; biomcp sync cvx updates it"
			if len(notices) != 1 || !strings.HasPrefix(notices[0], want) {
				t.Errorf("%s: %q", name, notices)
			}
		}
	})
}

// Pages over several tables contain every vaccine once, as many as the total says.
func TestPagesOverTables(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		for _, line := range []string{"sync cvx", "sync ema", "sync who"} {
			s.Sync(t, line)
		}
		seen := map[string]int{}
		for _, offset := range []string{"0", "2", "4"} {
			text, code := clitest.Ask(t, s.App, command.Agent, "search vaccine synthetic vaccine vax --limit 2 --offset "+offset)
			if code != 0 {
				t.Fatal(text)
			}
		}
		for _, offset := range []string{"0", "2", "4"} {
			text, _ := clitest.Ask(t, s.App, command.Agent, "search vaccine --manufacturer made-up --csv --limit 2 --offset "+offset)
			for l := range strings.Lines(text) {
				if !strings.HasPrefix(l, "name,description,cvx,products,") {
					seen[l]++
				}
			}
		}
		if len(seen) != 4 { // two from CDC, one each from EMA and WHO
			t.Errorf("%v", seen)
		}
		for l, n := range seen {
			if n > 1 {
				t.Errorf("%d times: %s", n, l)
			}
		}
	})
}
