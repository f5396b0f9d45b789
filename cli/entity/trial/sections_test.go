package trial_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

// An outcome or a document without members makes no row; adding a type to it would be invalid
// JSON.
func TestObjectsWithoutMembersAreNoRows(t *testing.T) {
	srv := commandtest.EverySource(t)
	commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: "studies", Kind: sourcetest.OtherJSON, Times: -1, Text: `{"studies":[{"protocolSection":{"identificationModule":{"nctId":"NCT99000001"},
		"outcomesModule":{"primaryOutcomes":[{},{"measure":"m"}]}},"documentSection":{"largeDocumentModule":{"largeDocs":[{},{"label":"d"}]}}}]}`})
	_, text := clitest.Read(t, commandtest.NCBI(t, srv), "get trial NCT99000001 outcomes documents")
	var got struct {
		Trials []struct{ Outcomes, Documents []map[string]any }
	}
	if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Trials) != 1 || len(got.Trials[0].Outcomes) != 1 || len(got.Trials[0].Documents) != 1 ||
		!strings.Contains(text, `[{"type":"PRIMARY","measure":"m"}]`) {
		t.Errorf("%v: %s", err, text)
	}
}

// A result shows its measure and the number analysed, and a comparison its groups. An outcome
// without values is still listed.
func TestResultsSayOfHowMany(t *testing.T) {
	srv := commandtest.EverySource(t)
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get trial NCT99000002 results", Text: "| Relapse-free survival (primary, 36 months) | Fictinib | 24.1 (20.0 to NA) (Not reached) | months | median, 95% confidence interval | 206 |"},
		{Line: "get trial NCT99000002 results", Text: "| Eyes with relapse (secondary, 12 months): First year | Fictinib | 12 | Eyes | count of units | 390 Eyes |"},
		{Line: "get trial NCT99000002 results", Text: "| Concentration in plasma (secondary) | - | no values posted |"},
		{Line: "get trial NCT99000002 results", Text: "Relapse-free survival: Fictinib and Placebo: Log Rank, Hazard Ratio (HR) 0.71 (95 % CI 0.57 to 0.89), p 0.003. Hazard ratio: Fictinib to placebo"},
		{Line: "get trial NCT99000002 results", Text: "- Relapse-free survival: Wald, p 0.2\n"},
	})
}
