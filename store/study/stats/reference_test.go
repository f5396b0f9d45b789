package stats

import (
	"encoding/json"
	"math"
	"os"
	"testing"
)

// number is a number in testdata/reference.json, null if it is undefined in R.
type number float64

func (n *number) UnmarshalJSON(b []byte) error {
	switch string(b) {
	case "null":
		*n = number(math.NaN())
	case `"Inf"`:
		*n = number(math.Inf(1))
	default:
		return json.Unmarshal(b, (*float64)(n))
	}
	return nil
}

type numbers []number

func (n numbers) floats() []float64 {
	f := make([]float64, len(n))
	for i, v := range n {
		f[i] = float64(v)
	}
	return f
}

func (n numbers) ints() []int {
	f := make([]int, len(n))
	for i, v := range n {
		f[i] = int(v)
	}
	return f
}

func observations(time, event numbers) []Obs {
	obs := make([]Obs, len(time))
	for i := range obs {
		obs[i] = Obs{float64(time[i]), event[i] == 1}
	}
	return obs
}

type reference struct {
	Curves []struct {
		Time, Event, Tau, At, Risk, Events, Censored, Survival, Low, High, Median, Follow, Rmean numbers
	}
	Tests []struct {
		Time, Event, Group, Strata, Observed, Expected, Plain, Stratified, Trend numbers
		StratifiedObserved                                                       numbers `json:"stratified_observed"`
		StratifiedExpected                                                       numbers `json:"stratified_expected"`
		StratifiedTrend                                                          numbers `json:"stratified_trend"`
	}
	Models []struct {
		Time, Event, Strata, Coef, SE, P, Low, High, Likelihood, Ratio numbers
		X, Terms                                                       []numbers
		PhChi2                                                         numbers `json:"ph_chi2"`
		PhDF                                                           numbers `json:"ph_df"`
		PhP                                                            numbers `json:"ph_p"`
	}
	Fishers []struct{ Table, P, Odds numbers }
	Tables  []struct {
		Table                  []numbers
		Fisher, Chi2, V, Least numbers
	}
	Wilcoxons []struct {
		X, Y, U, P, Shift numbers
		Exact             []bool
	}
	Kruskals []struct {
		Groups []numbers
		H      numbers
	}
	Quantiles   struct{ Values, Of, Is numbers }
	Adjusted    struct{ P, Q numbers }
	Proportions struct{ K, N, Low, High numbers }
	Tails       struct{ Chi2, DF, Chi, Z, Normal, R, N, Student, P, Q numbers }
	Welches     []struct{ X, Y, T numbers }
	Anovas      []struct {
		Groups []numbers
		F      numbers
	}
	Spearmans []struct{ X, Y, S numbers }
	Betas     struct{ A, B, X, Log numbers }
	Extremes  []struct {
		Table numbers
		Log   numbers
	}
}

func readReference(t *testing.T) reference {
	t.Helper()
	b, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(b, &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// same reports whether two numbers agree to a relative difference of 1e-9. Zero agrees with
// numbers below 1e-12, and NaN with NaN.
func same(got, want float64) bool {
	switch {
	case math.IsNaN(want):
		return math.IsNaN(got)
	case math.IsInf(want, 0) || want == 0:
		return got == want || want == 0 && math.Abs(got) < 1e-12
	}
	return math.Abs(got-want) <= 1e-9*math.Abs(want)
}

func check(t *testing.T, what string, got float64, want number) {
	t.Helper()
	if !same(got, float64(want)) {
		t.Errorf("%s is %.17g, R has %.17g", what, got, float64(want))
	}
}

func checkInterval(t *testing.T, what string, got Interval, want numbers) {
	t.Helper()
	check(t, what, got.Estimate, want[0])
	check(t, what+" lower limit", got.Low, want[1])
	check(t, what+" upper limit", got.High, want[2])
}

func checkTest(t *testing.T, what string, got Test, want numbers) {
	t.Helper()
	check(t, what+" chi-square", got.Chi2, want[0])
	check(t, what+" degrees of freedom", float64(got.DF), want[1])
	check(t, what+" p", got.P, want[2])
}
