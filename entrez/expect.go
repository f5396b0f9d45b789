package entrez

import (
	"slices"
	"strconv"
	"strings"

	"biomcp/entrez/httpclient"
)

// expectations returns the requests of the contract.
func expectations() []httpclient.Expectation {
	return slices.Concat(searches(), summaries(), records(), []httpclient.Expectation{largeBatch()})
}

func searches() []httpclient.Expectation {
	return []httpclient.Expectation{
		{
			Call:     httpclient.NewCall(esearch, "db", "clinvar", "term", `"NC_000007.14:140753335:A:T"[CSPDI]`), // BRAF V600E
			Facts:    []httpclient.Fact{{Path: "Count", Value: "1"}, {Path: "Id", Value: "13961"}},
			Evidence: "three public clients, 2026-10", TagParam: "term", Tag: "CSPDI",
		},
		{
			Call:     httpclient.NewCall(esearch, "db", "clinvar", "term", `"clinsig uncertain risk allele"[Properties]`),
			Facts:    []httpclient.Fact{{Path: "Id"}},
			Evidence: "ClinVar's own filter, in one public client",
		},
		{
			Call:     httpclient.NewCall(esearch, "db", "gene", "term", "BRAF[PREF] AND 9606[TID] AND alive[PROP]"),
			Facts:    []httpclient.Fact{{Path: "Count", Value: "1"}, {Path: "Id", Value: "673"}},
			Evidence: "the tag in two public clients; this answer not seen", TagParam: "term", Tag: "PREF",
		},
	}
}

func summaries() []httpclient.Expectation {
	return []httpclient.Expectation{
		{
			Call: summaryOf("pubmed", "32051057"),
			Facts: []httpclient.Fact{{Path: "result.uids.0", Value: "32051057"},
				{Path: `result.32051057.articleids.#(idtype=="doi").value`}, {Path: "result.32051057.title"},
				{Path: "result.32051057.sortpubdate"}},
			Evidence: "document; sortpubdate in captures of ESummary of pubmed",
		},
		{
			Call: summaryOf("pmc", "3539452"),
			Facts: []httpclient.Fact{{Path: "result.uids.0", Value: "3539452"},
				{Path: `result.3539452.articleids.#(idtype=="pmid").value`, Value: "22368089"}},
			Evidence: pmcSummaries,
		},
		{
			Call: summaryOf("snp", "80338939"),
			Facts: []httpclient.Fact{{Path: "result.80338939.snp_class", Value: "delins"},
				{Path: `result.80338939.global_mafs.#(freq%"-=*").study`}}, // a deleted allele is "-"
			Evidence: "capture of a public client's tests, 2026",
		},
		{
			Call:     summaryOf("gene", "999999999"),
			Facts:    []httpclient.Fact{{Path: "result.999999999.error", Value: "cannot get document summary"}},
			Evidence: "captures of a public client, 2026-10-03; this UID not seen",
		},
	}
}

func records() []httpclient.Expectation {
	return []httpclient.Expectation{
		{
			Call: httpclient.NewCall(efetch, "db", "clinvar", "rettype", "vcv", "is_variationid", "", "id", "2687784"),
			Facts: []httpclient.Fact{{Path: "FunctionalEffect", Value: "functionally abnormal"},
				{Path: "FunctionalConsequence", Value: "effect on RNA splicing"}, {Path: "Result"},
				{Path: "NoClassification"}},
			Evidence: "NCBI's samples of functional data, https://github.com/ncbi/clinvar, 2026-06",
		},
		{
			Call: httpclient.NewCall(efetch, "db", "pmc", "id", "3040717", "retmode", "xml"),
			Facts: []httpclient.Fact{{Path: "article-id", Value: "PMC3040717"}, {Path: "article-title"},
				{Path: "pub-id"}},
			Evidence: pmcTexts,
		},
		{
			Call: httpclient.NewCall(elink, "dbfrom", "pubmed", "db", "pubmed", "linkname", "pubmed_pubmed", "cmd",
				"neighbor_score", "id", "32051057", "retmode", "xml"),
			Facts:    []httpclient.Fact{{Path: "LinkName", Value: "pubmed_pubmed"}, {Path: "Score"}},
			Evidence: "captures of ELink; it was down for hours on 2026-04-20",
		},
	}
}

// summaryOf returns the call for one DocSum.
func summaryOf(db, id string) *httpclient.Call {
	return httpclient.NewCall(esummary, "db", db, "id", id, "retmode", "json", "version", "2.0")
}

const (
	pmcSummaries = "a reply for PMC3539452 in a public repository"
	pmcTexts     = "captures of EFetch of PMC3040717, 2026-08-05; PMC's files moved to pmc-oa-opendata in 2026-08, " +
		"and EFetch stayed"
)

// largeBatch returns the request for a batch of copy-number variants. ESummary either describes the
// whole batch or, above 10 MB, refuses it as a whole with ERROR.
func largeBatch() httpclient.Expectation {
	const first, batch = 144_000, 100
	ids := make([]string, batch)
	for i := range ids {
		ids[i] = strconv.Itoa(first + i)
	}
	return httpclient.Expectation{
		Call:     summaryOf("clinvar", strings.Join(ids, ",")),
		Facts:    []httpclient.Fact{{Path: "[ERROR,result.uids.99].#", Value: "1"}},
		Evidence: "three public repositories, 2026, of batches over 10 MB; the size of this one not seen",
	}
}
