package trial_test

import (
	"fmt"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

// Numbers and dates of a trial that are only planned are marked, as is a status that the sponsor has not
// verified. Contacts of sites are contacts, and a p-value names another hypothesis than superiority.
func TestQualifiersOfATrialArePrinted(t *testing.T) {
	srv := commandtest.EverySource(t)
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get trial NCT99000001", Text: "- **People:** 120 (estimated)\n"},
		{Line: "get trial NCT99000001", Text: "- **Dates:** 2024-03-01 (actual) to 2027-06 (estimated)\n"},
		{Line: "get trial NCT99000001", Text: "- **Primary completion:** 2026-12 (estimated)\n"},
		{Line: "get trial NCT99000002", Text: "- **Dates:** 2024-03-01 to 2027-06\n"},
		{
			Line: "search trial NCT99000001 --json", Text: `"enrollment":120,"enrollment_type":"ESTIMATED","start_date":"2024-03-01","start_date_type":"ACTUAL",` +
				`"primary_completion_date":"2026-12","primary_completion_date_type":"ESTIMATED","completion_date":"2027-06","completion_date_type":"ESTIMATED"`,
		},
		{Line: "get trial NCT99000001 contacts", Text: "| C Person | CONTACT | +43 1 000001 ext. 77 | vienna@invented.example | - | Invented Hospital of Vienna, Vienna, Austria |"},
		{Line: "get trial NCT99000001 contacts --json", Text: `{"site":"Invented Hospital of Vienna, Vienna, Austria","email":"vienna@invented.example","name":"C Person",`},
		{Line: "get trial NCT99000002 results", Text: "- Relapse-free survival: Wald, standard error of mean 0.4, p 0.2 for non-inferiority\n"},
	})
}

func TestUnverifiedStatusHasTheLastKnownOne(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"get trial NCT99000001":        "- **Status:** UNKNOWN (last known: RECRUITING)\n",
		"search trial melanoma":        "| UNKNOWN (last known: RECRUITING) |",
		"search trial melanoma --json": `"status":"UNKNOWN","last_known_status":"RECRUITING"`,
		"search trial --mutation KRAS": "| undivided |",
	} {
		srv := commandtest.EverySource(t)
		commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: "studies", Kind: sourcetest.OtherJSON, Times: -1, Text: `{"totalCount":1,"studies":[{"protocolSection":{` +
			`"identificationModule":{"nctId":"NCT99000001","briefTitle":"x"},"eligibilityModule":{"eligibilityCriteria":"Tumours with a KRAS mutation"},` +
			`"statusModule":{"overallStatus":"UNKNOWN","lastKnownStatus":"RECRUITING"}}}]}`})
		if text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, line); code != 0 || !strings.Contains(text, want) {
			t.Errorf("%s: exit %d, got %s, want %q", line, code, text, want)
		}
	}
}

func TestHypothesisOfAComparison(t *testing.T) {
	t.Parallel()
	for kind, want := range map[string]string{
		"SUPERIORITY": "p 0.02\n", "OTHER": "p 0.02\n", "SUPERIORITY_OR_OTHER_LEGACY": "p 0.02\n",
		"NON_INFERIORITY": "p 0.02 for non-inferiority\n", "EQUIVALENCE": "p 0.02 for equivalence\n",
		"NON_INFERIORITY_OR_EQUIVALENCE":        "p 0.02 for non-inferiority or equivalence\n",
		"NON_INFERIORITY_OR_EQUIVALENCE_LEGACY": "p 0.02 for non-inferiority or equivalence\n",
	} {
		srv := commandtest.EverySource(t)
		commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: "studies", Kind: sourcetest.OtherJSON, Times: -1, Text: fmt.Sprintf(`{"studies":[{"hasResults":true,`+
			`"protocolSection":{"identificationModule":{"nctId":"NCT99000001","briefTitle":"x"}},"resultsSection":{"outcomeMeasuresModule":{"outcomeMeasures":[`+
			`{"title":"Relapse","analyses":[{"nonInferiorityType":%q,"pValue":"0.02"}]}]}}}]}`, kind)})
		if text, code := clitest.Ask(t, commandtest.NCBI(t, srv), command.Agent, "get trial NCT99000001 results"); code != 0 || !strings.Contains(text, "> - Relapse: "+want) {
			t.Errorf("%s: exit %d, got %s, want %q", kind, code, text, want)
		}
	}
}
