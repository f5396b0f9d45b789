package stats

import (
	"errors"
	"math"
	"testing"
)

func TestCoxAgreesWithR(t *testing.T) {
	for i, r := range readReference(t).Models {
		var columns [][]float64
		for _, x := range r.X {
			columns = append(columns, x.floats())
		}
		var strata []int
		if len(r.Strata) > 0 {
			strata = r.Strata.ints()
		}
		m, err := Cox(observations(r.Time, r.Event), columns, strata)
		if err != nil {
			t.Fatalf("model %d: %v", i, err)
		}
		for j, term := range m.Terms {
			if term.Infinite || term.Aliased {
				t.Fatalf("model %d: %+v", i, term)
			}
			check(t, "coefficient", term.Coef, r.Coef[j])
			check(t, "standard error", term.SE, r.SE[j])
			check(t, "hazard ratio", term.HR.Estimate, number(math.Exp(float64(r.Coef[j]))))
			check(t, "lower limit", term.HR.Low, r.Low[j])
			check(t, "upper limit", term.HR.High, r.High[j])
			check(t, "p", term.P, r.P[j])
		}
		check(t, "likelihood without", m.Likelihood[0], r.Likelihood[0])
		check(t, "likelihood", m.Likelihood[1], r.Likelihood[1])
		checkTest(t, "likelihood ratio", m.Ratio, r.Ratio)
		checkTest(t, "Wald", m.Wald, r.Wald)
		checkTest(t, "score", m.Score, r.Score)
		var terms [][]int
		for _, columns := range r.Terms {
			terms = append(terms, columns.ints())
		}
		each, all := m.ProportionalHazards(terms)
		for j, test := range append(each, all) {
			if math.IsNaN(float64(r.PhP[j])) {
				if !math.IsNaN(test.P) {
					t.Errorf("model %d: proportional hazards %+v", i, test)
				}
				continue
			}
			checkTest(t, "proportional hazards", test, numbers{r.PhChi2[j], r.PhDF[j], r.PhP[j]})
		}
	}
}

func TestCoxNamesAnInfiniteCoefficient(t *testing.T) {
	var obs []Obs
	var group, rare, age []float64
	for i := range 400 {
		event := i%3 == 0 && i%2 == 0
		obs = append(obs, Obs{float64(1 + (i*7)%90), event})
		group = append(group, float64(i%2)) // no event in group 1
		rare = append(rare, map[bool]float64{true: 1}[i == 1 || i == 5])
		age = append(age, float64(40+(i*13)%50))
	}
	for what, x := range map[string][][]float64{"half": {age, group}, "two of 400": {age, rare}, "in large units": {age, times(group, 1e6)}} {
		m, err := Cox(obs, x, nil)
		if err != nil {
			t.Fatal(what, err)
		}
		got := m.Terms[1]
		if !got.Infinite || got.HR.Estimate != 0 || !math.IsNaN(got.HR.High) || !math.IsNaN(got.P) {
			t.Errorf("%s: %+v", what, got)
		}
		if a := m.Terms[0]; a.Infinite || !(a.P > 0 && a.P < 1) {
			t.Errorf("%s: the other covariate is %+v", what, a)
		}
		if !(m.Ratio.P < 1) || !math.IsNaN(m.Wald.P) {
			t.Errorf("%s: ratio %+v, Wald %+v", what, m.Ratio, m.Wald)
		}
		if _, all := m.ProportionalHazards([][]int{{0}, {1}}); !math.IsNaN(all.P) {
			t.Errorf("%s: proportional hazards %+v", what, all)
		}
	}
	m, err := Cox([]Obs{{1, true}, {2, true}, {3, false}, {4, false}}, [][]float64{{1, 1, 0, 0}}, nil)
	if err != nil || !m.Terms[0].Infinite || !math.IsInf(m.Terms[0].HR.Estimate, 1) {
		t.Errorf("%+v, %v", m, err)
	}
}

func times(v []float64, f float64) []float64 {
	out := make([]float64, len(v))
	for i := range v {
		out[i] = v[i] * f
	}
	return out
}

func TestCoxLeavesOutAnAliasedCovariate(t *testing.T) {
	r := readReference(t).Models[2]
	age, sex := r.X[0].floats(), r.X[1].floats()
	constant, twice := make([]float64, len(age)), times(age, 2)
	m, err := Cox(observations(r.Time, r.Event), [][]float64{age, constant, twice, sex}, nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "age", m.Terms[0].Coef, r.Coef[0])
	check(t, "sex", m.Terms[3].Coef, r.Coef[1])
	for _, j := range []int{1, 2} {
		if !m.Terms[j].Aliased || !math.IsNaN(m.Terms[j].HR.Estimate) {
			t.Errorf("column %d: %+v", j, m.Terms[j])
		}
	}
	each, all := m.ProportionalHazards([][]int{{0}, {1}, {2}, {3}})
	check(t, "proportional hazards of sex", each[3].P, r.PhP[1])
	check(t, "proportional hazards", all.P, r.PhP[2])
	if !math.IsNaN(each[1].P) {
		t.Errorf("a constant has %+v", each[1])
	}
}

func TestCoxWithoutAnswer(t *testing.T) {
	two := []Obs{{1, true}, {2, true}}
	for what, c := range map[string]struct {
		obs  []Obs
		x    [][]float64
		want error
	}{
		"no events":      {[]Obs{{1, false}, {2, false}}, [][]float64{{0, 1}}, ErrNoEvents},
		"constant":       {two, [][]float64{{1, 1}}, ErrCovariate},
		"one subject":    {two[:1], [][]float64{{1}}, ErrCovariate},
		"missing value":  {two, [][]float64{{1, math.NaN()}}, ErrMissing},
		"infinite value": {two, [][]float64{{1, math.Inf(1)}}, ErrMissing},
		"no covariate":   {two, nil, ErrShape},
		"short column":   {two, [][]float64{{1}}, ErrShape},
	} {
		if _, err := Cox(c.obs, c.x, nil); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", what, err)
		}
	}
}
