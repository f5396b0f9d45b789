package related_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// These cases cover the sections of genes, diseases, variants and drugs.
func TestSectionsThatEntitiesShare(t *testing.T) {
	srv := commandtest.EverySource(t)
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get gene BRAF drugs --json", Text: `"drugs":[{"name":"Syntheticinib","relation":"negative_correlate","articles":12,"pubtator":"@CHEMICAL_Syntheticinib"`, Schema: "get_gene.response"},
		{Line: "get gene BRAF drugs --limit 1", Text: "drugs of BRAF are text-mined"},
		{Line: "get gene BRAF pathways pgx --json", Text: `"pathways":[{"id":"R-HSA-90000001","name":"Invented cascade","in_disease":false`, Schema: "get_gene.response"},
		{Line: "get gene BRAF pgx", Text: "| BRAF | fictinib | A | Testing Required | BRAF and Fictinib |"},
		{Line: "get gene BRAF drugs --limit 99 --json", Text: "limit lowered from 99 to 50", Schema: "get_gene.response"},
		{Line: "get gene BRAF trials --json", Text: `"nct_id":"NCT9900000`, Schema: "get_gene.response", Sent: `query.term=(AREA[EligibilityCriteria]("BRAF") OR `},
		{Line: "get gene BRAF trials", Text: "a trial may name BRAF in order to exclude patients with a change of it"},
		{Line: "get gene BRAF trials --limit 1 --json", Text: `Trials of BRAF: 1 of 3 shown`, Schema: "get_gene.response", Sent: `query.term=`},
		{Line: "get disease melanoma variants --json", Text: `"vcv":"VCV000013961"`, Schema: "get_disease.response"},
		{Line: "get disease 44287 variants --json", Text: `"variants":[],"variants_total":0`, Schema: "get_disease.response"},
		{Line: "get disease melanoma drugs --json", Text: `"drugs":[{"name":"Syntheticinib","relation":"treat","articles":7`, Schema: "get_disease.response"},
		{Line: "get disease 'Dent disease type 2' drugs", Text: "PubTator3 has no concept for C1845167"},
		{Line: "get disease 44287 trials --json", Text: `"trials":[],"trials_total":0`, Schema: "get_disease.response", Sent: `query.cond=Marfan syndrome`},
		{Line: "get variant BRAF V600E trials --json", Text: `"nct_id":"NCT99000001"`, Schema: "get_variant.response", Sent: `OR AREA[Keyword]("BRAF"))) AND ((AREA[EligibilityCriteria]("V600E") OR `},
		{Line: "get variant BRAF V600E trials", Text: "a trial may name V600E in order to exclude it: biomcp search trial --mutation V600E says which"},
		{Line: "get variant rs386571803 trials --json", Text: `"outcome":"inapplicable"`, Schema: "get_variant.response", NotRequested: "studies"},
		{Line: "get drug fictinib pgx --json", Text: `"pgx":[{"gene":"BRAF","drug":"fictinib","cpic_level":"A","provisional":false`, Schema: "drug"},
		{Line: "get drug fictinib trials --json", Text: `"nct_id":"NCT99000001"`, Schema: "drug", Sent: `query.intr=fictinib`},
	})
	clitest.FailEndpoint(t, srv, "studies")
	clitest.RunCases(t, srv, []clitest.Case{{Line: "get gene BRAF trials --json", Text: `"outcome":"unavailable"`}})
}
