// Package openfda asks openFDA (https://open.fda.gov/apis/; CC0) for what the Food and Drug
// Administration of the United States publishes of drugs: applications of Drugs@FDA, and
// reports of adverse events. FDA says that openFDA's data are not validated.
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

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/polite"
	"biomcp/entrez/record"
)

// Source is openFDA: 240 requests a minute and, without a key, 1,000 a day.
var Source = polite.Source{
	Name: "openfda", Label: "openFDA", Address: "https://api.fda.gov/",
	Rate: polite.Rate{Lane: "openfda", PerSecond: 4}, Judge: judge,
	Ping: polite.NewCall(applications, "limit", "1"), TagsOf: tagsOf,
	Uses: []polite.Use{
		{
			Path: "drug/drugsfda.json", Params: "search limit skip", Seen: "capture of openfda, 2026-08-11",
			Tags: "openfda.generic_name,openfda.substance_name,openfda.brand_name,products.brand_name,products.active_ingredients.name," +
				"openfda.pharm_class_epc,openfda.pharm_class_moa,openfda.pharm_class_pe,openfda.pharm_class_cs",
			Reply: "meta.last_updated meta.results.total results.{application_number,sponsor_name} " +
				"results.products.{brand_name,marketing_status} results.products.active_ingredients.name " +
				"results.submissions.{submission_type,submission_status,submission_status_date}",
		},
		{
			Path: "drug/event.json", Params: "search count limit", Seen: "capture of openfda, 2026-08-11",
			Tags:  "patient.drug.openfda.generic_name,patient.drug.openfda.brand_name,patient.drug.medicinalproduct,patient.reaction.reactionmeddrapt.exact",
			Reply: "meta.last_updated meta.results.total results.{term,count}",
		},
	},
	Knowns: []polite.Known{
		{
			Call: polite.NewCall(applications, "search", `products.brand_name:"GLEEVEC"`, "limit", "1"),
			Facts: []polite.Fact{{Path: "results.0.application_number"},
				{Path: "results.0.products.0.active_ingredients.0.name"}, {Path: "meta.results.total"}},
			Seen: "capture 2026-08-11", In: "search", Tag: "brand_name",
		},
		{
			Call: polite.NewCall(events, "search", `patient.drug.medicinalproduct:"gleevec"`, "count",
				"patient.reaction.reactionmeddrapt.exact", "limit", "1"),
			Facts: []polite.Fact{{Path: "results.0.term"}, {Path: "results.0.count"}}, Seen: "capture 2026-08-11",
		},
	},
}

var (
	applications = polite.Endpoint{Op: "drugsfda", Path: "drug/drugsfda.json", Form: polite.JSON,
		MaxBytes: 32 << 20, TTL: 24 * time.Hour, Needs: []string{"results.#.application_number"}}
	events = polite.Endpoint{Op: "event", Path: "drug/event.json", Form: polite.JSON, TTL: 24 * time.Hour,
		Needs: []string{"results.#"}}
)

// tagsOf are the fields that a call searches and counts.
func tagsOf(params url.Values) (tags []string) {
	for _, m := range field().FindAllStringSubmatch(params.Get("search"), -1) {
		tags = append(tags, m[1])
	}
	if count := params.Get("count"); count != "" {
		tags = append(tags, count)
	}
	return tags
}

// field is what stands before a phrase.
var field = pattern.Lazy(`([\w.]+):"[^"]*"`)

// judge knows that nothing found comes as 404 with its code.
func judge(r polite.Reply) *polite.Verdict {
	if r.Status == http.StatusNotFound && r.Says("error.code") == "NOT_FOUND" {
		return &polite.Verdict{Kind: polite.NotFound, Text: "has nothing that matches"}
	}
	return nil
}

// Query asks for applications about one of the names, of a substance or a brand, and in a
// class of drugs. Either may be empty.
type Query struct {
	Names         []string
	Class         string // as labels have it: "Kinase Inhibitor"
	Offset, Limit int    // from 1 to 1,000
}

// Application is one to market a drug. Dates are YYYY-MM-DD, "" if there is none.
type Application struct {
	Number     string // NDA021588
	Kind       string // NDA, ANDA, BLA
	Sponsor    string
	Brands     []string
	Substances []string
	Status     []string // of its products in the market: Prescription, Discontinued
	Approved   string   // when the first version was
	URL        string
}

// Page is a page of applications. AsOf is when openFDA last updated them.
type Page struct {
	Items []Application
	Total int
	AsOf  string
}

// Applications returns the applications in Drugs@FDA, in openFDA's order; none if nothing matches. The
// error is a *polite.Error.
func Applications(ctx context.Context, c *polite.Client, q Query) (*Page, error) {
	var all []string
	if terms := anyOf(q.Names, "openfda.generic_name", "openfda.substance_name", "openfda.brand_name", "products.brand_name", "products.active_ingredients.name"); terms != "" {
		all = append(all, terms)
	}
	if terms := anyOf([]string{q.Class}, "openfda.pharm_class_epc", "openfda.pharm_class_moa", "openfda.pharm_class_pe", "openfda.pharm_class_cs"); terms != "" {
		all = append(all, terms)
	}
	if len(all) == 0 {
		return nil, polite.Invalidf("there is neither a name nor a class")
	}
	call := polite.NewCall(applications, "search", strings.Join(all, " AND "), "limit", strconv.Itoa(q.Limit))
	if q.Offset > 0 {
		call.Set("skip", strconv.Itoa(q.Offset))
	}
	reply, total, err := ask(ctx, c, call)
	if err == nil && total == 0 && q.Offset > 0 { // a page past the last one is NOT_FOUND too (FDA/openfda, api/faers/api.js)
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

// ask returns a reply and its total; nothing found is 0.
func ask(ctx context.Context, c *polite.Client, call *polite.Call) (reply ncbi.Object, total int, err error) {
	reply, err = ncbi.Ask(ctx, c.To(&Source), call)
	switch total := reply.Get("meta.results.total"); {
	case polite.IsKind(err, polite.NotFound):
		return ncbi.Object{}, 0, nil
	case err == nil && total.Int() <= 0:
		return reply, 0, call.Unreadable(errors.New("it does not say how many there are"))
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
			if day := record.Hyphened(s.Text("submission_status_date")); day != "" && (a.Approved == "" || day < a.Approved) {
				a.Approved = day
			}
		}
	}
	return a
}

// Reports are reports of adverse events in which a drug is named: how many, and the
// reactions named in most of them. They are reports, not patients, of whom some are
// reported several times and most never; that a drug is named does not say that it was the
// cause, and nobody knows how many took it.
type Reports struct {
	Total     int
	Reactions []Reaction
	AsOf      string
}

// Reaction is a reaction with the number of reports that name it.
type Reaction struct {
	Term    string `json:"reaction"`
	Reports int    `json:"reports"`
}

// Events are the reports about a drug, with the most reactions that are named oftenest:
// two requests. The error is a *polite.Error.
func Events(ctx context.Context, c *polite.Client, name string, most int) (*Reports, error) {
	terms := anyOf([]string{name}, "patient.drug.openfda.generic_name", "patient.drug.openfda.brand_name",
		"patient.drug.medicinalproduct")
	reply, total, err := ask(ctx, c, polite.NewCall(events, "search", terms, "limit", "1"))
	out := &Reports{Total: total, AsOf: reply.Text("meta.last_updated")}
	if err != nil || total == 0 {
		return out, err
	}
	counts, err := ncbi.Ask(ctx, c.To(&Source), polite.NewCall(events, "search", terms, "count", "patient.reaction.reactionmeddrapt.exact", "limit", strconv.Itoa(min(most, 1000)))) // openFDA gives no more
	if err != nil && !polite.IsKind(err, polite.NotFound) {
		return nil, err
	}
	for _, r := range counts.Each("results") {
		out.Reactions = append(out.Reactions, Reaction{r.Text("term"), int(r.Get("count").Int())})
	}
	slices.SortStableFunc(out.Reactions, func(a, b Reaction) int { return cmp.Compare(b.Reports, a.Reports) })
	return out, nil
}

// anyOf is the term for one of the texts, as a phrase, in one of the fields; "" where there
// is no text (https://open.fda.gov/apis/advanced-syntax/).
func anyOf(texts []string, fields ...string) string {
	var terms []string
	for _, t := range texts {
		t = strings.Join(strings.Fields(strings.NewReplacer(`"`, " ", `\`, " ").Replace(t)), " ")
		for _, f := range fields {
			if t != "" {
				terms = append(terms, f+`:"`+t+`"`)
			}
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return "(" + strings.Join(terms, " OR ") + ")"
}
