// Package entreztest is a simulated NCBI for tests. It serves PubMed's E-utilities, the PMC ID
// converter, PubTator3's export and PubMed's file server on one address. It searches the records
// that a test gives it, replies in NCBI's form (which tests compare with captured replies), applies
// NCBI's limits and, on demand, fails in all ways in which NCBI is known to fail.
//
// It is only for tests, and not a mirror of PubMed. There is no MeSH tree, so that headings do not
// explode; automatic term mapping knows only headings, journals and authors of the records; and
// Best Match and similar articles are ranked by shared rare words.
//
//	srv := entreztest.New(t, entreztest.File("testdata/records.xml"))
//	t.Setenv("BIOMCP_ENTREZ_URL", srv.EntrezURL())
//	srv.Fail(entreztest.Fault{Endpoint: "efetch", Kind: entreztest.Truncated, Times: 2})
//	if srv.Limited() > 0 { t.Error("too many requests per second") }
//
// To run it by hand:
//
//	go run ./entrez/entreztest/cmd --records FILE... [--pmc FILE...] [--synthetic N] [--no-limit]
//
// # Control
//
// Another process can control the server with JSON (or XML where stated) under /control/, as
// package sourcetest describes, and with these additional routes:
//
//	GET  state                            adds "records"
//	GET  record?pmid=N                    {"xml":"<PubmedArticle>..."}
//	POST records     PubMed XML           adds, or replaces by PMID; DeleteCitation deletes
//	POST jats        JATS XML             a full text, with its PMCID
//	POST pubtator    BioC-JSON            an export to serve
//	POST delete      {"pmids":["1","2"]}  {"deleted":["1"]}
//	POST revise      {"pmid":"1","title":"...","abstract":"..."}   also sets DateRevised
//	POST retract     {"pmid":"1","notice_pmid":"2"}                also sets DateRevised
//	POST withhold    {"pmcid":"PMC1"}     the publisher does not share the text
//	POST heading     {"ui":"D009369","terms":["Neoplasms","Cancer"],"scope_note":"...","tree_numbers":["C04"]}
//	POST kill-history  invalidates every WebEnv
//	POST publish     {"year":26,"per_file":100}   all records become a baseline of the file server
//	POST file?folder=updatefiles&name=pubmed26n0002.xml.gz   PubMed XML   adds a file
//	POST md5?folder=baseline&name=pubmed26n0001.xml.gz&sum=0 sets a wrong checksum
//
// See [Kind] and package sourcetest for faults. Endpoints are esearch, esummary, efetch, elink,
// einfo, espell, epost, ecitmatch, idconv, pubtator, autocomplete, relations, and the file
// server's index and file.
package entreztest
