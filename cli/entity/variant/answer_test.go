package variant_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/sourcetest"
)

func TestNumberOfVariantsSaysWhose(t *testing.T) {
	const ofClinVar, ofDBSNP = "NC_000012.12:1000:A:T", "NC_000012.12:2000:A:T"
	srv := commandtest.EverySource(t)
	for _, uid := range []string{"90400051", "90400052"} {
		inClinVar(srv, uid, "NC_000012.12:g.1001A>T", ofClinVar, nil, nil)
	}
	for _, number := range []string{"90000051", "90000052"} {
		inDBSNP(srv, number, ofDBSNP, "12:2001", "12:2101", "")
	}
	commandtest.Fail(t, srv, sourcetest.Fault{Endpoint: "variation-spdi", Kind: sourcetest.OtherJSON, Times: -1, Text: `{"data":{"rsids":[90000051,90000052]}}`})
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get variant " + ofClinVar, Text: "**Note:** " + ofClinVar + " is 2 variants of ClinVar\n"},
		{Line: "get variant " + ofDBSNP, Text: "**Note:** " + ofDBSNP + " is 2 variants of dbSNP\n"},
	})
}
