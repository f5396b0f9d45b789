package local_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
)

func TestAnswersOfTablesMatchTheirSchemas(t *testing.T) {
	clitest.WithSites(t, func(t *testing.T, s *clitest.Sites) {
		for _, c := range []struct{ line, schema string }{
			{"sync cvx", "sync_table.response"}, {"sync cvx", "sync_table.response"}, {"sync ema", "sync_table.response"},
			{"sync gtr", "sync_table.response"}, {"sync who-ivd", "sync_table.response"},
			{"search vaccine fictivax", "search_vaccine.response"}, {"search vaccine nothing", "search_vaccine.response"}, {"search vaccine --code 0903", "search_vaccine.response"},
			{"search diagnostic --country Germany", "search_diagnostic.response"}, {"search diagnostic --lab invented --source all", "search_diagnostic.response"},
			{"get diagnostic SYN-001", "get_diagnostic.response"},
		} {
			text, code := clitest.Ask(t, s.App, command.Person, c.line+" --json")
			if code != 0 {
				t.Errorf("%s: exit %d: %s", c.line, code, text)
			}
			commandtest.Validate(t, c.schema, c.line, text)
			commandtest.RequireAllFields(t, c.schema, text)
			if strings.Contains(c.line, "--code") && !strings.Contains(text, `"cvx":"903"`) {
				t.Errorf("%s: %s", c.line, text)
			}
		}
	})
}
