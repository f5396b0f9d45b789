// Package openfda is a client of openFDA (https://open.fda.gov/apis/; CC0), which publishes data of
// the United States Food and Drug Administration about drugs: applications of Drugs@FDA, reports of
// adverse events, notices of shortage and recalls. FDA states that openFDA's data are not validated.
//
//	found, err := openfda.Applications(ctx, client, openfda.Query{Names: []string{"imatinib"}, Limit: 10})
package openfda

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// Source describes openFDA. It allows 240 requests a minute and, without a key, 1,000 a day.
var Source = httpclient.Source{
	Name: "openfda", Label: "openFDA", Address: "https://api.fda.gov/",
	Rate: httpclient.Rate{Group: "openfda", PerSecond: 4}, CheckReply: judge,
	Ping: httpclient.NewCall(applications, "limit", "1"), TagsOf: tagsOf,
	Dependencies: []httpclient.Dependency{
		{
			Path: "drug/drugsfda.json", Params: "search limit skip", Evidence: "capture of openfda, 2026-08-11",
			Tags: "openfda.generic_name,openfda.substance_name,openfda.brand_name,products.brand_name," +
				"products.active_ingredients.name," +
				"openfda.pharm_class_epc,openfda.pharm_class_moa,openfda.pharm_class_pe,openfda.pharm_class_cs",
			Reply: "meta.last_updated meta.results.total results.{application_number,sponsor_name} " +
				"results.products.{brand_name,marketing_status} results.products.active_ingredients.name " +
				"results.submissions.{submission_type,submission_status,submission_status_date}",
		},
		{
			Path: "drug/event.json", Params: "search count limit", Evidence: "capture of openfda, 2026-08-11",
			Tags: "patient.drug.openfda.generic_name,patient.drug.openfda.brand_name," +
				"patient.drug.medicinalproduct,patient.reaction.reactionmeddrapt.exact",
			Reply: "meta.last_updated meta.results.total results.{term,count}",
		},
		{
			Path: "drug/shortages.json", Params: "search limit",
			Evidence: "public clients, 2026: the fields and 1,594 notices on 2026-09-30",
			Tags:     "generic_name,proprietary_name,openfda.generic_name,openfda.substance_name,openfda.brand_name",
			Reply: "meta.last_updated meta.results.total results.{package_ndc,generic_name,proprietary_name," +
				"company_name,presentation,status,availability,shortage_reason,therapeutic_category,resolved_note," +
				"update_date,initial_posting_date,discontinued_date,related_info} " +
				"results.openfda.{generic_name,substance_name,brand_name}",
		},
		{
			Path: "drug/enforcement.json", Params: "search sort limit", Evidence: "public clients, 2026: the fields",
			Tags: "openfda.generic_name,openfda.substance_name,openfda.brand_name,product_description",
			Reply: "meta.last_updated meta.results.total results.{recall_number,event_id,report_date," +
				"recall_initiation_date,center_classification_date,termination_date,classification,status," +
				"voluntary_mandated,recalling_firm,reason_for_recall,product_description,product_quantity,code_info," +
				"distribution_pattern} results.openfda.{generic_name,substance_name,brand_name}",
		},
	},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{
			{
				Call: httpclient.NewCall(applications, "search", `products.brand_name:"GLEEVEC"`, "limit", "1"),
				Facts: []httpclient.Fact{{Path: "results.0.application_number"},
					{Path: "results.0.products.0.active_ingredients.0.name"}, {Path: "meta.results.total"}},
				Evidence: "capture 2026-08-11", TagParam: "search", Tag: "brand_name",
			},
			{
				Call: httpclient.NewCall(events, "search", `patient.drug.medicinalproduct:"gleevec"`, "count",
					"patient.reaction.reactionmeddrapt.exact", "limit", "1"),
				Facts: []httpclient.Fact{{Path: "results.0.term"}, {Path: "results.0.count"}}, Evidence: "capture 2026-08-11",
			},
			{
				Call: httpclient.NewCall(shortages, "search", `generic_name:"methotrexate"`, "limit", "1"),
				Facts: []httpclient.Fact{{Path: "results.0.company_name"}, {Path: "results.0.status"},
					{Path: "results.0.update_date"}, {Path: "meta.results.total"}},
				Evidence: "public clients, 2026; not seen", TagParam: "search", Tag: "generic_name",
			},
			{
				Call: httpclient.NewCall(enforcement, "search", `product_description:"metformin"`, "sort",
					"report_date:desc", "limit", "1"),
				Facts: []httpclient.Fact{{Path: "results.0.recall_number"}, {Path: "results.0.classification"},
					{Path: "results.0.report_date"}, {Path: "meta.results.total"}},
				Evidence: "public clients, 2026; not seen", TagParam: "search", Tag: "product_description",
			},
			{
				Call:    httpclient.NewCall(applications, "search", `products.brand_name:"NOTADRUG"`, "limit", "1"),
				Refusal: httpclient.NotFound, Evidence: "public clients, 2026: HTTP 404 with an error in JSON",
			},
		}
	},
}

var (
	applications = httpclient.Endpoint{Op: "drugsfda", Path: "drug/drugsfda.json", Form: httpclient.JSON,
		MaxBytes: 32 << 20, TTL: 24 * time.Hour, Needs: []string{"results.#.application_number"}}
	events = httpclient.Endpoint{Op: "event", Path: "drug/event.json", Form: httpclient.JSON, TTL: 24 * time.Hour,
		Needs: []string{"results.#"}}
)

// tagsOf returns the fields that a call searches and counts.
func tagsOf(params url.Values) (tags []string) {
	for _, m := range field().FindAllStringSubmatch(params.Get("search"), -1) {
		tags = append(tags, m[1])
	}
	if count := params.Get("count"); count != "" {
		tags = append(tags, count)
	}
	return tags
}

// field matches a field and its phrase.
var field = pattern.Lazy(`([\w.]+):"[^"]*"`)

// judge recognizes the code NOT_FOUND, which comes with status 404 if nothing matches.
func judge(r httpclient.Reply) *httpclient.Verdict {
	if r.Status == http.StatusNotFound && r.JSONField("error.code") == "NOT_FOUND" {
		return &httpclient.Verdict{Kind: httpclient.NotFound, Text: "found no match"}
	}
	return nil
}

// MaxPage is the maximum number of records in a reply (https://open.fda.gov/apis/paging/).
const MaxPage = 1000

// Query selects applications. It matches the names of a substance or brand and a class of drugs;
// either may be empty, but not both.
type Query struct {
	Names         []string
	Class         string // as written on labels: "Kinase Inhibitor"
	Offset, Limit int    // Limit is from 1 to MaxPage
}

// Application is an application to market a drug. Dates are YYYY-MM-DD, or "" if unknown.
type Application struct {
	Number     string // NDA021588
	Kind       string // NDA, ANDA, BLA
	Sponsor    string
	Brands     []string
	Substances []string
	Status     []string // marketing status of its products: Prescription, Discontinued
	Approved   string   // date of the first approval
	URL        string
}

// Page is a page of applications. AsOf is the date of openFDA's last update.
type Page struct {
	Items []Application
	Total int
	AsOf  string
}

// Applications returns the applications in Drugs@FDA that match q, in openFDA's order. The page is
// empty if none matches. The error is a *httpclient.Error.
func Applications(ctx context.Context, c *httpclient.Client, q Query) (*Page, error) {
	var all []string
	names := anyOf(q.Names, "openfda.generic_name", "openfda.substance_name", "openfda.brand_name",
		"products.brand_name", "products.active_ingredients.name")
	classes := anyOf([]string{q.Class}, "openfda.pharm_class_epc", "openfda.pharm_class_moa",
		"openfda.pharm_class_pe", "openfda.pharm_class_cs")
	for _, terms := range []string{names, classes} {
		if terms != "" {
			all = append(all, terms)
		}
	}
	if len(all) == 0 {
		return nil, httpclient.Invalidf("a search requires a name or a class")
	}
	call := httpclient.NewCall(applications, "search", strings.Join(all, " AND "), "limit", strconv.Itoa(q.Limit))
	if q.Offset > 0 {
		call.Set("skip", strconv.Itoa(q.Offset))
	}
	reply, total, err := ask(ctx, c, call)
	if err == nil && total == 0 && q.Offset > 0 {
		// A page after the last one is NOT_FOUND too (FDA/openfda, api/faers/api.js).
		call.Params.Del("skip")
		call.Set("limit", "1")
		first, total, err := ask(ctx, c, call)
		return &Page{Total: total, AsOf: first.Text("meta.last_updated")}, err
	}
	if err != nil {
		return nil, err
	}
	page := &Page{Total: total, AsOf: reply.Text("meta.last_updated")}
	for _, r := range reply.Each("results") {
		page.Items = append(page.Items, application(r))
	}
	return page, nil
}

// ask returns a reply and its total, which is 0 if nothing matches.
func ask(ctx context.Context, c *httpclient.Client, call *httpclient.Call) (reply ncbi.Object, total int, err error) {
	reply, err = ncbi.GetJSON(ctx, c.Service(&Source), call)
	switch total := reply.Get("meta.results.total"); {
	case httpclient.IsKind(err, httpclient.NotFound):
		return ncbi.Object{}, 0, nil
	case err == nil && total.Int() <= 0:
		return reply, 0, call.UnreadableError(errors.New("it has no total"))
	default:
		return reply, int(total.Int()), err
	}
}

func application(r ncbi.Object) Application {
	a := Application{Number: r.Text("application_number"), Sponsor: r.Text("sponsor_name")}
	digits := strings.TrimLeft(a.Number, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	a.Kind = strings.TrimSuffix(a.Number, digits)
	a.URL = "https://www.accessdata.fda.gov/scripts/cder/daf/index.cfm?event=overview.process&ApplNo=" + digits
	add := func(list *[]string, text string) {
		if text != "" && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, p := range r.Each("products") {
		add(&a.Brands, p.Text("brand_name"))
		add(&a.Status, p.Text("marketing_status"))
		for _, i := range p.Each("active_ingredients") {
			add(&a.Substances, i.Text("name"))
		}
	}
	for _, s := range r.Each("submissions") {
		if s.Text("submission_type") == "ORIG" && s.Text("submission_status") == "AP" {
			day := record.HyphenateDate(s.Text("submission_status_date"))
			if day != "" && (a.Approved == "" || day < a.Approved) {
				a.Approved = day
			}
		}
	}
	return a
}

// Reports holds the number of adverse event reports that name a drug and the reactions most often
// named in them. They count reports, not patients: some patients are reported several times and
// most never. A report does not state that the drug was the cause, and the number of people who
// took the drug is unknown.
type Reports struct {
	Total     int
	Reactions []Reaction
	AsOf      string
}

// Reaction is a reaction and the number of reports that name it.
type Reaction struct {
	Term    string `json:"reaction"`
	Reports int    `json:"reports"`
}

// Events returns the reports about a drug with at most maxReactions of its most frequent reactions.
// It makes two requests. The error is a *httpclient.Error.
func Events(ctx context.Context, c *httpclient.Client, name string, maxReactions int) (*Reports, error) {
	terms := anyOf([]string{name}, "patient.drug.openfda.generic_name", "patient.drug.openfda.brand_name",
		"patient.drug.medicinalproduct")
	reply, total, err := ask(ctx, c, httpclient.NewCall(events, "search", terms, "limit", "1"))
	out := &Reports{Total: total, AsOf: reply.Text("meta.last_updated")}
	if err != nil || total == 0 {
		return out, err
	}
	limit := strconv.Itoa(min(maxReactions, MaxPage))
	counts, err := ncbi.GetJSON(ctx, c.Service(&Source), httpclient.NewCall(events, "search", terms,
		"count", "patient.reaction.reactionmeddrapt.exact", "limit", limit))
	if err != nil && !httpclient.IsKind(err, httpclient.NotFound) {
		return nil, err
	}
	for _, r := range counts.Each("results") {
		out.Reactions = append(out.Reactions, Reaction{r.Text("term"), int(r.Get("count").Int())})
	}
	slices.SortStableFunc(out.Reactions, func(a, b Reaction) int { return cmp.Compare(b.Reports, a.Reports) })
	return out, nil
}

// combining separates the ingredients in RxNorm's name of a combination.
const combining = " / "

// anyOf returns the search for any of the texts, as a phrase, in any of the fields. The ingredients of a
// combination, separated as in RxNorm, may be in any order. It returns "" if there is no text
// (https://open.fda.gov/apis/advanced-syntax/).
func anyOf(texts []string, fields ...string) string {
	var terms []string
	for _, t := range texts {
		t = strings.Join(strings.Fields(strings.NewReplacer(`"`, " ", `\`, " ").Replace(t)), " ")
		for _, f := range fields {
			if parts := strings.Split(t, combining); len(parts) > 1 {
				all := f + `:"` + strings.Join(parts, `" AND `+f+`:"`) + `"`
				terms = append(terms, "("+all+")")
			} else if t != "" {
				terms = append(terms, f+`:"`+t+`"`)
			}
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}
