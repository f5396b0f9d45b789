package trial_test

import (
	"encoding/json"
	"strings"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

// An outcome or a document without members is no row; with its type before nothing it was no
// JSON either.
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
