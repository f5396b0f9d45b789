package stats

import (
	"math"
	"testing"
)

// Logarithms of p-values agree with R's, also far below the smallest float64.
func TestTailsAgreeWithR(t *testing.T) {
	r := readReference(t)
	for i, chi2 := range r.Tails.Chi2 {
		got := chiSquareTest(float64(chi2), int(r.Tails.DF[i]))
		check(t, "log p of chi-square", got.LogP, r.Tails.Chi[i])
	}
	for i, z := range r.Tails.Z {
		p, log := twoSided(float64(z))
		check(t, "log p of z", log, r.Tails.Normal[i])
		check(t, "p of z", p, number(math.Exp(float64(r.Tails.Normal[i]))))
	}
	for i, value := range r.Tails.R {
		p, log := studentP(float64(value), int(r.Tails.N[i]))
		check(t, "log p of r", log, r.Tails.Student[i])
		if log > -690 {
			check(t, "p of r", p, number(math.Exp(float64(r.Tails.Student[i]))))
		}
	}
	for i, q := range FalseDiscovery(r.Tails.P.floats()) {
		check(t, "log q", q, r.Tails.Q[i])
	}
	for _, e := range r.Extremes {
		c := e.Table.ints()
		got, err := Fisher(c[0], c[1], c[2], c[3])
		if err != nil {
			t.Fatal(err)
		}
		check(t, "log p of Fisher's test", got.LogP, e.Log[0])
		if _, log, err := FisherTable([][]int{c[:2], c[2:]}); err == nil {
			check(t, "log p of Fisher's test of any table", log, e.Log[0])
		}
	}
}

// A correlation of 1 has no p-value, because it differs from 1 by rounding alone.
func TestPointsOnALineHaveNoP(t *testing.T) {
	got, err := Correlation([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 9})
	if err != nil {
		t.Fatal(err)
	}
	if !math.IsNaN(got.RhoP) || !math.IsNaN(got.LogRhoP) {
		t.Errorf("rho is %g: want no p-value, got %g", got.Rho, got.RhoP)
	}
	if math.IsNaN(got.P) || math.IsNaN(got.LogP) {
		t.Errorf("r is %g: want a p-value", got.R.Estimate)
	}
}
