// Package cpic is a client of the Clinical Pharmacogenetics Implementation Consortium, which
// publishes pairs of genes and drugs (https://api.cpicpgx.org, a PostgREST; CC0).
package cpic

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// Source describes CPIC, which states no rate limit.
var Source = httpclient.Source{
	Name: "cpic", Label: "CPIC", Address: "https://api.cpicpgx.org/v1/",
	Rate: httpclient.Rate{Group: "cpic", PerSecond: 3}, Ping: httpclient.NewCall(pairs, "limit", "1"),
	Advice: advise,
	Dependencies: []httpclient.Dependency{{Path: "pair_view", Params: "genesymbol drugname drugid cpiclevel limit",
		Reply:    "genesymbol drugname cpiclevel provisional pgxtesting guidelinename guidelineurl pmids",
		Evidence: "capture of cpic, 2026-08-03"}},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: httpclient.NewCall(pairs, "drugname", "eq.clopidogrel", "genesymbol", "eq.CYP2C19"),
			Facts: []httpclient.Fact{{Path: "0.genesymbol", Value: "CYP2C19"}, {Path: "0.drugname", Value: "clopidogrel"},
				{Path: "0.cpiclevel"}}, Evidence: "capture 2026-08-03; public clients, until 2026-09-24",
		}}
	},
}

// advise names the successor. Pages of cpicpgx.org redirect to clinpgx.org (kg-registry issue 708), and
// CPIC's API was down in July 2025 (cpicpgx/cpic-data issue 47).
func advise(e *httpclient.Error) string {
	if !e.Outage() && e.Kind != httpclient.Unreachable && e.Status != http.StatusNotFound {
		return ""
	}
	return "CPIC is being folded into ClinPGx, which has its guidelines: https://www.clinpgx.org/cpic"
}

var pairs = httpclient.Endpoint{Op: "pair_view", Path: "pair_view", Form: httpclient.JSON, MaxBytes: 4 << 20,
	TTL: 7 * 24 * time.Hour, Needs: []string{"#.genesymbol"}}

// Pair is a gene and a drug whose effect may depend on it. Level is from A (the genetic result
// should change the prescription) to D; a provisional level may change.
type Pair struct {
	Gene         string   `json:"gene"`
	Drug         string   `json:"drug"`
	Level        string   `json:"cpic_level"`
	Provisional  bool     `json:"provisional"`
	Testing      *string  `json:"fda_label"` // what the United States label states on testing
	Guideline    *string  `json:"guideline"`
	GuidelineURL *string  `json:"guideline_url"`
	PMIDs        []string `json:"pmids"` // PMIDs of the guideline
	URL          string   `json:"url"`
}

// GenePage returns the address of CPIC's page of a gene.
func GenePage(symbol string) string {
	return "https://cpicpgx.org/gene/" + strings.ToLower(symbol) + "/"
}

// A Filter selects pairs. Empty members select all.
type Filter struct{ Gene, Drug, RxCUI, Level string }

// ByGene returns the pairs of a gene symbol, as [Find] does.
func ByGene(ctx context.Context, c *httpclient.Client, symbol string) ([]Pair, error) {
	return Find(ctx, c, Filter{Gene: symbol})
}

// ByDrug returns the pairs of a drug by its name or else by its RxCUI, which may be "", as [Find] does. CPIC
// calls valproate valproic acid.
func ByDrug(ctx context.Context, c *httpclient.Client, name, rxcui string) ([]Pair, error) {
	pairs, err := Find(ctx, c, Filter{Drug: name})
	if err != nil || len(pairs) > 0 || rxcui == "" {
		return pairs, err
	}
	return Find(ctx, c, Filter{RxCUI: rxcui})
}

// Find returns the pairs that match a filter, the highest level first. The list may be empty. The
// error is a *httpclient.Error.
func Find(ctx context.Context, c *httpclient.Client, f Filter) ([]Pair, error) {
	call := httpclient.NewCall(pairs)
	filter := func(column, value string) {
		if value != "" {
			call.Set(column, "eq."+value)
		}
	}
	filter("genesymbol", f.Gene)
	filter("drugname", strings.ToLower(f.Drug))
	filter("cpiclevel", f.Level)
	if f.RxCUI != "" {
		filter("drugid", "RxNorm:"+f.RxCUI)
	}
	reply, err := ncbi.GetJSON(ctx, c.Service(&Source), call)
	if err != nil {
		return nil, err
	}
	var out []Pair
	for _, p := range reply.Each("@this") {
		gene := p.Text("genesymbol")
		out = append(out, Pair{
			Gene: gene, Drug: p.Text("drugname"), Level: p.Text("cpiclevel"),
			Provisional: p.Get("provisional").Bool(), Testing: p.TextOrNil("pgxtesting"),
			Guideline: p.TextOrNil("guidelinename"), GuidelineURL: p.TextOrNil("guidelineurl"), PMIDs: p.Texts("pmids"),
			URL: GenePage(gene),
		})
	}
	slices.SortStableFunc(out, func(a, b Pair) int { return cmp.Compare(a.Level, b.Level) })
	return out, nil
}
