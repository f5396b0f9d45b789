package disease

import (
	"context"
	"slices"
	"strings"

	"biomcp/cli/entity"
	"biomcp/cli/entity/diagnostic"
	"biomcp/cli/entity/related"
	"biomcp/entrez/ctgov"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubtator"
	"biomcp/store/table"
	"biomcp/store/table/sets"
)

func idOf(d *Disease) string { return d.CUI }

// others are the sections of sources that are about no disease in particular.
func others() []entity.Section[Disease] {
	return []entity.Section[Disease]{
		related.Variants(idOf, func(d *Disease) string { return phrase(d.Name) + "[DIS]" }),
		diagnostic.Section(idOf, func(d *Disease) diagnostic.Wanted {
			return diagnostic.Wanted{Term: phrase(d.CUI) + "[DCUI]", Where: table.Where{Fields: []string{sets.CUI}, Text: d.CUI, Exact: true}}
		}),
		related.Trials(func(d *Disease) (ctgov.Query, string) {
			return ctgov.Query{Condition: ctgov.Words(d.Name)}, ""
		}),
		related.Drugs(idOf, "treat", "to treat", concept),
		plain(),
	}
}

// phrase is a name as a phrase of the E-utilities.
func phrase(name string) string {
	return `"` + strings.NewReplacer(`"`, " ", "[", " ", "]", " ").Replace(name) + `"`
}

// concept is the disease in PubTator3: the one of its headings in MeSH, or of its name.
func concept(ctx context.Context, network *polite.Client, d *Disease) (string, error) {
	all, err := pubtator.Concepts(ctx, network, d.Name, 10)
	for _, c := range all {
		if c.Type == "disease" && (slices.Contains(d.XRefs.MeSH, "MESH:"+strings.TrimPrefix(c.ID, "MESH:")) || entity.Fold(c.Name) == entity.Fold(d.Name)) {
			return c.Accession, nil
		}
	}
	return "", err
}
