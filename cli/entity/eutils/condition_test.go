package eutils_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
)

// Every filter for a disease accepts an id and searches for the name of the disease.
func TestIDsOfDiseasesInFilters(t *testing.T) {
	t.Parallel()
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search trial -c OMIM:154700", Sent: "query.cond=(Marfan syndrome)", Text: "--condition OMIM:154700 is an id of Marfan syndrome, which is searched for"},
		{Line: "search trial -c C0025202 --json", Text: `"condition_exact":true`},
		{Line: "search variant -c D008382", Text: `("Marfan syndrome"[DIS])`},
		{Line: "search variant --condition UMLS:C0025202 --json", Text: `"term":"(\"Melanoma\"[DIS])"`},
		{Line: "search gene -d ORPHA:558", Text: "--disease ORPHA:558 is an id of Marfan syndrome, which is searched for"},
		{Line: "search article -d MESH:D008382", Text: "Marfan"},
		{Line: "search diagnostic -d DOID:14323", Text: `("Marfan syndrome"[DISNAME])`},
		{Line: "search trial -c DOID:1", Text: "--condition DOID:1 is an id that the Disease Ontology does not have: it is searched for as typed"},
		{Line: "search trial -c OMIM:1", Text: "--condition OMIM:1 is an id that MedGen does not have: it is searched for as typed"},
		{Line: "get disease DOID:14323", Text: "DOID:14323 is read as Marfan syndrome"},
		{Line: "get disease DOID:1", ExitStatus: 1, Text: "no disease found for DOID:1"},
	})
}
