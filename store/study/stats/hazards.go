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
// It ignores aliased columns and keeps infinite coefficients at infinity. If no column remains, or the variance is singular, every test is NaN.
func (m *CoxModel) ProportionalHazards(terms [][]int) (perTerm []Test, all Test) {
	var finite []int // indexes in m.columns
	position := map[int]int{}
	for a, j := range m.columns {
		if t := m.Terms[j]; !t.Infinite && !t.Aliased {
			position[j] = len(finite)
			finite = append(finite, a)
		}
	}
	perTerm = make([]Test, len(terms))
	rank, u, v := m.timeScore(finite)
	for t, columns := range terms {
		var extra []int
		for _, j := range columns {
			if a, ok := position[j]; ok {
				extra = append(extra, a)
			}
		}
		perTerm[t] = timeTest(u, v, rank, extra)
	}
	every := make([]int, rank)
	for a := range every {
		every[a] = len(finite) + a
	}
	return perTerm, timeTest(u, v, rank, every)
}

// timeScore returns the score and the information, at (β, 0), of a model that consists of the
// rank directions with a finite estimate, then the columns finite multiplied by g(t), then the
// directions multiplied by g(t). All are zero if there is no such direction.
func (m *CoxModel) timeScore(finite []int) (rank int, u *mat.VecDense, v *mat.SymDense) {
	if m.basis == nil {
		return 0, nil, nil
	}
	rank, p := m.basis.Dims()
	// Row by row, t maps the columns and the columns multiplied by g(t) to the result.
	size := 2*rank + len(finite)
	t := mat.NewDense(size, 2*p, nil)
	t.Slice(0, rank, 0, p).(*mat.Dense).Copy(m.basis)
	t.Slice(size-rank, size, p, 2*p).(*mat.Dense).Copy(m.basis)
	for j, a := range finite {
		t.Set(rank+j, p+a, 1)
	}
	g := m.data.transform()
	all, square := mat.NewVecDense(2*p, nil), mat.NewDense(2*p, 2*p, nil)
	for e := range m.data.deaths(m.data.beta) {
		at := g(e.time)
		for j := range p {
			all.SetVec(p+j, all.AtVec(p+j)+at*e.score.AtVec(j))
			for k := range p {
				i := e.information.At(j, k)
				square.Set(j, k, square.At(j, k)+i)
				square.Set(j, p+k, square.At(j, p+k)+at*i)
				square.Set(p+j, k, square.At(p+j, k)+at*i)
				square.Set(p+j, p+k, square.At(p+j, p+k)+at*at*i)
			}
		}
	}
	u = mat.NewVecDense(size, nil)
	u.MulVec(t, all)
	var left, both mat.Dense
	left.Mul(t, square)
	both.Mul(&left, t.T())
	v = mat.NewSymDense(size, nil)
	for j := range size {
		for k := j; k < size; k++ {
			v.SetSym(j, k, both.At(j, k))
		}
	}
	return rank, u, v
}

// timeTest tests the columns extra of g(t)·x in a model with p directions of x.
func timeTest(u *mat.VecDense, v *mat.SymDense, p int, extra []int) Test {
	failed := Test{math.NaN(), len(extra), math.NaN(), math.NaN()}
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
