// Package entreztest is a simulated NCBI for tests: PubMed's E-utilities, the
// PMC ID converter, PubTator3's export and PubMed's file server on one address, over
// records that the test gives it. It really searches them, answers in NCBI's own
// shapes (pinned by tests against captured replies), keeps NCBI's limits and, on
// demand, fails in every way in which NCBI is known to fail.
//
// It is not for production code, which never imports it, and no mirror of
// PubMed: there is no MeSH tree, so headings do not explode, automatic term
// mapping knows only headings, journals and authors of the held records, and
// Best Match and similar articles are ranked by shared rare words.
//
//	srv := entreztest.New(t, entreztest.File("testdata/records.xml"))
//	t.Setenv("BIOMCP_ENTREZ_URL", srv.EntrezURL())
//	srv.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.Truncated, Times: 2})
//	srv.Retract("12345678", "")
//	if srv.Limited() > 0 { t.Error("went too fast") }
//
// # By hand
//
//	go run ./entrez/entreztest/cmd --records FILE... [--pmc FILE...] [--synthetic N] [--no-limit]
//
// prints the BIOMCP_*_URL lines to export and serves until it is interrupted.
//
// # Control
//
// Another process steers the server with JSON (XML where it says so) under
// /control/, as package sourcetest describes, with these routes more:
//
//	GET  state                            also "records"
//	GET  record?pmid=N                    {"xml":"<PubmedArticle>..."}
//	POST records     PubMed XML           adds, or replaces by PMID; DeleteCitation deletes
//	POST jats        JATS XML             a full text, by the PMCID in it
//	POST pubtator    BioC-JSON            an export to answer with
//	POST delete      {"pmids":["1","2"]}  {"deleted":["1"]}
//	POST revise      {"pmid":"1","title":"...","abstract":"..."}   DateRevised becomes the server's day
//	POST retract     {"pmid":"1","notice_pmid":"2"}                the same, with type and RetractionIn
//	POST withhold    {"pmcid":"PMC1"}     the publisher does not give the text
//	POST heading     {"ui":"D009369","terms":["Neoplasms","Cancer"],"scope_note":"...","tree_numbers":["C04"]}
//	POST kill-history  every WebEnv so far is dead
//	POST publish     {"year":26,"per_file":100}   all records become a baseline of the file server
//	POST file?folder=updatefiles&name=pubmed26n0002.xml.gz   PubMed XML   a file of it
//	POST md5?folder=baseline&name=pubmed26n0001.xml.gz&sum=0 a wrong checksum of one
//
// # Faults
//
// See [Kind] and sourcetest. Endpoints are esearch, esummary, efetch, elink, einfo,
// espell, epost, ecitmatch, idconv, pubtator, and index and file of the file server.
package entreztest
