package disease

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"biomcp/cli/command"
	"biomcp/cli/entity"
	"biomcp/cli/entity/local"
	"biomcp/entrez/bulk"
	"biomcp/entrez/disease"
	"biomcp/entrez/medgen"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

// addFromTables adds the diseases whose MONDO id or name is in the local table of ClinGen or GenCC. It makes no
// request, and returns the other names. A name with several MONDO ids is among these.
func addFromTables(ctx context.Context, in *command.Input, names []string, out *entity.Found[Disease]) (rest []string,
	err error) {
	records := map[string]*Disease{} // names of one disease share its record
	for _, w := range names {
		d, origin, err := fromTables(ctx, in, w)
		switch {
		case err != nil:
			return nil, err
		case d == nil:
			rest = append(rest, w)
			continue
		case records[d.ID()] == nil:
			records[d.ID()] = &Disease{Disease: d}
			out.Notices = append(out.Notices, fmt.Sprintf("%s (%s) is from %s; MedGen was not asked, so its CUI is not known",
				d.Name, d.ID(), origin))
		}
		out.Add(w, records[d.ID()])
		if !slices.Contains(out.Sources, origin) {
			out.Sources = append(out.Sources, origin)
		}
	}
	if len(rest) > 0 && len(out.Records) > 0 {
		out.Sources = append(out.Sources, source)
		out.Notices = append(out.Notices, "not in the local tables of ClinGen and GenCC, so MedGen was asked: "+
			command.Abbreviate(rest))
	}
	return rest, nil
}

// fromTables returns the disease with a MONDO id or a name in the first table that has it, and its origin. It returns
// nil if no table has it or the name has several MONDO ids.
func fromTables(ctx context.Context, in *command.Input, word string) (*disease.Disease, string, error) {
	field := sets.ConditionField
	if id, _, ok := medgen.ParseID(word); ok && strings.HasPrefix(id, "MONDO:") {
		word, field = id, sets.DiseaseID
	}
	for _, set := range []*bulk.Set{bulk.ClinGen, bulk.GenCC} {
		found, err := local.Find(ctx, in.App, set, table.Query{Kinds: []string{sets.ValidityKind}, Limit: entity.MaxRows,
			Conditions: []table.Condition{{Fields: []string{field}, Text: word, Exact: true}}})
		if table.IsAbsent(err) {
			continue
		}
		if err != nil {
			return nil, "", err
		}
		var d *disease.Disease
		for _, r := range found.Records {
			v, err := local.Read[sets.Validity](r)
			switch {
			case err != nil:
				return nil, "", err
			case !strings.HasPrefix(v.DiseaseID, "MONDO:"), d != nil && d.ID() != v.DiseaseID:
				return nil, "", nil
			case d == nil:
				d = &disease.Disease{Name: v.Disease, XRefs: disease.XRefs{MONDO: []string{v.DiseaseID}},
					URL: "https://purl.obolibrary.org/obo/" + strings.Replace(v.DiseaseID, ":", "_", 1)}
			}
		}
		if d != nil {
			return d, local.Origin(set, found.Info), nil
		}
	}
	return nil, "", nil
}
