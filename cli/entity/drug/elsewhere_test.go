package drug_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// Sections answered by other sources.
func TestSectionsOfOtherSources(t *testing.T) {
	t.Parallel()
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get drug fictinib articles --json", Text: `"articles":[]`, Schema: "drug"},
		{Line: "get drug fictinib adverse-events --json", Text: `"reports_total":2,"adverse_events":[{"reaction":"Nausea","reports":2},{"reaction":"Invented pain","reports":1}]`, Schema: "drug"},
		{Line: "get drug fictinib adverse-events --limit 1", Text: "they name further reactions: biomcp get drug fictinib adverse-events --limit 1 --offset 1"},
		{Line: "get drug fictinib adverse-events --limit 2 --json", Text: `"notices":["2 reports to FDA name fictinib (openFDA, as of 2026-11-02): they are reports, not patients; the number of users is unknown, so the counts are not rates, and a report does not prove a cause. Reports on drugs whose names contain it are counted too"]`},
		{Line: "get drug fictinib all", Text: "- **Brands:** Inventa, Inventa XR"}, // all includes the card
		{Line: "get drug 'Inventa label'", ExitStatus: 1, Text: "Inventa is a brand, not a substance\ntry:   biomcp get drug fictinib label"},
		{Line: "get drug fictinib adverse-events", Text: "2 reports to FDA name fictinib (openFDA, as of 2026-11-02): they are reports, not patients"},
	})
}
