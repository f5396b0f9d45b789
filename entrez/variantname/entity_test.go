package variantname

import (
	"fmt"
	"testing"
)

// An entity that is not one variant is recognised by its form. No name of a variant, a gene or
// anything else has such a form.
func TestEntitiesAreReadByTheirForm(t *testing.T) {
	for text, want := range map[string]string{
		"EML4-ALK":                           "1 EML4::ALK",
		"EML4::ALK":                          "1 EML4::ALK",
		"BCR–ABL1 fusion":                    "1 BCR::ABL1",
		"EWSR1/FLI1":                         "1 EWSR1::FLI1",
		"NPM1-ALK fusions":                   "1 NPM1::ALK",
		"HTT CAG":                            "2 HTT CAG",
		"FMR1 CGG repeat expansion":          "2 FMR1 CGG",
		"C9orf72 GGGGCC repeats":             "2 C9orf72 GGGGCC",
		"HTT (CAG)n":                         "2 HTT CAG",
		"22q11.2":                            "3 22q11.2",
		"xp22.31":                            "3 Xp22.31",
		"22q11.2 deletion":                   "4 22q11.2 deletion",
		"22q11.2 microdeletion syndrome":     "4 22q11.2 microdeletion",
		"del(5q)":                            "4 5q deletion",
		"del(22)(q11.2)":                     "4 22q11.2 deletion",
		"15q11-q13 duplication":              "4 15q11-q13 duplication",
		"NC_000022.11:18899999:2600000:":     "5 22:18900000-21499999",
		"chr22:18919478-21459713x1":          "5 22:18919478-21459713",
		"GRCh37 chr22:18919478-21459713 del": "5 22:18919478-21459713",
		"NC_000022.11:g.(?_18900000)_(21500000_?)del":               "5 22:18900000-21500000",
		"NC_000022.11:g.(18900000_18950000)_(21500000_21600000)dup": "5 22:18900000-21600000",
		"NC_000022.11:g.18900000_21500000del":                       "5 22:18900000-21500000",
		"APOE e4":                                                   "6 APOE ε4",
		"APOE ε2":                                                   "6 APOE ε2",
		"APOE4":                                                     "6 APOE ε4",
		"apoe-E3":                                                   "6 APOE ε3",
		"BRAF":                                                      "", "BRAF V600E": "", "PD-L1": "", "HLA-DRB1": "", "MT-TL1": "", "IL-6": "", "COVID-19": "",
		"rs113488022": "", "m.3243A>G": "", "NC_000007.14:g.140753336A>T": "", "NC_000007.14:140753335:A:T": "",
		"c.1799T>A": "", "CYP2C19*2": "", "22q": "3 22q", "chr7:140753336-140753340": "", "Marfan syndrome": "",
		"NC_000007.14:g.140753336_140753337delinsAA": "", "APOE": "", "APOE R136C": "", "NC_000099.1:g.1_100000del": "",
	} {
		got := ""
		if e, ok := ReadEntity(text); ok {
			got = fmt.Sprint(int(e.Kind), " ", e.Name)
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// An allele of APOE has a base at each of two positions.
func TestAllelesOfAPOE(t *testing.T) {
	for text, want := range map[string]string{
		"APOE e2": "[rs429358 T rs7412 T]", "APOE e3": "[rs429358 T rs7412 C]", "APOE e4": "[rs429358 C rs7412 C]",
	} {
		e, ok := ReadEntity(text)
		if got := fmt.Sprint(e.Alleles); !ok || got != want {
			t.Errorf("%s: got %s, %v, want %s", text, got, ok, want)
		}
	}
}
