package clinvartable_test

import (
	"testing"

	"biomcp/store/clinvartable"
)

// The files in testdata were written on 2026-11-28. They have two versions of two variants, one of them on two
// chromosomes, and four submissions. A later program must still open them, or name another layout.
func TestOlderFileIsRead(t *testing.T) {
	tab := open(t, "testdata")
	if tab.Info.Version != 2 || tab.Info.Rows != 2 || tab.Release != "2026-11-22" || tab.Oldest != "2026-11-01" {
		t.Errorf("got version %d, %d rows, releases %s to %s", tab.Info.Version, tab.Info.Rows, tab.Oldest, tab.Release)
	}
	for _, key := range []string{clinvartable.IDKey("9"), "rs1800562", "RCV000178096", clinvartable.ChangeKey("HFE", "p.Cys282Tyr"),
		clinvartable.PlaceKey("GRCh37", "6", 26093141, "G", "A")} {
		all := find(t, tab, key)
		if len(all) != 1 || all[0].VariationID != 9 || all[0].Germline.Class != "Pathogenic" || len(all[0].Places) != 2 || len(all[0].Conditions) != 4 {
			t.Errorf("%s: got %+v, want the variant 9", key, all)
		}
	}
	y := clinvartable.Query{Limit: 1, Region: &clinvartable.Region{Assembly: "GRCh38", Chromosome: "Y", First: 21, Last: 21}}
	if page, err := tab.Search(t.Context(), y); err != nil || page.Total != 1 || page.Variants[0].VariationID != 1 || len(page.Variants[0].Places) != 2 {
		t.Errorf("on Y: got %+v, %v, want the variant 1", page, err)
	}
	changes, err := tab.ChangedSince("2026-11-01")
	want := clinvartable.Change{VariationID: 9, Before: "2026-11-01", Since: "2026-11-22", From: "Benign", To: "Pathogenic"}
	if err != nil || len(changes) == 0 || changes[0] != want {
		t.Errorf("got changes %+v, %v, want %+v", changes, err, want)
	}
	if got := findSubmissions(t, "testdata", "9"); len(got) != 3 || got[0].Submitter != "Invented Panel" || got[1].Condition != "Hemochromatosis type 1; Other; rare: kind" {
		t.Errorf("got submissions %+v, want three", got)
	}
}
