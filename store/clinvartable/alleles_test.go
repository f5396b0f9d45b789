package clinvartable_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"biomcp/store/clinvartable"
	"biomcp/store/table/sets"
)

// The stars of the germline class are not those of the oncogenicity.
func TestGermlineStars(t *testing.T) {
	tab := store(t, both(hfe...)) // two stars, and three of the oncogenicity
	for _, c := range []struct{ any, germline, want int }{{3, 0, 1}, {4, 0, 0}, {0, 2, 1}, {0, 3, 0}, {3, 2, 1}} {
		page, err := tab.Search(t.Context(), clinvartable.Query{MinStars: c.any, GermlineStars: c.germline, Limit: 1})
		if err != nil || page.Total != c.want {
			t.Errorf("%+v: got %+v, %v", c, page, err)
		}
	}
}

// Lines of another allele with the same VariationID add neither a place nor a name to the variant.
func TestAnotherAllele(t *testing.T) {
	other := line(with(hfe, "#AlleleID", "15047", "Name", "NM_000410.4(HFE):c.187C>G (p.His63Asp)", "Assembly", "GRCh38",
		"Chromosome", "6", "Start", "26090951", "Stop", "26090951", "PositionVCF", "26090951", "ReferenceAlleleVCF", "C", "AlternateAlleleVCF", "G")...)
	third := both(with(hfe, "VariationID", "11", "#AlleleID", "15049")...)
	for name, lines := range map[string]string{"adjacent": both(hfe...) + other + third, "apart": both(hfe...) + third + other} {
		dir := t.TempDir()
		info, err := tryReplace(t.Context(), dir, "2026-11-22", strings.NewReader(header+lines))
		if err != nil {
			t.Fatal(err)
		}
		tab := open(t, dir)
		if got := find(t, tab, clinvartable.PlaceKey("GRCh38", "6", 26090951, "C", "G")); len(got) != 0 {
			t.Errorf("%s: got %v at the place of the other allele, want none", name, got)
		}
		if got := find(t, tab, clinvartable.IDKey("9")); len(got) != 1 || len(got[0].Places) != 2 || info.Skipped != 1 {
			t.Errorf("%s: got %+v, %d skipped, want two places and one line", name, got, info.Skipped)
		}
	}
}

// repeated is an endless text without the end of a line.
type repeated struct{ byte }

func (r repeated) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.byte
	}
	return len(p), nil
}

// A row without an end is an error before it fills the memory.
func TestEndlessRow(t *testing.T) {
	in := io.MultiReader(strings.NewReader(header+both(hfe...)), repeated{'A'})
	_, err := tryReplace(t.Context(), t.TempDir(), "2026-11-22", in)
	if !errors.As(err, new(*sets.FormatError)) || !strings.Contains(err.Error(), "longer than 16 MB") {
		t.Errorf("got %v, want an error of the format", err)
	}
}

// A change has the key of the gene whose transcript numbers it, and not of genes that overlap it. An id of ClinGen keeps
// its zeros.
func TestKeysOfAVariant(t *testing.T) {
	tab := store(t, both(with(hfe, "GeneSymbol", "FBXO11;HFE", "OtherIDs", "OMIM:613609.0001,ClinGen:CA000895")...))
	for key, want := range map[string]int{
		clinvartable.ChangeKey("HFE", "p.Cys282Tyr"): 1, clinvartable.ChangeKey("HFE", "c.845G>A"): 1,
		clinvartable.ChangeKey("FBXO11", "p.Cys282Tyr"): 0, clinvartable.ChangeKey("FBXO11", "c.845G>A"): 0, "CA000895": 1,
	} {
		if got := find(t, tab, key); len(got) != want || want == 1 && got[0].CAID != "CA000895" {
			t.Errorf("%s: got %+v, want %d", key, got, want)
		}
	}
	renamed := store(t, both(with(hfe, "GeneSymbol", "NEWHFE")...))
	for _, gene := range []string{"HFE", "NEWHFE"} {
		if got := find(t, renamed, clinvartable.ChangeKey(gene, "p.Cys282Tyr")); len(got) != 1 {
			t.Errorf("%s: got %v, want the variant under both symbols", gene, got)
		}
	}
}

func TestSplitGenes(t *testing.T) {
	for text, want := range map[string]string{
		"BRAF": "BRAF", "FBXO11;MSH6": "FBXO11 MSH6", "": "", "subset of 145 genes: MAGEL2:SNURF:UBE3A": "MAGEL2 SNURF UBE3A",
		"covers 10 genes, none of which curated to show dosage sensitivity": "",
	} {
		if got := strings.Join(clinvartable.SplitGenes(text), " "); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
