package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A CoxModel is a fitted proportional hazards model.
type CoxModel struct {
	N, Events  int
	Terms      []CoxTerm  // in the order of the columns
	Likelihood [2]float64 // log partial likelihood without and with the covariates

	data    *riskSets
	columns []int // fitted columns
}

// A CoxTerm describes one covariate. HR is the hazard ratio for an increase by one unit.
type CoxTerm struct {
	Coef, SE float64
	HR       Interval
	P        float64 // from the Wald test

	// Infinite is set if the likelihood keeps growing with the coefficient: the covariate
	// separates subjects with events from those without, as when one group has no event.
	// HR.Estimate is then 0 or +Inf, its limits, SE and P are NaN, and only the likelihood
	// ratio of the model is a valid test.
	Infinite bool
	// Aliased is set if the covariate does not vary among those at risk, or is a linear
	// combination of the covariates before it. All its numbers are NaN.
	Aliased bool
}

// Cox fits the proportional hazards model (Cox, J R Stat Soc B 1972; 34:187) by Newton's
// method, with Efron's treatment of ties (J Am Stat Assoc 1977; 72:557). columns[j][i] is
// covariate j of subject i and must be finite. strata[i] is the stratum of subject i; each
// stratum has its own baseline hazard, and nil means one stratum. Each step takes n·p²
// operations.
//
// Errors: ErrEmpty, ErrTime, ErrShape, ErrMissing, ErrNoEvents; ErrCovariate if every covariate
// is aliased; ErrDiverged.
func Cox(obs []Obs, columns [][]float64, strata []int) (*CoxModel, error) {
	if err := checkTimes(obs); err != nil {
		return nil, err
	}
	if len(columns) == 0 || strata != nil && len(strata) != len(obs) {
		return nil, ErrShape
	}
	for _, c := range columns {
		if len(c) != len(obs) {
			return nil, ErrShape
		}
		if slices.ContainsFunc(c, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }) {
			return nil, ErrMissing
		}
	}
	m := &CoxModel{N: len(obs), Terms: make([]CoxTerm, len(columns))}
	all := newRiskSets(obs, columns, strata)
	m.Events = all.events
	if m.Events == 0 {
		return nil, ErrNoEvents
	}
	start := all.derivatives(make([]float64, len(columns)))
	m.columns = independent(start.information)
	for j := range m.Terms {
		m.Terms[j] = missingTerm()
		m.Terms[j].Aliased = !slices.Contains(m.columns, j)
	}
	if len(m.columns) == 0 {
		return nil, ErrCovariate
	}
	m.data = all
	if len(m.columns) < len(columns) {
		kept := make([][]float64, len(m.columns))
		for a, j := range m.columns {
			kept[a] = columns[j]
		}
		m.data = newRiskSets(obs, kept, strata)
	}
	return m, m.fit()
}

func missingTerm() CoxTerm {
	nan := math.NaN()
	return CoxTerm{Coef: nan, SE: nan, HR: Interval{nan, nan, nan}, P: nan}
}

// independent returns the columns that are not a linear combination of those before them. These
// are the columns with a nonzero pivot in a Cholesky factorization of the information.
func independent(information *mat.SymDense) []int {
	var kept []int
	var rows [][]float64 // rows of the factor, for the kept columns
	for j := range information.SymmetricDim() {
		pivot := information.At(j, j)
		row := make([]float64, 0, len(kept)+1)
		for a, k := range kept {
			v := information.At(j, k)
			for b, w := range row {
				v -= w * rows[a][b]
			}
			v /= rows[a][a]
			row = append(row, v)
			pivot -= v * v
		}
		if pivot > 1e-10*information.At(j, j) {
			kept, rows = append(kept, j), append(rows, append(row, math.Sqrt(pivot)))
		}
	}
	return kept
}

// fit maximizes the likelihood. Near a maximum the change of the likelihood decreases as the
// square of the step. If the likelihood has converged but a component of the step is still large, the
// maximum is at infinity in that direction.
func (m *CoxModel) fit() error {
	beta := make([]float64, len(m.columns))
	now := m.data.derivatives(beta)
	m.Likelihood[0] = now.likelihood
	step := mat.NewVecDense(len(beta), nil)
	for range 60 {
		var c mat.Cholesky
		if !c.Factorize(now.information) || c.SolveVecTo(step, now.score) != nil {
			break // numerically flat, near a maximum at infinity
		}
		if longest := mat.Norm(step, math.Inf(1)); longest > maxStep {
			step.ScaleVec(maxStep/longest, step)
		}
		next, d, ok := m.halve(beta, step, now.likelihood)
		if !ok {
			break // no step improves the likelihood
		}
		gain := d.likelihood - now.likelihood
		beta, now = next, d
		if gain <= 1e-9*(1+math.Abs(now.likelihood)) && converged(step, beta) {
			break
		}
	}
	if !converged(step, beta) {
		return ErrDiverged
	}
	m.Likelihood[1] = now.likelihood
	m.describe(beta, step, now)
	return nil
}

// LikelihoodRatioTest returns the likelihood ratio test of m against a model of the same subjects with a
// subset of its columns. It tests the additional columns, adjusted for the others, as R's anova
// of two coxph models does. If no additional column can be estimated, the result is NaN.
func (m *CoxModel) LikelihoodRatioTest(smaller *CoxModel) Test {
	df := len(m.columns) - len(smaller.columns)
	if df <= 0 {
		return Test{math.NaN(), 0, math.NaN()}
	}
	return chiSquareTest(2*(m.Likelihood[1]-smaller.Likelihood[1]), df)
}

// maxStep limits the change of a coefficient in one step. The first step towards a maximum at
// infinity can be as long as the size of the risk set (a category whose only member dies first
// of n gives n), and Newton's method does not recover the other coefficients from there.
const maxStep = 5

// infinite reports whether the step of a coefficient shows that it is diverging. Covariates are
// divided by their range, so a step along a separating covariate stays at 1 or more.
func infinite(step float64) bool { return math.Abs(step) > 0.5 }

// converged reports whether each coefficient has converged or is diverging to infinity.
func converged(step *mat.VecDense, beta []float64) bool {
	for j, b := range beta {
		if s := step.AtVec(j); !infinite(s) && math.Abs(s) > 1e-10*(1+math.Abs(b)) {
			return false
		}
	}
	return true
}

// halve takes the step, or the largest of its half, quarter, … that does not lower the
// likelihood. ok is false if none does.
func (m *CoxModel) halve(
	beta []float64, step *mat.VecDense, likelihood float64,
) (next []float64, d derivatives, ok bool) {
	for scale := 1.0; scale > 1e-6; scale /= 2 {
		next = slices.Clone(beta)
		for j := range next {
			next[j] += scale * step.AtVec(j)
		}
		d = m.data.derivatives(next)
		if d.likelihood >= likelihood-1e-11*math.Abs(likelihood) {
			return next, d, true
		}
	}
	return nil, derivatives{}, false
}

// describe fills in the terms. If some coefficients are infinite, it computes the variance of
// the others in the model in which the infinite ones are fixed.
func (m *CoxModel) describe(beta []float64, step *mat.VecDense, at derivatives) {
	var finite []int
	for a := range m.columns {
		if !infinite(step.AtVec(a)) {
			finite = append(finite, a)
		}
	}
	information := mat.NewSymDense(max(1, len(finite)), nil)
	for r, a := range finite {
		for c, b := range finite {
			information.SetSym(r, c, at.information.At(a, b))
		}
	}
	var c mat.Cholesky
	var variance mat.SymDense
	known := c.Factorize(information) && c.InverseTo(&variance) == nil
	for a, j := range m.columns {
		t, r := &m.Terms[j], slices.Index(finite, a)
		if scale := m.data.scale[a]; r < 0 || !known {
			t.Infinite = true
			t.Coef = math.Copysign(math.Inf(1), beta[a])
			t.HR.Estimate = math.Exp(t.Coef)
		} else {
			t.Coef, t.SE = beta[a]/scale, math.Sqrt(variance.At(r, r))/scale
			t.HR = Interval{math.Exp(t.Coef), math.Exp(t.Coef - z975*t.SE), math.Exp(t.Coef + z975*t.SE)}
			t.P = twoSided(t.Coef / t.SE)
		}
	}
	m.data.beta = beta
}
