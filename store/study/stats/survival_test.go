package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestKaplanMeierAgreesWithR(t *testing.T) {
	for i, r := range readReference(t).Curves {
		obs := observations(r.Time, r.Event)
		c, err := KaplanMeier(obs)
		if err != nil {
			t.Fatal(err)
		}
		if len(c.Points) != len(r.At) {
			t.Fatalf("curve %d has %d points, R %d", i, len(c.Points), len(r.At))
		}
		for j, p := range c.Points {
			check(t, "time", p.Time, r.At[j])
			check(t, "at risk", float64(p.AtRisk), r.Risk[j])
			check(t, "events", float64(p.Events), r.Events[j])
			check(t, "censored", float64(p.Censored), r.Censored[j])
			check(t, "survival", p.Survival, r.Survival[j])
			check(t, "lower limit", p.Low, r.Low[j])
			check(t, "upper limit", p.High, r.High[j])
		}
		checkInterval(t, "median", c.Median(), r.Median)
		follow, err := MedianFollowUp(obs)
		if err != nil {
			t.Fatal(err)
		}
		checkInterval(t, "median follow-up", follow, r.Follow)
		checkInterval(t, "restricted mean", c.RestrictedMean(float64(r.Tau[0])), r.Rmean)
	}
}

func TestKaplanMeierEndsWithFollowUp(t *testing.T) {
	c, err := KaplanMeier([]Obs{{10, true}, {20, true}, {12, false}, {30, false}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		t, survival float64
		risk        int
	}{{0, 1, 4}, {9.9, 1, 4}, {10, 0.75, 4}, {12, 0.75, 3}, {20, 0.375, 2}, {30, 0.375, 1}} {
		t.Run(fmt.Sprint(want.t), func(t *testing.T) {
			p, ok := c.At(want.t)
			if !ok || p.Survival != want.survival || p.AtRisk != want.risk || p.Time != want.t {
				t.Errorf("at %g: %+v, %t", want.t, p, ok)
			}
		})
	}
	if p, ok := c.At(36); ok {
		t.Errorf("an estimate at 36, past the last follow-up: %+v", p)
	}
	if m := c.RestrictedMean(36); !math.IsNaN(m.Estimate) {
		t.Errorf("a mean up to 36: %v", m)
	}
	if n := c.AtRisk(31); n != 0 {
		t.Errorf("%d at risk at 31", n)
	}
}

func TestKaplanMeierDoesNotKeepASumOfRoundingFromTheMedian(t *testing.T) {
	// 6/7 · 5/6 · 4/5 · … · 1/2 at successive times is 0.5 up to rounding.
	obs := make([]Obs, 14)
	for i := range obs {
		obs[i] = Obs{float64(i + 1), i < 7}
	}
	c, err := KaplanMeier(obs)
	if err != nil || c.Median().Estimate != 7 {
		t.Errorf("median %v, %v", c.Median(), err)
	}
}

func TestTimesAreChecked(t *testing.T) {
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1), math.Inf(-1)} {
		obs := []Obs{{1, true}, {bad, true}}
		_, km := KaplanMeier(obs)
		_, lr := LogRank(obs, []int{0, 1}, nil)
		_, cox := Cox(obs, [][]float64{{0, 1}}, nil)
		for _, err := range []error{km, lr, cox} {
			if !errors.Is(err, ErrTime) {
				t.Errorf("time %g: %v", bad, err)
			}
		}
	}
	if _, err := KaplanMeier(nil); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
}

func TestLogRankAgreesWithR(t *testing.T) {
	for _, r := range readReference(t).Tests {
		obs := observations(r.Time, r.Event)
		plain, err := LogRank(obs, r.Group.ints(), nil)
		if err != nil {
			t.Fatal(err)
		}
		stratified, err := LogRank(obs, r.Group.ints(), r.Strata.ints())
		if err != nil {
			t.Fatal(err)
		}
		for g := range plain.Groups {
			check(t, "observed", float64(plain.Groups[g].Observed), r.Observed[g])
			check(t, "expected", plain.Groups[g].Expected, r.Expected[g])
			check(t, "stratified observed", float64(stratified.Groups[g].Observed), r.StratifiedObserved[g])
			check(t, "stratified expected", stratified.Groups[g].Expected, r.StratifiedExpected[g])
		}
		checkTest(t, "log-rank", plain.Test, r.Plain)
		checkTest(t, "stratified log-rank", stratified.Test, r.Stratified)
		trend, err := plain.Trend()
		if err != nil {
			t.Fatal(err)
		}
		checkTest(t, "trend", trend, r.Trend)
		trend, err = stratified.Trend()
		if err != nil {
			t.Fatal(err)
		}
		checkTest(t, "stratified trend", trend, r.StratifiedTrend)
	}
}

func TestLogRankPublishedValues(t *testing.T) {
	r, err := LogRank([]Obs{{5, true}, {10, true}, {15, true}, {5, false}, {10, false}, {15, false}}, []int{0, 0, 0, 1, 1, 1}, nil)
	if err != nil || !same(r.P, 0.08326451666355043) {
		t.Errorf("p %.17g, %v", r.P, err)
	}
	r, err = LogRank([]Obs{{12, true}, {24, false}}, []int{0, 1}, nil)
	if err != nil || !same(r.P, 0.31731050786291415) {
		t.Errorf("p %.17g, %v", r.P, err)
	}
}

func TestLogRankWithoutAnswer(t *testing.T) {
	two := []Obs{{1, true}, {2, true}}
	for what, c := range map[string]struct {
		obs   []Obs
		group []int
		want  error
	}{
		"no events":           {[]Obs{{1, false}, {2, false}}, []int{0, 1}, ErrNoEvents},
		"one group":           {two, []int{0, 0}, ErrOneGroup},
		"one group, numbered": {two, []int{3, 3}, ErrOneGroup},
		"never both at risk":  {[]Obs{{1, false}, {2, true}}, []int{0, 1}, ErrOneGroup},
		"group missing":       {two, []int{0}, ErrShape},
		"negative group":      {two, []int{0, -1}, ErrShape},
	} {
		t.Run(what, func(t *testing.T) {
			if _, err := LogRank(c.obs, c.group, nil); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", what, err)
			}
		})
	}
}

// The order of subjects does not matter.
func TestSurvivalDoesNotDependOnOrder(t *testing.T) {
	r := readReference(t).Models[5]
	obs, strata := observations(r.Time, r.Event), r.Strata.ints()
	x := [][]float64{r.X[0].floats(), r.X[1].floats()}
	before, err := Cox(obs, x, strata)
	if err != nil {
		t.Fatal(err)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(obs), func(i, j int) {
		obs[i], obs[j] = obs[j], obs[i]
		strata[i], strata[j] = strata[j], strata[i]
		for _, c := range x {
			c[i], c[j] = c[j], c[i]
		}
	})
	kept := slices.Clone(obs)
	after, err := Cox(obs, x, strata)
	if err != nil {
		t.Fatal(err)
	}
	for j := range x {
		if !same(after.Terms[j].Coef, before.Terms[j].Coef) {
			t.Errorf("%g, then %g", before.Terms[j].Coef, after.Terms[j].Coef)
		}
	}
	if _, err := KaplanMeier(obs); err != nil || !slices.Equal(obs, kept) {
		t.Error("the observations were changed")
	}
}
