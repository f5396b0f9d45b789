package gene_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// Sections answered by other sources.
func TestSectionsOfOtherSources(t *testing.T) {
	t.Parallel()
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "get gene TP53 pathways --json", Text: `"pathways":[],"pathways_total":0`, Schema: "get_gene.response"},
		{Line: "get gene KMT2B pathways --json", Text: `"pathways_total":2`, Schema: "get_gene.response"}, // its second protein's pathways
		{Line: "get gene BRAF diagnostics --json", Text: `"diagnostics":[{"accession":"GTR000900005","name":"Synthetic BRAF test"`, Schema: "get_gene.response"},
		{Line: "get gene TP53 diagnostics", Text: "tests of TP53: GTR (live, as of "},
		{Line: "get gene TPM4 diagnostics --json", Text: `"diagnostics":[],"diagnostics_total":0`, Schema: "get_gene.response"},
	})
}

// If no gene matches the word, none is shown, because NCBI's hits match the organism alone.
func TestNoGeneHasTheWord(t *testing.T) {
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search gene zzzqqq", Text: "- **Genes:** 0\n"},
		{Line: "search gene zzzqqq --csv --fields symbol", Text: "symbol\n"},
		{Line: "search gene zzzqqq --json", Text: `"total":0,"offset":0,"limit":10,"dropped_phrases":["zzzqqq"],"results":[]`},
		{Line: "search gene zzzqqq --csv --fields nosuch", ExitStatus: 2, Text: `no record has a field "nosuch"`},
	})
}
