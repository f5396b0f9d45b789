package gene_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// Sections that other sources answer.
func TestSectionsOfOtherSources(t *testing.T) {
	t.Parallel()
	clitest.Answers(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get gene TP53 pathways --json", Text: `"pathways":[],"pathways_total":0`, Schema: "get_gene.response"},
		{Line: "get gene BRAF diagnostics --json", Text: `"diagnostics":[{"accession":"GTR000900005","name":"Synthetic BRAF test"`, Schema: "get_gene.response"},
		{Line: "get gene TP53 diagnostics", Text: "tests of TP53: GTR (live, as of "},
		{Line: "get gene TPM4 diagnostics --json", Text: `"diagnostics":[],"diagnostics_total":0`, Schema: "get_gene.response"},
	})
}
