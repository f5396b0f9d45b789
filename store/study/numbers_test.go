package study

import (
	"math"
	"slices"
	"testing"
)

// covariateOf is an attribute of a study as a covariate.
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

// A patient is not what the first sample is: numbers are averaged, categories must agree.
func TestPatientsBySeveralSamples(t *testing.T) {
	s := toy(t, map[string]string{"samples.txt": "PATIENT_ID\tSAMPLE_ID\tTMB\tGRADE\nP1\tA\t2\tG1\nP1\tB\t50\tG3\nP2\tC\tNA\tG1\nP2\tD\t4\tG1\nP3\tE\t7\t\nP3\tF\t7\tG2\nP4\tG\t\t\n"})
	if c := covariateOf(t, s, "TMB"); !slices.Equal(c.Numbers[:3], []float64{26, 4, 7}) || !math.IsNaN(c.Numbers[3]) || c.Several != 1 {
		t.Errorf("%+v", c)
	}
	c := covariateOf(t, s, "GRADE")
	if !slices.Equal(c.Of, []int{-2, 0, 1, -1}) || c.why(0) != "samples with different values of GRADE" || c.why(1) != "" || c.why(3) != "no value of GRADE" {
		t.Errorf("%+v", c)
	}
}
