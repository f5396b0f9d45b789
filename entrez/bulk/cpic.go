package bulk

import (
	"net/http"
	"net/url"
	"strings"

	"biomcp/entrez/cpic"
	"biomcp/entrez/httpclient"
)

// CPIC holds the tables of the Clinical Pharmacogenetics Implementation Consortium.
var CPIC = &Set{
	Name: "cpic", Label: "CPIC, genotypes and drugs", Source: &cpicTables,
	Stale: 90 * day, MaxBytes: 64 * mib, MaxUnpacked: 64 * mib,
	Files: []File{
		postgrest("gene", "symbol", "lookupmethod ncbiid hgncid"),
		postgrest("drug", "drugid", "name rxnormid"),
		postgrest("guideline_summary_view", "guideline_name", "guideline_url drugs"),
		postgrest("pair_view", "cpiclevel,drugname,genesymbol,pairid",
			"guidelinename guidelineurl pgxtesting pmids provisional"),
		postgrest("recommendation_view", "drugname,recommendationid", "lookupkey guidelinename guidelineurl "+
			"implications drugrecommendation classification phenotypes activityscore population comments"),
		postgrest("diplotype", "genesymbol,diplotype", "generesult totalactivityscore lookupkey"),
		postgrest("change_log", "date.desc", "").first(1),
	},
	Page: "https://github.com/cpicpgx/cpic-data/releases",
	Seen: "captures of pair_view, recommendation_view and guideline_summary_view, 2026-08-03; the other tables in " +
		"the publisher's schema and public clients, until 2026-09-24",
	Outlook: cpicOutlook,
	Licence: "CC0, provided by CPIC, which asks to be cited with the guideline (https://cpicpgx.org/license/)",
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

// postgrest describes a table that is read whole. order lists the columns that sort it, which are read too.
func postgrest(table, order, columns string) File {
	sorted := strings.ReplaceAll(strings.TrimSuffix(order, ".desc"), ",", " ")
	columns = strings.TrimSpace(sorted + " " + columns)
	return File{
		Name: table + ".json", Path: table, Form: httpclient.JSON, Order: order, Reply: columns,
		Signature: `"` + strings.Fields(columns)[0] + `"`,
		Params:    url.Values{"select": {strings.ReplaceAll(columns, " ", ",")}, "order": {order}},
	}
}

// first returns the file with its first n rows only.
func (f File) first(n int) File {
	f.Rows = n
	return f
}
