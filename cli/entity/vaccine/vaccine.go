// Package vaccine provides the entity of vaccines: CDC's codes with their trade names and
// manufacturers, and vaccines of the EMA and of WHO, all from local tables.
package vaccine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/cli/result"
	"biomcp/entrez/bulk"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// A hit is a vaccine. CVX is null if the source has no such codes.
type hit struct {
	Name         string              `json:"name"`
	Description  string              `json:"description"`
	CVX          *string             `json:"cvx"`
	Products     []sets.VaccineBrand `json:"products"`
	Manufacturer string              `json:"manufacturer"`
	Status       string              `json:"status"`
	Notes        string              `json:"notes"`
	Date         string              `json:"date"`
	Source       string              `json:"source"`
	AsOf         string              `json:"as_of"`
	URL          string              `json:"url"`
}

// Tables returns the data sets with vaccines.
func Tables() []*bulk.Set { return []*bulk.Set{bulk.CVX, bulk.EMA, bulk.WHOMedicines} }

// Entity returns the entity of vaccines.
func Entity() entity.Entity {
	return entity.Entity{Name: "vaccine", Search: entity.Search(entity.SearchSpec[hit]{
		Name: "vaccine", Synonyms: []string{"vaccination", "cvx", "immunization"}, Placeholder: "[query]",
		Command: command.Command{
			LocalOnly: true,
			Short:     "Find vaccines by name or maker",
			Help: command.Help{
				Purpose: "CDC's codes (CVX) with trade names and manufacturers (MVX), vaccines of the European " +
					"Union, and those that WHO has prequalified. The commands sync cvx, sync ema and sync who " +
					"store the tables; a search uses no network.",
				Input: "Words of a name, a trade name or a manufacturer.",
				Output: "One row per vaccine, with its source; the number of hits in each source, and the date " +
					"of its table.",
				Surprises: "A code stands for a kind of vaccine, which may have several products. Sources write " +
					"names differently.",
			},
			Examples: []command.Example{
				{Line: "biomcp search vaccine measles", Explanation: "vaccines against measles"},
				{Line: `biomcp search vaccine --manufacturer pfizer --source cvx`,
					Explanation: "codes with products of one manufacturer"},
			},
			Flags: func(f *command.Flags) { f.Rare("code", "manufacturer", "source") },
		},
		Source: "Vaccines", Key: "results", Label: "Vaccines", Pages: entity.Pages{Limit: 20, Max: 100},
		Filters: []entity.Filter{
			{Flag: "code", Synonyms: []string{"cvx", "cvx-code"}, Single: true, Usage: "a CVX code, such as 208"},
			{Flag: "manufacturer", Synonyms: []string{"maker", "company", "mvx", "sponsor"}, Single: true,
				Usage: "words of a manufacturer's name, or its MVX code"},
			{Flag: "source", Values: sources(), Usage: "the source of the vaccines; all if not given"},
		},
		Find: find,
		Rows: entity.Rows[hit]{
			Fields:  []string{"products name manufacturer mvx status"},
			Columns: []string{"Name", "What", "CVX", "Products", "Manufacturer", "Status", "Date", "Source"},
			Row: func(h *hit) []string {
				names := []string{}
				for _, p := range h.Products {
					name := p.Name
					if p.Status != "" && !strings.EqualFold(p.Status, h.Status) {
						name += " (" + strings.ToLower(p.Status) + ")"
					}
					names = append(names, name)
				}
				what := h.Description
				if strings.EqualFold(what, h.Name) {
					what = ""
				}
				if h.Notes != "" {
					what = strings.TrimPrefix(what+"; "+h.Notes, "; ")
				}
				return []string{h.Name, entity.Truncate(what, 120), entity.Deref(h.CVX), entity.EtAl(names, 4),
					h.Manufacturer, h.Status, h.Date, h.Source}
			},
		},
	})}
}

// sources returns "all" and the names of the tables.
func sources() []string {
	names := []string{"all"}
	for _, s := range Tables() {
		names = append(names, s.Name)
	}
	return names
}

// find searches the tables that --source selects.
func find(ctx context.Context, in *command.Input, q *entity.Query) (*entity.Page[hit], error) {
	query := table.Query{Text: q.Text}
	if m := q.Value("manufacturer"); m != "" {
		query.Conditions = append(query.Conditions, table.Condition{Fields: []string{sets.Manufacturer, sets.MVXCode}, Text: m})
	}
	code := q.Value("code")
	if code != "" { // CDC writes codes with at least two digits: 03, 208
		code = fmt.Sprintf("%02s", strings.TrimLeft(code, "0"))
	}
	var parts []local.Part[hit]
	var needed []*bulk.Set
	add := func(set *bulk.Set, query table.Query, of func(table.Record, table.Info) (hit, error)) {
		if source := q.Value("source"); source == "" || source == "all" || source == set.Name {
			parts, needed = append(parts, local.Part[hit]{Set: set, Query: query, Hit: of}), append(needed, set)
		}
	}
	codes := query
	if code != "" {
		codes.Conditions = append(codes.Conditions[:len(codes.Conditions):len(codes.Conditions)],
			table.Condition{Fields: []string{sets.CVXCode}, Text: code, Exact: true})
	}
	add(bulk.CVX, codes, ofCDC)
	if code == "" { // only CDC has codes
		eu := query
		eu.Kinds, eu.SortLast = []string{sets.MedicineKind}, sets.VeterinaryLast
		eu.Conditions = append(eu.Conditions[:len(eu.Conditions):len(eu.Conditions)],
			table.Condition{Fields: []string{sets.Class}, Text: sets.Vaccine, Exact: true})
		add(bulk.EMA, eu, ofEMA)
		query.Kinds = []string{sets.Vaccine}
		add(bulk.WHOMedicines, query, ofWHO)
	}
	if len(parts) == 0 {
		return nil, result.Invalid("--code is a CVX code, which only --source cvx has", in.LineWith("--source", "cvx")...)
	}
	a, err := local.FindInSets(ctx, in, q.Offset, q.Limit, parts...)
	if err != nil {
		return nil, err
	}
	if a.Asked == 0 {
		return nil, local.AbsentFailure("vaccines", needed...)
	}
	return &entity.Page[hit]{Hits: entity.Pointers(a.Hits), Total: a.Total, Notices: a.Notices,
		Sections: a.Sections, Effective: strings.Join(a.Counts, "; ")}, nil
}

var ofCDC = local.HitOf(func(v *sets.VaccineCode, info table.Info) hit {
	var makers []string
	for _, p := range v.Products {
		if p.Manufacturer != "" && !slices.Contains(makers, p.Manufacturer) {
			makers = append(makers, p.Manufacturer)
		}
	}
	return hit{
		Name: v.Name, Description: v.FullName, CVX: &v.CVX, Products: v.Products,
		Manufacturer: strings.Join(makers, "; "), Status: v.Status, Notes: v.Notes, Date: v.Updated,
		Source: "CDC", AsOf: local.AsOf(info),
		URL: "https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx",
	}
})

var ofEMA = local.HitOf(func(m *sets.Medicine, info table.Info) hit {
	notes := ""
	if strings.EqualFold(m.Category, sets.VeterinaryLast.Value) {
		notes = "veterinary"
	}
	return hit{
		Name: m.Name, Description: m.Substance, Notes: notes, Manufacturer: m.Holder, Status: m.Status, Date: m.Date,
		Source: "EMA", AsOf: local.AsOf(info), URL: m.URL,
	}
})

var ofWHO = local.HitOf(func(p *sets.PrequalifiedProduct, info table.Info) hit {
	notes := p.Presentation()
	if p.Basis != "" {
		notes = strings.TrimPrefix(notes+"; regulator: "+p.Basis, "; ")
	}
	return hit{
		Name: p.Name, Description: p.Type, Manufacturer: p.Applicant, Status: "Prequalified", Notes: notes,
		Date:   p.Date,
		Source: "WHO", AsOf: local.AsOf(info), URL: p.Page(),
	}
})
