package drug

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sourcegraph/conc"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/openfda"
	"biomcp/entrez/resolve"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// approval is a regulator's record of a product, or of a procedure about one.
type approval struct {
	Region    string `json:"region"`   // us, eu, who
	Kind      string `json:"kind"`     // NDA, ANDA, BLA; medicine, referral, shortage, …; product, ingredient
	Category  string `json:"category"` // Human or Veterinary; EMA only
	Name      string `json:"name"`
	Detail    string `json:"detail"` // type of a procedure, grade of an ingredient
	Substance string `json:"substance"`
	Number    string `json:"number"`
	Status    string `json:"status"`
	Holder    string `json:"holder"`
	Date      string `json:"date"` // YYYY-MM-DD of approval, authorisation, prequalification or start of a procedure
	Source    string `json:"source"`
	Route     string `json:"route"` // live or local
	AsOf      string `json:"as_of"`
	URL       string `json:"url"`

	otherSubstance string // its substance, unless that is the requested drug alone
}

// Regions of the regulators.
const regionUS, regionEU, regionWHO = "us", "eu", "who"

var approvalColumns = []string{"Region", "Name", "Kind", "Status", "Holder", "Date", "Number"}

func (a *approval) row() []string {
	name, kind := a.Name, a.Kind
	switch {
	case strings.HasPrefix(a.Detail, a.Name):
		name = a.Detail
	case a.Detail != "":
		name += ": " + a.Detail
	}
	if a.otherSubstance != "" {
		name += " (" + a.otherSubstance + ")"
	}
	if strings.EqualFold(a.Category, "veterinary") {
		kind += ", veterinary"
	}
	return []string{a.Region, name, kind, a.Status, a.Holder, a.Date, a.Number}
}

func regulatory() entity.Section[Drug] {
	return entity.RelatedSection[Drug, approval]{
		Name: "regulatory", Synonyms: []string{"ema", "fda", "approval", "approved", "regulation", "status"},
		Label: "Regulation", Short: "FDA live, EMA and WHO from local tables", Source: "openFDA", Counted: true,
		Find: entity.FromService(findApprovals), Columns: approvalColumns, Row: (*approval).row,
	}.Section()
}

// findApprovals asks the FDA and the tables of EMA and WHO for up to --limit rows each. In an answer
// for another program --limit applies to all rows together.
func findApprovals(ctx context.Context, ask *entity.LinkRequest, d *Drug) (*entity.Answer[approval], error) {
	offset, limit := ask.Offset, ask.Limit
	whole := entity.ExportsRows(ask.Input)
	if whole {
		ask.Offset, ask.Limit = 0, entity.MaxRows
	}
	var answers [3]*local.Answer[approval]
	var fdaErr, emaErr, whoErr error
	var asking conc.WaitGroup
	asking.Go(func() {
		answers[0], fdaErr = askFDA(ctx, ask.Network, d)
	})
	asking.Go(func() { answers[1], emaErr = findInSet(ctx, ask, d, bulk.EMA, emaApproval) })
	asking.Go(func() { answers[2], whoErr = findInSet(ctx, ask, d, bulk.WHOMedicines, whoApproval) })
	asking.Wait()
	if err := cmp.Or(emaErr, whoErr); err != nil {
		return nil, err
	}
	if fdaErr != nil && answers[1].Asked+answers[2].Asked == 0 {
		return nil, fmt.Errorf("%w; %s", fdaErr, strings.Join(append(answers[1].Notices, answers[2].Notices...), "; "))
	}
	answers[0].Hits = entity.Window(answers[0].Hits, ask.Offset, ask.Limit)
	out := &entity.Answer[approval]{Total: new(0)}
	var counts, empty []string
	for _, a := range answers {
		out.Rows, out.Parts = append(out.Rows, a.Hits...), append(out.Parts, a.Sections...)
		out.Notices = append(out.Notices, a.Notices...)
		counts, empty = append(counts, a.Counts...), append(empty, a.Empty...)
		if a.Total == nil || out.Total == nil {
			out.Total, out.Degraded = nil, true
			continue
		}
		*out.Total += *a.Total
		out.Reach = max(out.Reach, min(*a.Total, openfda.MaxPage))
	}
	for i := range out.Rows {
		out.Rows[i].otherSubstance = otherSubstance(out.Rows[i].Substance, d.names())
	}
	for _, p := range out.Parts {
		out.Sources = append(out.Sources, p.Sources...)
	}
	if whole {
		out.Reach = len(out.Rows)
		out.Rows = entity.Window(out.Rows, offset, limit)
	}
	if len(empty) > 0 {
		out.Notices = append(out.Notices, emptyNotice(empty, strings.Join(d.names(), " or ")))
	}
	if len(counts) > 0 {
		out.Notices = append(out.Notices,
			"regulation of "+d.Name+" by "+strings.Join(counts, "; ")+
				"; products of substances whose names contain it are counted too")
	}
	return out, nil
}

// askFDA returns the applications for a drug, new ones first. If it fails, it returns also an answer that says so.
func askFDA(ctx context.Context, network *httpclient.Client, d *Drug) (*local.Answer[approval], error) {
	a, err := findApplications(ctx, network, openfda.Query{Names: d.names(), Limit: openfda.MaxPage})
	if err != nil {
		return &local.Answer[approval]{
			Notices: []string{"the records of FDA on " + d.Name + " are missing: " + err.Error()},
			Sections: []result.SectionSource{{
				Key: regionUS, Label: drugsFDA, Outcome: result.Unavailable, Sources: []string{openfda.Source.Label},
			}},
		}, err
	}
	generic := func(a approval) int { return len(a.Kind) } // ANDA is the longest kind
	slices.SortStableFunc(a.Hits, func(a, b approval) int {
		return cmp.Or(generic(a)-generic(b), cmp.Compare(cmp.Or(a.Date, "~"), cmp.Or(b.Date, "~")))
	})
	return a, nil
}

// findInSet asks a table of EMA or WHO.
func findInSet(ctx context.Context, ask *entity.LinkRequest, d *Drug, set *bulk.Set,
	hit func(table.Record, table.Info) (approval, error)) (*local.Answer[approval], error) {
	names := d.names()
	return local.FindInSets(ctx, ask.Input, ask.Offset, ask.Limit, local.Part[approval]{Set: set, Hit: hit,
		Query: table.Query{SortLast: sets.VeterinaryLast,
			Conditions: []table.Condition{{Fields: []string{sets.Name}, Text: names[0], Alternatives: names[1:]}}}})
}

// emptyNotice says that tables of EMA and WHO do not have a name, and which name they may have.
func emptyNotice(tables []string, name string) string {
	return "not found in " + strings.Join(tables, " or ") + ": " + command.Clip(name) + "; both list international names " +
		"(INN), which may differ: paracetamol for acetaminophen"
}

// otherSubstance returns substance, or "" if it is one of names or a salt of one. A search for a
// name finds other substances too: estradiol is part of ethinyl estradiol.
func otherSubstance(substance string, names []string) string {
	folded := resolve.Fold(substance)
	several := strings.ContainsAny(folded, ",;/") || strings.Contains(strings.ToLower(substance), " and ")
	for _, n := range names {
		if !several && strings.HasPrefix(folded, resolve.Fold(n)) {
			return ""
		}
	}
	return substance
}

// names returns the drug's name, in prose and in RxNorm's form, and the name as typed if it
// differs.
func (d *Drug) names() []string {
	names := []string{d.text()}
	for _, other := range []string{d.Name, d.typedName} {
		if other != "" && !resolve.ContainsFolded(names, other) {
			names = append(names, other)
		}
	}
	return names
}

const drugsFDA = "Drugs@FDA"

// findApplications searches Drugs@FDA.
func findApplications(ctx context.Context, network *httpclient.Client, q openfda.Query) (*local.Answer[approval], error) {
	page, err := openfda.Applications(ctx, network, q)
	if err != nil {
		return nil, err
	}
	out := &local.Answer[approval]{Total: &page.Total, Asked: 1}
	for _, a := range page.Items {
		out.Hits = append(out.Hits, approval{
			Region: regionUS, Kind: a.Kind,
			Name:      cmp.Or(strings.Join(a.Brands, ", "), strings.Join(a.Substances, ", ")),
			Substance: strings.Join(a.Substances, ", "), Number: a.Number,
			Status: strings.Join(a.Status, ", "), Holder: a.Sponsor, Date: a.Approved, Source: drugsFDA,
			Route: "live", AsOf: page.AsOf, URL: a.URL,
		})
	}
	asOf := ""
	if page.AsOf != "" {
		asOf = ", as of " + page.AsOf
	}
	out.Counts = []string{fmt.Sprintf("%s (%s, live%s): %d", drugsFDA, openfda.Source.Label, asOf, page.Total)}
	out.Sections = []result.SectionSource{{
		Key: regionUS, Label: drugsFDA, Outcome: entity.DataOrEmpty(page.Total),
		Sources: []string{openfda.Source.Label},
	}}
	return out, nil
}

var emaApproval = local.HitOf(func(m *sets.Medicine, info table.Info) approval {
	a := approval{
		Region: regionEU, Kind: m.Kind, Category: m.Category, Name: m.Name,
		Substance: cmp.Or(m.Substance, m.INN), Number: m.Number, Status: m.Status, Holder: m.Holder,
		Date: m.Date, Source: "EMA", Route: "local", AsOf: local.AsOf(info), URL: m.URL,
	}
	if m.Kind != sets.MedicineKind {
		a.Detail = m.Type
	}
	return a
})

var whoApproval = local.HitOf(func(p *sets.PrequalifiedProduct, info table.Info) approval {
	detail := ""
	if p.Kind == sets.Ingredient { // the name of a product has its form and strength
		detail = p.Form
	}
	return approval{
		Region: regionWHO, Kind: p.Kind, Name: p.Name, Detail: detail, Number: p.Reference, Status: "Prequalified",
		Holder: p.Applicant, Date: p.Date,
		Source: "WHO", Route: "local", AsOf: local.AsOf(info), URL: p.Page(),
	}
})
