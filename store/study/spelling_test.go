package study

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Values that differ in case and blanks alone are one, written as most rows write it.
func TestSpellingsOfOneValue(t *testing.T) {
	values := []string{"male", "Male", "", "MALE", "Male", "Female", "female ", "Stage  I", "stage I", "Other"}
	notices := mergeSpellings("SEX", values)
	equal(t, "values", strings.Join(values, "|"), "Male|Male||Male|Male|Female|Female|Stage  I|Stage  I|Other")
	equal(t, "notices", strings.Join(notices, "; "), "SEX: Female is one value, written Female, female ; "+
		"SEX: Male is one value, written Male, male, MALE; SEX: Stage  I is one value, written Stage  I, stage I")
	if got := mergeSpellings("X", []string{"a", "b", ""}); got != nil {
		t.Errorf("want no notices, got %q", got)
	}
	s := toy(t, map[string]string{
		"patients.txt": "PATIENT_ID\tSEX\nP1\tmale\nP2\tMALE\nP3\tMALE\n",
		"samples.txt":  "PATIENT_ID\tSAMPLE_ID\tKIND\nP1\tP1-A\tprimary\nP1\tP1-B\tPrimary\nP2\tP2-A\tPrimary\nP3\tP3-A\tMet\n",
	})
	for id, want := range map[string]string{"SEX": "[MALE] [0 0 0]", "KIND": "[Met Primary] [1 1 0]"} {
		a, err := s.Attribute(id)
		noError(t, err)
		g, err := s.GroupByAttribute(a)
		noError(t, err)
		equal(t, id, fmt.Sprint(g.Names, " ", g.Group), want)
	}
	equal(t, "number of notices", len(s.MergedValues()), 2)
}

func TestNaturalOrder(t *testing.T) {
	for _, want := range [][]string{
		{"3", "4", "10", "unknown"}, {"Grade 3", "grade 4", "Grade 10"},
		{"Stage I", "Stage IA", "Stage IB", "Stage II", "Stage IIIA", "Stage IIIB", "Stage IV", "Stage IX", "Stage X"},
		{"T1", "T1a", "T2", "T10"}, {"I", "II", "III", "IV", "V"}, {"Black", "Mixed", "White"},
	} {
		got := slices.Clone(want)
		slices.Reverse(got)
		got, _ = Categories(got)
		equal(t, "order", strings.Join(got, ", "), strings.Join(want, ", "))
	}
	for list, want := range map[string]bool{
		"Stage I,Stage II,Stage IV": true, "G1,G2": true, "1 metastasis,2 metastasis": true, "I,II,III": true,
		"Stage I": false, "Male,Female": false, "Stage I,Grade 2": false, "Stage I,unknown": false, "": false,
	} {
		equal(t, list, Ordered(strings.Split(list, ",")), want)
	}
}
