package entryterms

import (
	"slices"
	"strings"
	"testing"

	_ "biomcp/build/testgc"
)

func TestFind(t *testing.T) {
	for term, want := range map[string]string{
		"heart attack": "Myocardial Infarction", "Heart  Attacks": "Myocardial Infarction", "paracetamol": "Acetaminophen",
		"ACE inhibitor":         "Angiotensin-Converting Enzyme Inhibitors",
		"kidney stones":         "Kidney Calculi",
		"high blood pressure":   "Hypertension",
		"CADASIL":               "CADASIL", // the name of a heading of one word
		"myocardial infarction": "", "no such term": "", "": "", "power": "", "man": "",
	} {
		if h, ok := Find(term); h.Name != want || ok != (want != "") {
			t.Errorf("Find(%q): got %q, %v, want %q", term, h.Name, ok, want)
		}
	}
	if h, _ := Find("paracetamol"); h.Categories != "D" {
		t.Errorf("the categories of Acetaminophen: got %q, want D", h.Categories)
	}
	if !strings.HasPrefix(Version(), "MeSH 20") {
		t.Errorf("Version: got %q", Version())
	}
}

// Every entry can be found: the entries are sorted, and each has the index of a heading.
func TestEveryEntryIsFound(t *testing.T) {
	entries := load().entries
	if len(entries) < 40_000 || !slices.IsSorted(entries) {
		t.Errorf("%d entries, sorted: %v; want at least 40,000 that are sorted", len(entries), slices.IsSorted(entries))
	}
	for _, e := range entries {
		term, _, _ := strings.Cut(e, "\t")
		if h, ok := Find(term); !ok || h.Name == "" || strings.Trim(h.Categories, "ABCDEFGN") != "" {
			t.Fatalf("Find(%q): got %v, %v", term, h, ok)
		}
	}
}
