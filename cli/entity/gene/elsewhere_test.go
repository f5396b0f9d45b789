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
		{Line: "get gene BRAF drugs --json", Text: `"drugs":[{"name":"Syntheticinib","relation":"negative_correlate","articles":12,"pubtator":"@CHEMICAL_Syntheticinib"`, Schema: "get_gene.response"},
		{Line: "get gene BRAF drugs --limit 1", Text: "drugs of BRAF are text-mined"},
		{Line: "get gene BRAF pathways pgx --json", Text: `"pathways":[{"id":"R-HSA-90000001","name":"Invented cascade","in_disease":false`, Schema: "get_gene.response"},
		{Line: "get gene TP53 pathways --json", Text: `"pathways":[],"pathways_total":0`, Schema: "get_gene.response"},
		{Line: "get gene BRAF pgx", Text: "| BRAF | fictinib | A | Testing Required | BRAF and Fictinib |"},
		{Line: "get gene BRAF diagnostics --json", Text: `"diagnostics":[{"accession":"GTR000900005","name":"Synthetic BRAF test"`, Schema: "get_gene.response"},
		{Line: "get gene TP53 diagnostics", Text: "tests of TP53: GTR (live, as of "},
		{Line: "get gene TPM4 diagnostics --json", Text: `"diagnostics":[],"diagnostics_total":0`, Schema: "get_gene.response"},
		{Line: "get gene BRAF drugs --limit 99 --json", Text: "limit lowered from 99 to 50", Schema: "get_gene.response"},
		{Line: "get gene BRAF trials --json", Text: `"nct_id":"NCT9900000`, Schema: "get_gene.response", Sent: `query.term=(AREA[EligibilityCriteria]("BRAF") OR `},
		{Line: "get gene BRAF trials --limit 1 --json", Text: `Trials of BRAF: 1 of 3 shown`, Schema: "get_gene.response", Sent: `query.term=`},
	})
}
