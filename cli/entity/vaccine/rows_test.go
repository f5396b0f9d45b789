package vaccine_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
)

// Codes with the same short name, such as those of BCG, differ in their descriptions.
func TestRowsSayWhatTheyAre(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync cvx")
		text, code := clitest.Ask(t, s.App, command.Agent, "search vaccine MMR")
		if code != 0 || !strings.Contains(text, "| MMR (synthetic) | measles, mumps and rubella virus vaccine, synthetic | 902 |") {
			t.Errorf("exit %d: %s", code, text)
		}
		if !strings.Contains(text, "Inventovac Plus (inactive)") || strings.Contains(text, "(active)") {
			t.Errorf("the status of a code is not that of its products: %s", text)
		}
	})
}
