package variant

import (
	"slices"
	"testing"

	"biomcp/entrez/variantname"
)

func TestNumberOfVariantsSaysWhose(t *testing.T) {
	for vcv, want := range map[string]string{"": "NC_1 is 2 variants of dbSNP", "VCV000000001": "NC_1 is 2 variants of ClinVar"} {
		t.Run(vcv, func(t *testing.T) {
			l := &lookup{}
			l.explain(&wanted{Name: variantname.Name{Kind: variantname.Sequence, Word: "NC_1"}}, []*Variant{{VCV: vcv}, {VCV: vcv}}, "GRCh38")
			if !slices.Equal(l.notices, []string{want}) {
				t.Errorf("%q", l.notices)
			}
		})
	}
}
