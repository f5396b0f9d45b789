package sets

import (
	"maps"
	"slices"
	"testing"
)

// Without the data sets, the tables in the program give other names. English words, short aliases
// and symbols of several genes are not genes; a term that is also a heading is its gene only if
// the heading is a chemical.
func TestOtherNamesWithoutDataSets(t *testing.T) {
	wantHeadings := map[string]string{
		"heart attack": "Myocardial Infarction", "Paracetamol": "Acetaminophen", "COPD": "Pulmonary Disease, Chronic Obstructive",
		"ACE inhibitor": "Angiotensin-Converting Enzyme Inhibitors",
	}
	wantGenes := map[string]string{"HER2": "ERBB2", "HER-2": "ERBB2", "p53": "TP53", "PARK2": "PRKN", "GBA": "GBA1", "IL-6": "IL6", "CD117": "KIT"}
	terms := slices.Concat(slices.Collect(maps.Keys(wantHeadings)), slices.Collect(maps.Keys(wantGenes)),
		[]string{"CAT", "REST", "LARGE", "not", "NOT", "her2x", "MRI", "AIP1", "CADASIL", "myocardial infarction", "of", "",
			"who", "aids", "tens", "stem", "retinal", "treatment", "after treatment", "T4", "T3", "Q10", "M1"})
	headings, genes, err := OtherNames(t.Context(), nil, terms)
	if err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(headings, wantHeadings) {
		t.Errorf("headings: got %v, want %v", headings, wantHeadings)
	}
	got := map[string]string{}
	for term, all := range genes {
		got[term] = all[0]
	}
	if !maps.Equal(got, wantGenes) {
		t.Errorf("genes: got %v, want %v", got, wantGenes)
	}
	if !slices.Contains(genes["p53"], "LFS1") || slices.Contains(genes["HER2"], "NGL") {
		t.Errorf("want LFS1 for p53, and for HER2 no symbol of three letters; got %v, %v", genes["p53"], genes["HER2"])
	}
}
