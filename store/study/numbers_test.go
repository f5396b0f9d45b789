package study

import (
	"maps"
	"math"
	"slices"
	"testing"

	"biomcp/store/study/stats"
)

// followUpOf returns the overall survival of a study.
func followUpOf(t testing.TB, s *Study) *FollowUp {
	t.Helper()
	e, err := s.Endpoint("os")
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.FollowUp(e)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Two columns of one file win over columns of different files.
func TestEndpointOfOneFile(t *testing.T) {
	samples := "PATIENT_ID\tSAMPLE_ID\tOS_MONTHS\tOS_STATUS\nP1\tA\t5\t1:DECEASED\n"
	for patients, event := range map[string]bool{"PATIENT_ID\tOS_STATUS\nP1\t0:LIVING\n": true, "PATIENT_ID\tOS_STATUS\tOS_MONTHS\nP1\t0:LIVING\t5\n": false} {
		if f := followUpOf(t, toy(t, map[string]string{"patients.txt": patients, "samples.txt": samples})); f.Obs[0] != (stats.Obs{Time: 5, Event: event}) {
			t.Errorf("%q: %+v", patients, f)
		}
	}
}

// Time and status of a patient come from one sample: the first in the file with both.
func TestFollowUpIsOfOneSample(t *testing.T) {
	s := toy(t, map[string]string{
		"patients.txt": "PATIENT_ID\tAGE\nP9\t50\n",
		"samples.txt": "PATIENT_ID\tSAMPLE_ID\tOS_MONTHS\tOS_STATUS\n" +
			"P1\tA1\t5\tNA\nP1\tA2\tNA\t0:LIVING\nP1\tA3\t51\t1:DECEASED\nP1\tA4\t52\t1:DECEASED\n" + // A3
			"P2\tB1\t5\tNA\nP2\tB2\tNA\t1:DECEASED\n" + // no sample has both
			"P3\tC1\tNA\t1:DECEASED\nP3\tC2\t-1\t1:DECEASED\n" +
			"P4\tD1\t7\t0:LIVING\nP4\tD2\tNA\tNA\nP4\tD3\t7\t0:LIVING\n",
	})
	f := followUpOf(t, s)
	if !slices.Equal(f.Reason, []string{"", BadStatus, BadTime, "", BadTime}) || f.Obs[0] != (stats.Obs{Time: 51, Event: true}) || f.Obs[3] != (stats.Obs{Time: 7}) || f.Conflicts != 1 {
		t.Errorf("%+v", f)
	}
}

// covariateOf returns an attribute of a study as a covariate.
func covariateOf(t *testing.T, s *Study, id string) Covariate {
	t.Helper()
	a, err := s.Attribute(id)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.Covariate(a)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A patient does not simply get the first sample's value: numbers are averaged, categories must agree.
func TestPatientsBySeveralSamples(t *testing.T) {
	s := toy(t, map[string]string{"samples.txt": "PATIENT_ID\tSAMPLE_ID\tTMB\tGRADE\nP1\tA\t2\tG1\nP1\tB\t50\tG3\nP2\tC\tNA\tG1\nP2\tD\t4\tG1\nP3\tE\t7\t\nP3\tF\t7\tG2\nP4\tG\t\t\n"})
	if c := covariateOf(t, s, "TMB"); !slices.Equal(c.Numbers[:3], []float64{26, 4, 7}) || !math.IsNaN(c.Numbers[3]) || c.Source.AveragedPatients != 1 {
		t.Errorf("%+v", c)
	}
	c := covariateOf(t, s, "GRADE")
	if !slices.Equal(c.Category, []int{-2, 0, 1, -1}) || c.exclusionReason(0) != "samples with different values of GRADE" || c.exclusionReason(1) != "" || c.exclusionReason(3) != "no value of GRADE" {
		t.Errorf("%+v", c)
	}
}

// For an attribute of type NUMBER, a bound joins a group only if it certainly belongs there. Without
// a type it is a category like any other.
func TestBoundsOfNumbers(t *testing.T) {
	rows := "PATIENT_ID\tAGE\nP1\t>89\nP2\t<= 18\nP3\tUnknown\nP4\t40\nP5\tNA\n"
	header := "#a\ta\n#a\ta\n#STRING\tNUMBER\n#1\t1\n"
	c := covariateOf(t, toy(t, map[string]string{"patients.txt": header + rows}), "AGE")
	want := map[int]Bound{0: {">89", math.Nextafter(89, 90), true}, 1: {"<= 18", 18, false}}
	if c.Numbers == nil || !maps.Equal(c.Source.Bounds, want) || c.Source.NonNumeric != 1 || c.Source.LastNonNumeric != "Unknown" || c.Numbers[3] != 40 || c.exclusionReason(0) == "" {
		t.Errorf("%+v", c)
	}
	if c = covariateOf(t, toy(t, map[string]string{"patients.txt": rows}), "AGE"); !slices.Equal(c.Names, []string{"<= 18", "40", ">89", "Unknown"}) {
		t.Errorf("%+v", c)
	}
	samples := "#a\ta\ta\n#a\ta\ta\n#STRING\tSTRING\tNUMBER\n#1\t1\t1\nPATIENT_ID\tSAMPLE_ID\tX\nP1\tA\t>89\nP1\tB\t>89\nP2\tC\t>89\nP2\tD\t80\nP3\tE\t<9\nP3\tF\tNA\nP4\tG\t<9\nP4\tH\t>9\n"
	c = covariateOf(t, toy(t, map[string]string{"samples.txt": samples}), "X")
	if n := c.Source; len(n.Bounds) != 2 || n.Bounds[0].Text != ">89" || n.Bounds[2].Text != "<9" || n.NonNumeric != 3 || n.Values[1] != 80 || n.AveragedPatients != 0 {
		t.Errorf("%+v", n)
	}
}
