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
		checkTest(t, "likelihood ratio", chiSquareTest(2*(m.Likelihood[1]-m.Likelihood[0]), len(m.columns)), r.Ratio)
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
		t.Run(what, func(t *testing.T) {
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
			if !(m.Likelihood[1] > m.Likelihood[0]) {
				t.Errorf("%s: likelihood %v", what, m.Likelihood)
			}
			if each, all := m.ProportionalHazards([][]int{{0}, {1}}); !(all.P > 0 && all.P <= 1) || all.DF != 1 || !math.IsNaN(each[1].P) {
				t.Errorf("%s: proportional hazards %+v", what, all)
			}
		})
	}
	m, err := Cox([]Obs{{1, true}, {2, true}, {3, false}, {4, false}}, [][]float64{{1, 1, 0, 0}}, nil)
	if err != nil || !m.Terms[0].Infinite || !math.IsInf(m.Terms[0].HR.Estimate, 1) {
		t.Errorf("%+v, %v", m, err)
	}
}

// A category whose only member dies first of 1,500, and one without events, do not affect the other
// terms. The numbers come from R 4.2.2 with survival 3.5-3:
//
//	n <- 1500; i <- 0:(n-1); t <- (i*7919)%%n+1; e <- as.numeric(i%%3<2); g <- i%%2; age <- 40+(i*37)%%41
//	first <- as.numeric(t==1); none <- as.numeric(i%%300==2)
//	m <- coxph(Surv(t,e)~g+age+first+none, control=coxph.control(eps=1e-13, iter.max=60))
//	print(summary(m)$coefficients, digits=16); print(cox.zph(m, transform="km", terms=FALSE)$table, digits=14)
//
// R gives NA for the last two terms.
func TestCoxWithRareCategories(t *testing.T) {
	const n = 1500
	var obs []Obs
	columns := make([][]float64, 4)
	for i := range n {
		at := (i*7919)%n + 1
		obs = append(obs, Obs{float64(at), i%3 < 2})
		for j, v := range []float64{float64(i % 2), float64(40 + (i*37)%41), oneIf(at == 1), oneIf(i%300 == 2)} {
			columns[j] = append(columns[j], v)
		}
	}
	m, err := Cox(obs, columns, nil)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if !(math.Abs(got/want-1) < 1e-7) {
			t.Errorf("%s is %.17g, R has %.17g", what, got, want)
		}
	}
	for j, want := range []struct{ coef, se, p float64 }{
		{-0.0126667388708354544, 0.063319329947062603, 0.8414450970383534}, {-0.0002981926916451886, 0.002681074193198993, 0.9114408216887774},
	} {
		near("coefficient", m.Terms[j].Coef, want.coef)
		near("standard error", m.Terms[j].SE, want.se)
		near("p", m.Terms[j].P, want.p)
	}
	if up, down := m.Terms[2], m.Terms[3]; !up.Infinite || !math.IsInf(up.Coef, 1) || !down.Infinite || !math.IsInf(down.Coef, -1) {
		t.Errorf("%+v, %+v", up, down)
	}
	each, all := m.ProportionalHazards([][]int{{0}, {1}, {2}, {3}})
	near("proportional hazards", all.P, 0.99122822922306)
	near("proportional hazards of the first", each[0].P, 0.90289655378908)
	near("proportional hazards of the second", each[1].P, 0.96173520838574)
	if all.DF != 2 {
		t.Errorf("%+v", all)
	}
}

func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
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
		t.Run(what, func(t *testing.T) {
			if _, err := Cox(c.obs, c.x, nil); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
}
