package variant_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// Sections answered by other sources.
func TestSectionsOfOtherSources(t *testing.T) {
	t.Parallel()
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get variant BRAF V600E diagnostics --json", Text: "tests of the gene BRAF of", Schema: "get_variant.response"},
		{Line: "get variant rs386571803 diagnostics --json", Text: `"outcome":"data"`, Schema: "get_variant.response"},
		{Line: "get variant BRAF V600E articles --limit 99", Text: "limit lowered from 99 to 50"},
	})
}
