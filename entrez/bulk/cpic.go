package bulk

import (
	"net/http"

	"biomcp/entrez/cpic"
	"biomcp/entrez/httpclient"
)

// CPIC holds the tables of the Clinical Pharmacogenetics Implementation Consortium.
var CPIC = &Set{
	Name: "cpic", Label: "CPIC, genotypes and drugs", Source: &cpicTables,
	Stale: 90 * day, MaxBytes: 64 * mib, MaxUnpacked: 64 * mib,
	// Literals of constants cost nothing when the program starts; calls of a function would.
	Files: []File{
		{
			Name: "gene.json", Path: "gene", Form: httpclient.JSON, Signature: "symbol",
			Order: "symbol", Reply: "symbol lookupmethod ncbiid hgncid",
		},
		{
			Name: "drug.json", Path: "drug", Form: httpclient.JSON, Signature: "drugid",
			Order: "drugid", Reply: "drugid name rxnormid",
		},
		{
			Name: "guideline_summary_view.json", Path: "guideline_summary_view", Form: httpclient.JSON,
			Signature: "guideline_name", Order: "guideline_name", Reply: "guideline_name guideline_url drugs",
		},
		{
			Name: "pair_view.json", Path: "pair_view", Form: httpclient.JSON, Signature: "pairid",
			Order: "cpiclevel,drugname,genesymbol,pairid", Reply: "pairid drugname genesymbol guidelinename guidelineurl " +
				"cpiclevel pgxtesting pmids provisional",
		},
		{
			Name: "recommendation_view.json", Path: "recommendation_view", Form: httpclient.JSON,
			Signature: "recommendationid", Order: "drugname,recommendationid",
			Reply: "recommendationid lookupkey drugname guidelinename guidelineurl implications drugrecommendation " +
				"classification phenotypes activityscore population comments",
		},
		{
			Name: "diplotype.json", Path: "diplotype", Form: httpclient.JSON, Signature: "genesymbol",
			Order: "genesymbol,diplotype", Reply: "genesymbol diplotype generesult totalactivityscore lookupkey",
		},
		{
			Name: "change_log.json", Path: "change_log", Form: httpclient.JSON, Signature: "date",
			Order: "date.desc", Rows: 1, Reply: "date",
		},
	},
	Page: "https://github.com/cpicpgx/cpic-data/releases",
	Seen: "captures of pair_view, recommendation_view and guideline_summary_view, 2026-08-03; the other tables in " +
		"the publisher's schema and public clients, until 2026-09-24",
	Outlook: cpicOutlook,
	Licence: Licence{"CC0", "provided by CPIC, which asks to be cited with the guideline",
		"https://cpicpgx.org/license/"},
}

const cpicOutlook = "CPIC's service is expected to close, because its content moves to ClinPGx " +
	"(https://www.clinpgx.org/cpic); a local table that is stored stays in use"

var cpicTables = cpicSource(source("cpic_tables", "CPIC's tables", cpic.Source.Address, "gene"))

// cpicSource completes the source of the tables, which has the rate limit of CPIC's other requests.
func cpicSource(s httpclient.Source) httpclient.Source {
	s.Rate = cpic.Source.Rate
	s.Advice = func(e *httpclient.Error) string {
		if e.Outage() || e.Kind == httpclient.Unreachable || e.Status == http.StatusNotFound {
			return cpicOutlook
		}
		return ""
	}
	return s
}
