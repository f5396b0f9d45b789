package drug_test

import (
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/openfda/openfdatest"
	"biomcp/entrez/rxnav/rxnavtest"
	"biomcp/entrez/sourcetest"
)

// An unreadable reply is neither "None." nor the name of another drug: its values are unknown,
// and its source is named.
func TestRepliesThatCannotBeRead(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, srv *sourcetest.Server, app *command.App) {
		for endpoint, c := range map[string]struct {
			line, source string
			exit         int
		}{
			"labels":   {"get drug fictinib label", "DailyMed", 0},
			"compound": {"get drug fictinib chemistry", "PubChem", 0},
			"classes":  {"get drug fictinib classes", "RxNav", 0},
			"drugsfda": {"get drug fictinib regulatory", "openFDA", 0},
			"events":   {"get drug fictinib adverse-events", "openFDA", 0},
			"codes":    {"get drug fictinib", "RxNav", 0},
			"rxcui":    {"get drug fictinib", "RxNav", 1},
			"related":  {"get drug Inventa", "RxNav", 1},
		} {
			for _, body := range []string{`{}`, `{"error":"invented fault"}`} {
				if endpoint == "classes" && body == `{}` {
					continue // RxClass sends {} for no classes
				}
				srv.ClearFaults()
				if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.OtherJSON, Text: body, Times: -1}); err != nil {
					t.Fatal(err)
				}
				want := c.source + " sent an answer that cannot be read"
				text, code := clitest.Ask(t, app, command.Person, c.line)
				if code != c.exit || !strings.Contains(text, want) || strings.Contains(text, "None.") || strings.Contains(text, "another name") {
					t.Errorf("%s, %s: exit %d: %s", c.line, body, code, text)
				}
				if strings.Count(c.line, " ") > 2 && !strings.Contains(text, "Not known: "+want) && !strings.Contains(text, "missing: "+want) {
					t.Errorf("%s: %s", c.line, text)
				}
				text, code = clitest.Ask(t, app, command.Agent, c.line+" --json")
				if code != c.exit || !strings.Contains(text, want) || c.exit == 1 && !strings.Contains(text, `"code":"UPSTREAM"`) {
					t.Errorf("%s --json, %s: exit %d: %s", c.line, body, code, text)
				}
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}
