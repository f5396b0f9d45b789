package article

import (
	"slices"
	"testing"

	"biomcp/entrez/pubtator"
)

func TestAnnotationsLeadToEntities(t *testing.T) {
	groups := []pubtator.Group{
		{Type: "Chemical", Entities: []pubtator.Entity{{Identifier: "MESH:D000068877", Name: "Imatinib"}}},
		{Type: "Gene", Entities: []pubtator.Entity{{Name: "unknown"}, {Identifier: "7157;22059", Name: "p53"}, {Identifier: "673"}, {Identifier: "672"}}},
		{Type: "Disease", Entities: []pubtator.Entity{{Identifier: "MESH:D008545", Name: "Melanoma"}}},
		{Type: "Species", Entities: []pubtator.Entity{{Identifier: "9606"}}},
		{Type: "Variant", Entities: []pubtator.Entity{{Identifier: "rs113488022", Name: "V600E"}, {Identifier: "tmVar:c|SUB|A|1|C", Name: "c.1A>C"},
			{Identifier: "tmVar:p|SUB|V|600|E", Name: "p.V600E", Accession: "@VARIANT_p.V600E_BRAF_human"}}},
	}
	var got []string
	for _, line := range leads(groups) {
		got = append(got, line.String())
	}
	want := []string{"biomcp get gene 7157", "biomcp get gene 673", "biomcp get variant rs113488022", "biomcp get variant 'BRAF p.V600E'", "biomcp get disease MESH:D008545", "biomcp get drug Imatinib"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
