package stats

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// LogRankTest holds a comparison of the survival of groups.
type LogRankTest struct {
	Test
	Groups     []GroupEvents // by group number
	covariance *mat.SymDense // of observed minus expected events
}

// GroupEvents holds the number of subjects of a group, its observed events, and the events
// expected if all groups had the same hazard.
type GroupEvents struct {
	N, Observed int
	Expected    float64
}

// LogRank performs the log-rank test (Mantel, Cancer Chemother Rep 1966; 50:163) of any number
// of groups, with the hypergeometric variance. group[i] is the group of subject i, counted from
// 0. strata[i] is its stratum; nil means one stratum. Observed and expected events and
// covariances are summed over strata (Klein and Moeschberger, Survival Analysis, 2003, section
// 7.5).
//
// A group without expected events is excluded from the test and its degrees of freedom. If
// fewer than two groups remain, LogRank returns ErrOneGroup; without events it returns
// ErrNoEvents. It takes n log n steps, and k² more at each event time.
func LogRank(obs []Obs, group, strata []int) (*LogRankTest, error) {
	if err := checkTimes(obs); err != nil {
		return nil, err
	}
	if len(group) != len(obs) || strata != nil && len(strata) != len(obs) || slices.Min(group) < 0 {
		return nil, ErrShape
	}
	k := slices.Max(group) + 1
	r := &LogRankTest{Groups: make([]GroupEvents, k), covariance: mat.NewSymDense(k, nil)}
	order := latestFirst(obs, strata)
	atRisk, dead := make([]float64, k), make([]float64, k)
	var n float64
	events := 0
	for i := 0; i < len(order); {
		first := order[i]
		if i > 0 && !sameStratum(strata, first, order[i-1]) {
			clear(atRisk)
			n = 0
		}
		clear(dead)
		d := 0.0
		for ; i < len(order) && sameStratum(strata, order[i], first) && obs[order[i]].Time == obs[first].Time; i++ {
			g := group[order[i]]
			r.Groups[g].N++
			atRisk[g]++
			n++
			if obs[order[i]].Event {
				dead[g]++
				d++
			}
		}
		if d > 0 {
			events += int(d)
			r.add(atRisk, dead, n, d)
		}
	}
	if events == 0 {
		return nil, ErrNoEvents
	}
	return r, r.compute()
}

// add adds one event time, at which d of n subjects at risk died.
func (r *LogRankTest) add(atRisk, dead []float64, n, d float64) {
	spread := 0.0
	if n > 1 {
		spread = d * (n - d) / (n - 1)
	}
	for g := range atRisk {
		share := atRisk[g] / n
		r.Groups[g].Observed += int(dead[g])
		r.Groups[g].Expected += d * share
		if share == 0 {
			continue
		}
		r.covariance.SetSym(g, g, r.covariance.At(g, g)+spread*share*(1-share))
		for h := g + 1; h < len(atRisk); h++ {
			r.covariance.SetSym(g, h, r.covariance.At(g, h)-spread*share*atRisk[h]/n)
		}
	}
}

// compute calculates the test from observed minus expected events. One group is redundant and
// therefore omitted.
func (r *LogRankTest) compute() error {
	var tested []int
	for g, e := range r.Groups {
		if e.Expected > 0 {
			tested = append(tested, g)
		}
	}
	if len(tested) < 2 {
		return ErrOneGroup
	}
	df := len(tested) - 1
	diff, v := mat.NewVecDense(df, nil), mat.NewSymDense(df, nil)
	for a, g := range tested[1:] {
		diff.SetVec(a, float64(r.Groups[g].Observed)-r.Groups[g].Expected)
		for b := a; b < df; b++ {
			v.SetSym(a, b, r.covariance.At(g, tested[b+1]))
		}
	}
	chi2, ok := quadratic(v, diff)
	if !ok {
		return ErrOneGroup // only one group was at risk at each event
	}
	r.Test = chiSquareTest(chi2, df)
	return nil
}

// Trend tests for a trend of the hazard along the groups (Tarone, Biometrika 1975; 62:679),
// using the group numbers as scores. The test has one degree of freedom and is meaningful only
// if the groups are ordered.
func (r *LogRankTest) Trend() (Test, error) {
	s := mat.NewVecDense(len(r.Groups), nil)
	sum := 0.0
	for g, e := range r.Groups {
		s.SetVec(g, float64(g))
		sum += float64(g) * (float64(e.Observed) - e.Expected)
	}
	variance := mat.Inner(s, r.covariance, s)
	if !(variance > 0) {
		return Test{}, ErrOneGroup
	}
	return chiSquareTest(sum*sum/variance, 1), nil
}

// quadratic returns dᵀ V⁻¹ d. ok is false if V is singular.
func quadratic(v *mat.SymDense, d *mat.VecDense) (q float64, ok bool) {
	var c mat.Cholesky
	if !c.Factorize(v) {
		return math.NaN(), false
	}
	var x mat.VecDense
	if c.SolveVecTo(&x, d) != nil {
		return math.NaN(), false
	}
	return mat.Dot(d, &x), true
}

// latestFirst returns the subjects ordered by stratum and, within a stratum, from the longest
// follow-up to the shortest, so that one pass only ever adds subjects to the risk set.
func latestFirst(obs []Obs, strata []int) []int {
	order := make([]int, len(obs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if !sameStratum(strata, a, b) {
			return cmp.Compare(strata[a], strata[b])
		}
		return cmp.Compare(obs[b].Time, obs[a].Time)
	})
	return order
}

func sameStratum(strata []int, a, b int) bool { return strata == nil || strata[a] == strata[b] }
