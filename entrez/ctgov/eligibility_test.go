package ctgov_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/ctgov"
)

// The texts are in the styles of real records; their criteria are fictitious.
func TestSplitCriteria(t *testing.T) {
	for name, c := range map[string]struct {
		text          string
		in, out, none []string
	}{
		"markdown": {"Inclusion Criteria:\n\n1. Age \\>= 18\n2. Consent\n\nExclusion Criteria:\n\n1. Pregnancy", []string{"Age >= 18", "Consent"}, []string{"Pregnancy"}, nil},
		"nested": {"Inclusion Criteria:\n\n* A, one of:\n\n  1. x\n  2. y\n* B\n\nExclusion Criteria:\n\n* C",
			[]string{"A, one of: 1. x 2. y", "B"}, []string{"C"}, nil},
		"stray heading in a list": {"Inclusion Criteria:\n\n1. Positive, by:\n\n   1. x; OR\n\n      Exclusion Criteria:\n   2. y\n2. B\n\nExclusion Criteria:\n\n1. C",
			[]string{"Positive, by: 1. x; OR Exclusion Criteria: 2. y", "B"}, []string{"C"}, nil},
		"headings in a list":  {"* INCLUSION CRITERIA:\n  * A\n  * B\n* EXCLUSION CRITERIA:\n  * C", []string{"A", "B"}, []string{"C"}, nil},
		"bold":                {"**Key Inclusion Criteria**\n\n- A\n\n**Key Exclusion Criteria**\n\n- C", []string{"A"}, []string{"C"}, nil},
		"old indented":        {"        Inclusion Criteria:\n\n          -  A\n             continued\n\n          -  B\n\n        Exclusion Criteria:\n\n          -  C", []string{"A continued", "B"}, []string{"C"}, nil},
		"one word":            {"Inclusion:\n\nA\n\nB\n\nExclusion:\n\nC", []string{"A", "B"}, []string{"C"}, nil},
		"French":              {"Inclusion criteria\n\n- A\n\nNon-inclusion criteria\n\n- C", []string{"A"}, []string{"C"}, nil},
		"non inclusion":       {"Criteria for inclusion:\n- A\nCriteria for non inclusion:\n- C", []string{"A"}, []string{"C"}, nil},
		"one paragraph":       {"Inclusion Criteria: adults with A. Exclusion Criteria: pregnancy; C", []string{"adults with A."}, []string{"pregnancy; C"}, nil},
		"cohorts":             {"Inclusion Criteria (Part A):\n\n* A\n\nExclusion Criteria (Part A):\n\n* C\n\nInclusion Criteria (Part B):\n\n* B", []string{"A", "B"}, []string{"C"}, nil},
		"part first":          {"Cohort 1 - Inclusion Criteria\n* A\nCohort 1 - Exclusion Criteria\n* C", []string{"A"}, []string{"C"}, nil},
		"sentence":            {"Subjects must meet all of the following inclusion criteria:\n* A\nSubjects meeting any of the following exclusion criteria will not take part:\n* C", []string{"A"}, []string{"C"}, nil},
		"eligible if":         {"Patients are eligible if:\n* A\nPatients are not eligible if:\n* C", []string{"A"}, []string{"C"}, nil},
		"ineligible":          {"Eligible:\n* A\nIneligible:\n* C", []string{"A"}, []string{"C"}, nil},
		"no heading":          {"Healthy adults\n\nNo smokers", nil, nil, []string{"Healthy adults", "No smokers"}},
		"of both":             {"Inclusion and Exclusion Criteria:\n* A\n* C", nil, nil, []string{"A", "C"}},
		"eligibility":         {"Eligibility Criteria:\n* A\n\nExclusion Criteria:\n* C", nil, []string{"C"}, []string{"A"}},
		"old cancer protocol": {"DISEASE CHARACTERISTICS:\n\n* A\n\nExclusion criteria:\n\n* C\n\nPATIENT CHARACTERISTICS:\n\n* B", nil, []string{"C"}, []string{"A", "B"}},
		"no heading though it names one": {"Inclusion Criteria:\n\n1. Meets all inclusion criteria of the parent study\n2. Has no exclusion criteria\n3. Laboratory tests include:\n\n   * A\n4. B",
			[]string{"Meets all inclusion criteria of the parent study", "Has no exclusion criteria", "Laboratory tests include: • A", "B"}, nil, nil},
		"full width colon": {"Inclusion Criteria：\n\n* A\n\nExclusion Criteria：\n\n* C", []string{"A"}, []string{"C"}, nil},
		"capitals in part": {"INCLUSION CRITERIA:\n\n* A\n\nLABORATORY VALUES:\n\n* B", []string{"A", "LABORATORY VALUES:", "B"}, nil, nil},
		"nothing":          {"", nil, nil, nil},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if got := ctgov.SplitCriteria(c.text); !slices.Equal(got.Inclusion, c.in) || !slices.Equal(got.Exclusion, c.out) || !slices.Equal(got.Other, c.none) {
				t.Errorf("%s:\n%q\n%q\n%q", name, got.Inclusion, got.Exclusion, got.Other)
			}
		})
	}
}

// Each word of the text occurs at most once in the criteria.
func FuzzSplitCriteria(f *testing.F) {
	f.Add("Inclusion Criteria:\n\n1. Age \\>= 18\n\n   * nested\n\nExclusion Criteria: none")
	f.Add("* a\n\tb\n Eligibility:\nExcluded if:\nc. Exclusion criteria: d")
	f.Fuzz(func(t *testing.T, text string) {
		c := ctgov.SplitCriteria(text)
		kept := strings.Join(slices.Concat(c.Inclusion, c.Exclusion, c.Other), " ")
		if n, most := len(strings.Fields(kept)), len(strings.Fields(text))+2*strings.Count(text, ".")+2*strings.Count(text, ";")+2*strings.Count(text, ")"); n > most {
			t.Errorf("%d words of %d", n, most)
		}
		for _, item := range slices.Concat(c.Inclusion, c.Exclusion, c.Other) {
			if strings.ContainsAny(item, "\n\r\t") {
				t.Errorf("%q", item)
			}
		}
	})
}
