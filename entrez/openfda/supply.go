package openfda

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/record"
)

// Disclaimer names the licence of openFDA's data and repeats FDA's warning about them
// (https://open.fda.gov/terms/).
const Disclaimer = "openFDA's data are CC0 and not validated; FDA: do not rely on openFDA to make decisions " +
	"regarding medical care"

var (
	shortages = httpclient.Endpoint{Op: "shortages", Path: "drug/shortages.json", Form: httpclient.JSON,
		MaxBytes: 64 << 20, TTL: 24 * time.Hour, Needs: []string{"results.#.status"}}
	enforcement = httpclient.Endpoint{Op: "enforcement", Path: "drug/enforcement.json", Form: httpclient.JSON,
		MaxBytes: 64 << 20, TTL: 24 * time.Hour, Needs: []string{"results.#.recall_number"}}
)

// Match tells how a record is about a drug.
type Match string

// The ways in which a record matches, the most reliable first.
const (
	MatchedFDA     Match = "openfda" // FDA identified the product, and its names are the drug's
	MatchedName    Match = "name"    // the text of the product begins with the drug's name
	MatchedMention Match = "mention" // the text contains the name; the product may be another
)

// Supply is a page of notices of shortage or of recalls. AsOf is the date of openFDA's last update, ""
// if it has no record.
type Supply[T any] struct {
	Items []T
	Total int // number of openFDA's records
	Read  int // number of them that were read
	AsOf  string
}

// Shortage is FDA's notice about the packages of a company's product that share a presentation, a
// status, an availability, a reason and a date of discontinuation. Dates are YYYY-MM-DD.
type Shortage struct {
	Generic      string   `json:"generic_name"`
	Brand        string   `json:"brand"`
	Company      string   `json:"company"`
	Presentation string   `json:"presentation"`
	Packages     []string `json:"packages"` // NDC
	Status       string   `json:"status"`   // Current, To Be Discontinued, Resolved
	Availability string   `json:"availability"`
	Reason       string   `json:"reason"`
	Categories   []string `json:"categories"`
	Updated      string   `json:"updated"` // the newest of its packages, as the next
	Posted       string   `json:"posted"`
	Discontinued string   `json:"discontinued"`
	Note         string   `json:"note"`
	Substances   []string `json:"substances"` // as FDA identified the product; empty if it did not
	Match        Match    `json:"match"`
	URL          string   `json:"url"`
}

// Recall is a recalled product in FDA's enforcement reports. Dates are YYYY-MM-DD.
type Recall struct {
	Number     string   `json:"recall_number"`
	Event      string   `json:"event_id"`
	Class      string   `json:"class"`  // Class I, the most serious, to Class III
	Status     string   `json:"status"` // Ongoing, Completed, Terminated
	Firm       string   `json:"firm"`
	Reason     string   `json:"reason"`
	Product    string   `json:"product"`
	Quantity   string   `json:"quantity"`
	Lots       string   `json:"lots"`
	Area       string   `json:"distribution"`
	Voluntary  string   `json:"voluntary"`
	Initiated  string   `json:"initiated"`
	Reported   string   `json:"reported"`
	Classified string   `json:"classified"`
	Terminated string   `json:"terminated"`
	Substances []string `json:"substances"` // as FDA identified the product; empty if it did not
	Match      Match    `json:"match"`
	URL        string   `json:"url"`
}

// Shortages returns the notices that name a drug: current ones first, each status with the newest update first. It
// makes one request. The error is a *httpclient.Error.
func Shortages(ctx context.Context, c *httpclient.Client, names []string) (*Supply[Shortage], error) {
	search := anyOf(names, "generic_name", "proprietary_name", "openfda.generic_name", "openfda.substance_name",
		"openfda.brand_name")
	found := &Supply[Shortage]{}
	records, err := found.read(ctx, c, httpclient.NewCall(shortages, "search", search), MaxPage)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		s := shortage(r, names)
		same := slices.IndexFunc(found.Items, func(o Shortage) bool { return s.key() == o.key() })
		if same < 0 {
			found.Items = append(found.Items, s)
			continue
		}
		o := &found.Items[same]
		o.Packages = append(o.Packages, s.Packages...)
		o.Updated = max(o.Updated, s.Updated)
		if s.Match == MatchedFDA && o.Match != MatchedFDA {
			o.Match, o.Substances = s.Match, s.Substances
		}
		if s.Posted != "" && (o.Posted == "" || s.Posted < o.Posted) {
			o.Posted = s.Posted
		}
	}
	slices.SortStableFunc(found.Items, func(a, b Shortage) int {
		return cmp.Or(cmp.Compare(rank(a.Match), rank(b.Match)), cmp.Compare(statusRank(a.Status), statusRank(b.Status)),
			cmp.Compare(b.Updated, a.Updated), cmp.Compare(a.Company, b.Company),
			cmp.Compare(a.Presentation, b.Presentation))
	})
	return found, nil
}

// statusRank returns the place of a status in the order of shortages. An unknown one precedes Resolved.
func statusRank(status string) int {
	switch status {
	case "Current":
		return 0
	case "To Be Discontinued":
		return 1
	case "Resolved":
		return 3
	}
	return 2
}

// key returns the values that the packages of one row share.
func (s Shortage) key() [9]string {
	return [9]string{s.Generic, s.Brand, s.Company, s.Presentation, s.Status, s.Availability, s.Reason, s.Note,
		s.Discontinued}
}

// rank returns 1 for a record that only mentions the drug, otherwise 0.
func rank(m Match) int {
	if m == MatchedMention {
		return 1
	}
	return 0
}

// ndc matches the code of a package at the end of a presentation.
var ndc = pattern.Lazy(`\s*\(NDC [0-9-]+\)\s*$`)

func shortage(r ncbi.Object, names []string) Shortage {
	s := Shortage{
		Generic: r.Text("generic_name"), Brand: r.Text("proprietary_name"), Company: r.Text("company_name"),
		Presentation: ndc().ReplaceAllString(r.Text("presentation"), ""), Packages: []string{},
		Status: r.Text("status"), Availability: r.Text("availability"), Reason: r.Text("shortage_reason"),
		Categories: listOf(r, "therapeutic_category"), Updated: isoDate(r.Text("update_date")),
		Posted: isoDate(r.Text("initial_posting_date")), Discontinued: isoDate(r.Text("discontinued_date")),
		Note: cmp.Or(r.Text("resolved_note"), r.Text("related_info")), Substances: substances(r),
		Match: matchOf(r, names, r.Text("generic_name"), r.Text("proprietary_name")),
		URL:   Source.Address + shortages.Path,
	}
	if code := r.Text("package_ndc"); code != "" {
		s.Packages, s.URL = []string{code}, s.URL+`?search=package_ndc:"`+code+`"`
	}
	return s
}

// Recalls returns recalls of products that name a drug, at most limit of them, the newest first. It
// makes one request. The error is a *httpclient.Error.
func Recalls(ctx context.Context, c *httpclient.Client, names []string, limit int) (*Supply[Recall], error) {
	search := anyOf(names, "openfda.generic_name", "openfda.substance_name", "openfda.brand_name", "product_description")
	found := &Supply[Recall]{}
	records, err := found.read(ctx, c, httpclient.NewCall(enforcement, "search", search, "sort", "report_date:desc"),
		min(limit, MaxPage))
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		found.Items = append(found.Items, Recall{
			Number: r.Text("recall_number"), Event: r.Text("event_id"), Class: r.Text("classification"),
			Status: r.Text("status"), Firm: r.Text("recalling_firm"), Reason: r.Text("reason_for_recall"),
			Product: r.Text("product_description"), Quantity: r.Text("product_quantity"), Lots: r.Text("code_info"),
			Area: r.Text("distribution_pattern"), Voluntary: r.Text("voluntary_mandated"),
			Initiated: isoDate(r.Text("recall_initiation_date")), Reported: isoDate(r.Text("report_date")),
			Classified: isoDate(r.Text("center_classification_date")), Terminated: isoDate(r.Text("termination_date")),
			Substances: substances(r), Match: matchOf(r, names, r.Text("product_description")),
			URL: Source.Address + enforcement.Path + `?search=recall_number:"` + r.Text("recall_number") + `"`,
		})
	}
	return found, nil
}

// read makes a call for at most limit records and returns them. A list that is shorter than its total
// and limit allow is an error.
func (s *Supply[T]) read(
	ctx context.Context, c *httpclient.Client, call *httpclient.Call, limit int,
) ([]ncbi.Object, error) {
	if call.Params.Get("search") == "" {
		return nil, httpclient.Invalidf("a search requires a name")
	}
	call.Set("limit", strconv.Itoa(limit))
	reply, total, err := ask(ctx, c, call)
	records := reply.Each("results")
	s.Total, s.Read, s.AsOf = total, len(records), reply.Text("meta.last_updated")
	if err == nil && len(records) < min(total, limit) {
		err = call.UnreadableError(fmt.Errorf("it has %d of %d records", len(records), min(total, limit)))
	}
	return records, err
}

// listOf returns the texts of a member that is a list in some records and a text in others.
func listOf(r ncbi.Object, path string) []string {
	if list := r.Texts(path); len(list) > 0 {
		return list
	}
	if one := r.Text(path); one != "" {
		return []string{one}
	}
	return []string{}
}

// substances returns the active substances by which FDA identified a product. The member openfda is
// often {}.
func substances(r ncbi.Object) []string {
	if list := listOf(r, "openfda.substance_name"); len(list) > 0 {
		return list
	}
	return listOf(r, "openfda.generic_name")
}

// matchOf tells how a record is about the drug with these names. texts describe its product.
func matchOf(r ncbi.Object, names []string, texts ...string) Match {
	for _, field := range []string{"generic_name", "substance_name", "brand_name"} {
		for _, list := range listOf(r, "openfda."+field) {
			if slices.ContainsFunc(append(splitNames(list), list), func(s string) bool { return beginsWith(s, names) }) {
				return MatchedFDA
			}
		}
		if isCombination(listOf(r, "openfda."+field), names) {
			return MatchedFDA
		}
	}
	if slices.ContainsFunc(texts, func(s string) bool { return beginsWith(s, names) || isCombination([]string{s}, names) }) {
		return MatchedName
	}
	return MatchedMention
}

// splitNames returns the parts of a name of several substances.
func splitNames(name string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(name), " and ", ","),
		func(c rune) bool { return strings.ContainsRune(",;/", c) })
}

// isCombination reports whether texts list the ingredients of a combination in names, in any order, and no others.
func isCombination(texts, names []string) bool {
	substances := splitNames(strings.Join(texts, ","))
	return slices.ContainsFunc(names, func(name string) bool {
		ingredients := strings.Split(name, combining)
		return len(ingredients) > 1 && len(ingredients) == len(substances) &&
			!slices.ContainsFunc(ingredients, func(i string) bool {
				return !slices.ContainsFunc(substances, func(s string) bool { return beginsWith(s, []string{i}) })
			})
	})
}

// beginsWith reports whether text begins with one of names, as whole words: "IMATINIB MESYLATE" with
// imatinib, but not "ETHINYL ESTRADIOL" with estradiol.
func beginsWith(text string, names []string) bool {
	words := record.FoldName(text) + " "
	return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(words, record.FoldName(n)+" ") })
}

// isoDate returns a date written MM/DD/YYYY or YYYYMMDD as YYYY-MM-DD, and any other text unchanged.
func isoDate(text string) string {
	for _, layout := range []string{"01/02/2006", "1/2/2006", "20060102"} {
		if day, err := time.Parse(layout, text); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}
