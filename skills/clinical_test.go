package skills

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// The first command for a question of a tumour board or a pharmacist reads the section that answers it.
// Of the twenty written with the rules 6 were right before them, and 17 after; of the twenty written after
// the rules 4 and 15.
func TestClinicalQuestions(t *testing.T) {
	body, err := os.ReadFile("testdata/clinical.tsv")
	if err != nil {
		t.Fatal(err)
	}
	all, right := 0, 0
	for row := range strings.Lines(string(body)) {
		if strings.HasPrefix(row, "#") {
			continue
		}
		columns := strings.Split(strings.TrimSpace(row), "\t")
		if len(columns) != 3 {
			t.Fatalf("%q: got %d columns, want 3", row, len(columns))
		}
		all++
		m, sure := Route(columns[0], testHere)
		got := m[0].Commands[0]
		line := strings.Join(got, " ")
		if sure && strings.HasPrefix(line, "get "+columns[1]) && slices.Contains(got, columns[2]) {
			right++
		} else {
			t.Logf("%q: got %s, sure %v, want get %s … %s", columns[0], line, sure, columns[1], columns[2])
		}
	}
	t.Logf("%d of %d", right, all)
	if right < 32 {
		t.Errorf("%d of %d questions are right, want at least 32", right, all)
	}
}

// A question about a drug and one genotype fills the flag of the drug's pharmacogenetics with it.
func TestGenotypeOfAQuestion(t *testing.T) {
	for text, want := range map[string]string{
		"CYP2C19 poor metaboliser clopidogrel":                               "CYP2C19 poor metabolizer",
		"What does CPIC recommend for codeine in a CYP2D6 poor metabolizer?": "CYP2D6 poor metabolizer",
		"Should a CYP2D6 Ultrarapid Metaboliser take codeine?":               "CYP2D6 ultrarapid metabolizer",
		"which dose of warfarin for CYP2C9 *2/*3":                            "CYP2C9 *2/*3",
		"Should we test DPYD before giving capecitabine?":                    "",
	} {
		m, _ := Route(text, testHere)
		got := ""
		if at := slices.Index(m[0].Commands[0], "--genotype"); at > 0 {
			got = m[0].Commands[0][at+1]
		}
		if got != want {
			t.Errorf("%q: genotype %q, want %q (%q)", text, got, want, m[0].Commands[0])
		}
		for _, w := range m[0].UnusedWords {
			if got != "" && strings.Contains(strings.ToLower(got), strings.ToLower(w)) {
				t.Errorf("%q: %q is reported as left out, want it in the genotype", text, w)
			}
		}
	}
}
