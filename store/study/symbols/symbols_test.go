package symbols

import (
	"slices"
	"strings"
	"testing"
)

func TestNamesOfARenamedGene(t *testing.T) {
	for symbol, want := range map[string]string{
		"MLL2": "KMT2D", "KMT2D": "MLL2", "park2": "PRKN", "PRKN": "PARK2", "FAM123B": "AMER1", "MRE11A": "MRE11",
		"WISP3": "CCN6", "FAM46C": "TENT5C", "SEPT9": "SEPTIN9", "c17orf74": "SPEM2", "H3F3A": "H3-3A",
	} {
		if got := Names(symbol); !slices.Contains(got, want) || !slices.Contains(got, strings.ToUpper(symbol)) && symbol != "c17orf74" {
			t.Errorf("Names(%q): want %s and itself, got %q", symbol, want, got)
		}
	}
	for _, symbol := range []string{"TP53", "GAPDH"} {
		if got := Names(symbol); len(got) == 0 || got[0] != symbol {
			t.Errorf("Names(%q): want itself first, got %q", symbol, got)
		}
	}
	// AK3 is the approved symbol of one gene and a previous symbol of another.
	if got := Names("AK3"); len(got) == 0 || got[0] != "AK3" {
		t.Errorf("Names(AK3): want itself first, got %q", got)
	}
	for _, symbol := range []string{"", "NOSUCHGENE", "HER2"} {
		if got := Names(symbol); got != nil {
			t.Errorf("Names(%q): want nil, got %q", symbol, got)
		}
	}
	if !strings.HasPrefix(Version(), "HGNC complete set of 20") {
		t.Errorf("Version: got %q", Version())
	}
}

// A gene is found by any symbol that belongs to it alone. An approved symbol is never that of
// another gene.
func TestFind(t *testing.T) {
	for symbol, want := range map[string]string{
		"HER2": "ERBB2", "her-2": "ERBB2", "ERBB2": "ERBB2", "AIP1": "", "p53": "TP53", "VEGF": "VEGFA", "PARK2": "PRKN",
		"AK3": "AK3", "CD117": "KIT", "nosuchgene": "", "": "",
	} {
		if g, ok := Find(symbol); g.Symbol != want || ok != (want != "") {
			t.Errorf("Find(%q): got %q, %v, want %q", symbol, g.Symbol, ok, want)
		}
	}
	if g, _ := Find("p53"); !slices.Contains(g.Aliases, "LFS1") {
		t.Errorf("want LFS1 among the aliases of p53, got %q", g.Aliases)
	}
}

func TestIsWord(t *testing.T) {
	for symbol, want := range map[string]bool{"CAT": true, "rest": true, "LARGE": true, "Not": true, "EGFR": false, "TP53": false, "": false} {
		if got := IsWord(symbol); got != want {
			t.Errorf("IsWord(%q): got %v, want %v", symbol, got, want)
		}
	}
}

// The rule of Spell gives the letter case of each approved symbol of the table.
func TestSpelling(t *testing.T) {
	n := 0
	for _, g := range load().genes {
		if got := Spell(strings.ToLower(g.Symbol)); got != g.Symbol {
			t.Errorf("Spell(%q): want %q, got %q", strings.ToLower(g.Symbol), g.Symbol, got)
		}
		n++
	}
	if n < 20000 {
		t.Errorf("want at least 20,000 symbols, got %d", n)
	}
	if got := Spell("HSPB2-C11ORF52"); got != "HSPB2-C11orf52" {
		t.Errorf("got %q", got)
	}
}
