package skills

import (
	"slices"
	"strings"
	"testing"
)

// An absent feature never becomes a present one, and a diplotype no part of a drug's name.
func TestAbsentFeaturesAndGenotypes(t *testing.T) {
	for question, want := range map[string]string{
		"which diseases have arachnodactyly and ectopia lentis but not cleft palate": "search disease --features|arachnodactyly, ectopia lentis, no cleft palate",
		"which diseases have seizures and ataxia without fever":                      "search disease --features|seizures, ataxia, no fever",
		"does CYP2D6 *4/*4 change the dose of amitriptyline":                         "get drug amitriptyline|--genotype|CYP2D6 *4/*4",
		"dose of clopidogrel for CYP2C19 *2/*2":                                      "get drug clopidogrel|--genotype|CYP2C19 *2/*2",
		"dose of amitriptyline for CYP2C19 *1/*2 and CYP2D6 *4/*4":                   "get drug amitriptyline|--genotype|CYP2C19 *1/*2; CYP2D6 *4/*4",
		"is the drug dofetilide interacting with verapamil":                          "get drug dofetilide interactions --with verapamil",
	} {
		m, _ := Route(question, testHere)
		got := strings.Join(m[0].Commands[0], " ")
		for text := range strings.SplitSeq(want, "|") {
			if !strings.Contains(got, text) {
				t.Errorf("%q: got %q, want %q", question, got, text)
			}
		}
		if i := slices.Index(m[0].Commands[0], "--genotype"); i >= 0 && !slices.Contains(m[0].Commands[0], "pgx") {
			t.Errorf("%q: got %q, want the section pgx", question, got)
		}
	}
}
