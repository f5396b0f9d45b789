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
		"ACE inhibitor":       "Angiotensin-Converting Enzyme Inhibitors",
		"kidney stones":       "Kidney Calculi",
		"high blood pressure": "Hypertension",
		"CADASIL":             "CADASIL", // the name of a heading of one word
		"AIDS":                "Acquired Immunodeficiency Syndrome",
		"copd":                "Pulmonary Disease, Chronic Obstructive",
		"aids":                "", "who": "", "stem": "", "treatment": "", "retinal": "", "rose": "", "after treatment": "", "understanding": "",
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

// Every entry can be found: the entries are sorted, and each has the place of a heading.
func TestEveryEntryIsFound(t *testing.T) {
	entries := strings.Split(strings.TrimSuffix(load().entries, "\n"), "\n")
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

func TestFindHeading(t *testing.T) {
	for term, want := range map[string]string{
		"cancer": "Neoplasms", "prostate cancer": "Prostatic Neoplasms", "Neoplasm": "Neoplasms", "neoplasms": "Neoplasms",
		"aids": "Acquired Immunodeficiency Syndrome", "AIDS": "Acquired Immunodeficiency Syndrome", "who": "World Health Organization",
		"Elderly": "Aged", "estrogen": "Estrogens", "heart  attack": "Myocardial Infarction",
		"Infarctions, Myocardial": "Myocardial Infarction", "amphetamine": "Amphetamine", "Amphetamines": "Amphetamines",
		"treatment": "Therapeutics", "no such term": "", "": "", "|": "", " ": "", "neoplasm*": "", "heart|attack": "",
	} {
		if name, ok := FindHeading(term); name != want || ok != (want != "") {
			t.Errorf("FindHeading(%q): got %q, %v, want %q", term, name, ok, want)
		}
	}
}

// Every heading is found by its name.
func TestEveryHeadingIsFound(t *testing.T) {
	n := 0
	for line := range strings.Lines(loadHeadings()) {
		name, _, _ := strings.Cut(line, "\t")
		if n++; n%50 > 0 {
			continue
		}
		if found, ok := FindHeading(name); !ok || found != name {
			t.Errorf("FindHeading(%q): got %q, %v", name, found, ok)
		}
	}
	if n < 30_000 {
		t.Errorf("%d headings, want at least 30,000", n)
	}
}

func TestHasWord(t *testing.T) {
	for word, want := range map[string]bool{
		"smell": true, "Smells": true, "septic": true, "prime": true, "infarction": true, "agalactiae": true, "ACETAMINOPHEN": true,
		"hypertensoin": false, "ergothionene": false, "infarctio": false, "nfarction": false, "": false,
	} {
		if got := HasWord(word); got != want {
			t.Errorf("HasWord(%q): got %v, want %v", word, got, want)
		}
	}
}

func TestAmbiguousTerms(t *testing.T) {
	for term, want := range map[string]bool{
		"who": true, "WHO": true, "tens": true, "treatment": true, "retinal": true, "after treatment": true,
		"heart attack": false, "tumor": false, "": false, "no such term": false,
	} {
		if got := IsAmbiguous(term); got != want {
			t.Errorf("IsAmbiguous(%q): got %v, want %v", term, got, want)
		}
	}
}

func TestSearchLine(t *testing.T) {
	const lines = "B\t1\na\t2\naa\t3\nb\t4\n"
	for prefix, want := range map[string]string{"B\t": "B\t1", "a\t": "a\t2", "aa\t": "aa\t3", "b\t": "b\t4", "A\t": "", "ab\t": "", "c\t": ""} {
		if got, ok := searchLine(lines, prefix); ok != (want != "") || ok && got != want {
			t.Errorf("searchLine(%q): got %q, %v, want %q", prefix, got, ok, want)
		}
	}
}
