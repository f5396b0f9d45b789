package drug_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
)

// EMA's veterinary medicines are marked and follow those for people, however well they match.
func TestVeterinaryProductsAreLast(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		s.Sync(t, "sync ema")
		text, code := clitest.Ask(t, s.App, command.Agent, "search drug vaccine --region eu")
		people, animals := strings.Index(text, "| Fictivax |"), strings.Index(text, "| Petivax vaccine |")
		if code != 0 || animals < 0 || people < 0 || people > animals || !strings.Contains(text[animals:], "veterinary") {
			t.Errorf("exit %d, %d and %d: %s", code, people, animals, text)
		}
	})
}
