package stats

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// ProportionalHazards tests whether the hazard ratios of a model are constant over time.
// terms[t] lists the columns of a term (a category of k levels has k−1). It returns one test
// for each term and one of all columns together. This is the score test of Grambsch and
// Therneau (Biometrika 1994; 81:515) against coefficients that change with 1 − S(t−), where S
// is the Kaplan-Meier estimate of all subjects. As in cox.zph of R's survival since version
// 3.0, it does not use their approximation of a constant variance.
//
// It ignores aliased columns and treats columns with an infinite coefficient as fixed. If no
// column remains, or the variance is singular, every test is NaN.
func (m *CoxModel) ProportionalHazards(terms [][]int) (perTerm []Test, all Test) {
	var finite []int // indexes in kept
	position := map[int]int{}
	for a, j := range m.columns {
		if !m.Terms[j].Infinite {
			position[j] = len(finite)
			finite = append(finite, a)
		}
	}
	perTerm = make([]Test, len(terms))
	u, v := m.timeScore(finite)
	for t, columns := range terms {
		var extra []int
		for _, j := range columns {
			if a, ok := position[j]; ok {
				extra = append(extra, a)
			}
		}
		perTerm[t] = timeTest(u, v, len(finite), extra)
	}
	every := make([]int, len(finite))
	for a := range every {
		every[a] = a
	}
	return perTerm, timeTest(u, v, len(finite), every)
}

// timeScore returns the score of the model with some of its columns added a second time,
// multiplied by g(t), and the information, at (β, 0). Both are nil without columns.
func (m *CoxModel) timeScore(columns []int) (*mat.VecDense, *mat.SymDense) {
	p := len(columns)
	if p == 0 {
		return nil, nil
	}
	g := m.data.transform()
	u, v := mat.NewVecDense(2*p, nil), mat.NewSymDense(2*p, nil)
	for e := range m.data.deaths(m.data.beta) {
		at := g(e.time)
		for j, a := range columns {
			u.SetVec(p+j, u.AtVec(p+j)+at*e.score.AtVec(a))
			for k, b := range columns {
				i := e.information.At(a, b)
				v.SetSym(j, p+k, v.At(j, p+k)+at*i)
				if k >= j {
					v.SetSym(j, k, v.At(j, k)+i)
					v.SetSym(p+j, p+k, v.At(p+j, p+k)+at*at*i)
				}
			}
		}
	}
	return u, v
}

// timeTest tests the columns extra of g(t)·x in a model with all p columns of x.
func timeTest(u *mat.VecDense, v *mat.SymDense, p int, extra []int) Test {
	failed := Test{math.NaN(), len(extra), math.NaN()}
	if u == nil || len(extra) == 0 {
		return failed
	}
	n := p + len(extra)
	at := func(a int) int {
		if a < p {
			return a
		}
		return p + extra[a-p]
	}
	uu, vv := mat.NewVecDense(n, nil), mat.NewSymDense(n, nil)
	for a := range n {
		if a >= p {
			uu.SetVec(a, u.AtVec(at(a)))
		}
		for b := a; b < n; b++ {
			vv.SetSym(a, b, v.At(at(a), at(b)))
		}
	}
	chi2, ok := quadratic(vv, uu)
	if !ok || math.IsNaN(chi2) {
		return failed
	}
	return chiSquareTest(chi2, len(extra))
}

// transform returns g(t) = 1 − S(t−), minus its mean over the events.
func (r *riskSets) transform() func(t float64) float64 {
	obs := make([]Obs, len(r.time))
	for i := range obs {
		obs[i] = Obs{r.time[i], r.event[i]}
	}
	c, _ := KaplanMeier(obs) // Cox already checked the times
	g := map[float64]float64{}
	before, mean := 1.0, 0.0
	for _, p := range c.Points {
		g[p.Time] = 1 - before
		mean += float64(p.Events) * (1 - before)
		before = p.Survival
	}
	mean /= float64(c.Events)
	return func(t float64) float64 { return g[t] - mean }
}
