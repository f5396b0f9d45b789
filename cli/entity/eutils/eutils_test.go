package eutils_test

import (
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command/commandtest"
	"biomcp/entrez/entreztest"
)

// These cases cover the articles of a record, aliases, places and field tags across entities.
func TestWhatDatabasesShare(t *testing.T) {
	srv := commandtest.EverySource(t)
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get gene BRAF articles --json", Text: `"from":["`, Sent: "linkname=gene_pubmed\n"},
		{Line: "get disease 44287 articles", Text: "| PMID | Title | Authors | Journal | Date | From |", Sent: "db=pubmed\n"},
		{Line: "search gene --region 7:140719327-140924929 --json", Text: `"symbol":"BRAF"`, Sent: "7[CHR] AND 140719327:140924929[CPOS]"},
		{Line: "search variant --region chr7:140753336 --json", Text: "--region is a place on GRCh38; --assembly GRCh37 reads it on the other", Sent: "7[CHR] AND 140753336:140753336[CPOS]"},
		{Line: "search variant '(BRAF'", ExitStatus: 2, Text: "try:   biomcp search variant BRAF\n", NotRequested: "esearch"},
		{Line: "search gene '\"kinase'", ExitStatus: 2, Text: "try:   biomcp search gene kinase\n", NotRequested: "esearch"},
		{Line: "search variant --region 7", ExitStatus: 2, Text: "is not a place such as", NotRequested: "esearch"},
		{Line: "search gene RAD1[SYMBL]", Text: "has no field of this name", Sent: "retmode=json\n"},
		{Line: "search gene RAD1[SYMBL] --strict", ExitStatus: 1, Text: "has no field of this name"},
		{Line: "search variant -g BRAF1 --json", Text: "BRAF1 is an alias: searched for the gene BRAF"},
	})
	clitest.FailEndpoint(t, srv, "einfo")
	clitest.RunCases(t, srv, []clitest.Case{{Line: "search gene RAD1[SYMBL] --json --no-cache", Text: `"results":`}})
	clitest.FailEndpoint(t, srv, "esummary")
	clitest.RunCases(t, srv, []clitest.Case{{Line: "get gene BRAF articles --json", Text: "the titles of articles are missing"}})
	srv.ExpectTags()
}

// A misspelt gene symbol suggests the similar gene if the search found nothing.
func TestGenesThatAWordIsLike(t *testing.T) {
	t.Parallel()
	clitest.RunCases(t, commandtest.EverySource(t), []clitest.Case{
		{Line: "search gene BRAFF", Text: "biomcp search gene BRAF\n"},
		{Line: "search gene BRFA", Text: "biomcp search gene BRAF\n"},
		{Line: "search variant BRAFF", Text: "biomcp search variant BRAF\n"},
		{Line: "get gene BRAFF", ExitStatus: 1, Text: "biomcp get gene BRAF\n"},
	})
}

// If a reply counts hits but lists none, the record is reported neither as found nor as missing.
func TestHitsThatAreCountedAndNotListed(t *testing.T) {
	srv := commandtest.EverySource(t)
	if err := srv.Fail(entreztest.Fault{Endpoint: "esearch", Kind: entreztest.LyingCount, Extra: 7, Times: -1}); err != nil {
		t.Fatal(err)
	}
	const none = "cannot be read (it counts 7 hits and lists none)"
	clitest.RunCases(t, srv, []clitest.Case{
		{Line: "get disease nosuchdisease --json", ExitStatus: 1, Text: `"code":"UPSTREAM"`},
		{Line: "get drug nosuchdrug", ExitStatus: 1, Text: none},
		{Line: "get ids 10.1000/nosuch", ExitStatus: 1, Text: none},
		{Line: "discover nosuchconcept", Text: "MeSH did not answer: NCBI E-utilities sent an answer that " + none},
	})
}
