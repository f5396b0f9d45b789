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

// Each door shows the rows of packages, how each matched, the date, the licence and FDA's warning.
func TestShortagesAndRecalls(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, srv *sourcetest.Server, app *command.App) {
		for line, wanted := range map[string][]string{
			"get drug fictinib shortages": {
				"| Fictinib Mesylate Tablet | Copy Pharma | Fictinib Mesylate, Tablet, 100 mg (2 packages) | Current | Limited Availability | Demand increase for the drug | 2026-11-20 | openfda |",
				"| Leucofolate and Fictinib Kit | Copy Pharma | Kit | To Be Discontinued (discontinued 2026-12-31) | Information pending | - | 2026-08-01 | mention |",
				"openFDA, as of 2026-11-02, has 5 packages in notices of shortage that name fictinib",
				"CC0", "do not rely on openFDA to make decisions regarding medical care",
			},
			"get drug fictinib shortages --json": {
				`"packages":["90002-001-30","90002-001-90"],"status":"Current"`, `"shortages_total":4`, `"match":"mention"`,
				`"discontinued":"2026-12-31"`, `"outcome":"data"`,
			},
			"get drug fictinib recalls": {
				"| D-0902-2026 | Class I | Ongoing | Invented Pharma | Superpotent drug | INVENTA tablets 400 mg, Rx only | 2026-10-01 | 2026-10-14 | openfda |",
				"| D-0903-2026 | Class III |", "| mention |", "mention: the text contains the name, and the product may be another",
			},
			"get drug fictinib recalls --limit 1": {"1 of 3 shown; the next: biomcp get drug fictinib recalls --limit 1 --offset 1"},
			"get drug fictinib recalls --json":    {`"terminated":"2026-07-01"`, `"match":"name"`, `"recalls_total":3`},
			"get drug syntheticillin shortages":   {"None.", "openFDA has no packages in notices of shortage that name syntheticillin", "it lists only products reported to FDA"},
			"get drug 'alphamide / betamide' shortages": {
				"| Betamide Sodium and Alphamide Tablet | Copy Pharma | Betamide Sodium and Alphamide Tablet 5 mg | Current | Unavailable | - | 2026-10-02 | openfda |",
				"| 2026-10-02 | name |", "| Betamide Alphamide and Gammamide Tablet | Copy Pharma | Betamide Alphamide and Gammamide Tablet 5 mg | Current | Unavailable | - | 2026-10-02 | mention |",
			},
			"get drug 'alphamide / betamide' recalls": {"| D-0910-2026 |", "| name |"},
			"get drug syntheticillin recalls --json":  {`"recalls":[]`, `"recalls_total":0`, `"outcome":"empty"`},
		} {
			for _, policy := range []command.Policy{command.Person, command.Agent} {
				srv.ClearRequests()
				text, code := clitest.Ask(t, app, policy, line)
				if n := len(srv.Requests("shortages")) + len(srv.Requests("enforcement")); code != 0 || n > 1 {
					t.Errorf("%s: exit %d, %d requests, want 0 and at most 1", line, code, n)
				}
				for _, want := range wanted {
					if !strings.Contains(text, want) {
						t.Errorf("%s: want %q in %s", line, want, text)
					}
				}
				if strings.HasSuffix(line, "--json") {
					commandtest.Validate(t, "drug", line, text)
				}
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}

// A failure of openFDA is never the absence of a shortage or a recall.
func TestSupplyOfASourceThatIsDown(t *testing.T) {
	commandtest.WithRateLimits(t, func(t *testing.T, srv *sourcetest.Server, app *command.App) {
		for section, endpoint := range map[string]string{"shortages": "shortages", "recalls": "enforcement"} {
			if err := srv.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.Down503, Times: -1}); err != nil {
				t.Fatal(err)
			}
			text, _ := clitest.Ask(t, app, command.Agent, "get drug fictinib "+section)
			if strings.Contains(text, "None.") || !strings.Contains(text, "Not known: openFDA answered HTTP 503") {
				t.Errorf("%s: want unknown, got %s", section, text)
			}
			text, _ = clitest.Ask(t, app, command.Agent, "get drug fictinib "+section+" --json")
			if !strings.Contains(text, `"`+section+`":null`) || !strings.Contains(text, `"outcome":"unavailable"`) {
				t.Errorf("%s: want null and unavailable, got %s", section, text)
			}
		}
	}, rxnavtest.AddTo, openfdatest.AddTo)
}
