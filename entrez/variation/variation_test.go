package variation_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"biomcp/entrez/variation"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]variation.SPDI{
		"NC_000007.14:140753335:A:T":   {"NC_000007.14", 140753335, "A", "T"},
		"NC_000007.14:140924659:CT:":   {"NC_000007.14", 140924659, "CT", ""},
		"NC_000017.11:62010660:tt:TTT": {"NC_000017.11", 62010660, "TT", "TTT"},
		"NC_000001.11:1009::T":         {"NC_000001.11", 1009, "", "T"},
	} {
		t.Run(text, func(t *testing.T) {
			if got, ok := variation.Parse(text); !ok || got != want {
				t.Errorf("%s: %+v, %v", text, got, ok)
			}
		})
	}
	for _, text := range []string{"", "NC_000007.14:g.140753336A>T", "chr7:1:A:T", "NC_000007.14:x:A:T", "NC_000007.14:1:A"} {
		t.Run(text, func(t *testing.T) {
			if got, ok := variation.Parse(text); ok {
				t.Errorf("%q is %+v", text, got)
			}
		})
	}
}

// SPDI counts from 0 and HGVS from 1, as in the service.
func TestCapturedSpellings(t *testing.T) {
	data, err := os.ReadFile("../../../shared/data/breadth/snp/hgvs_to_spdi.tsv")
	if err != nil {
		t.Skip("the captured replies are not here")
	}
	for line := range strings.Lines(string(data)) {
		hgvs, spdi, _ := strings.Cut(strings.TrimSpace(line), "\t")
		s, ok := variation.Parse(spdi)
		sequence, change, _ := strings.Cut(hgvs, ":g.")
		if !ok || s.String() != spdi {
			t.Errorf("%s: %+v", spdi, s)
		}
		if change != "" && sequence+":g."+strconv.Itoa(s.Position+1)+s.Deleted+">"+s.Inserted != hgvs {
			t.Errorf("%s is not %s", spdi, hgvs)
		}
	}
}
