package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// CoxModel is a fitted model of proportional hazards.
type CoxModel struct {
	N, Events  int
	Terms      []CoxTerm  // in the order of the columns
	Likelihood [2]float64 // log partial likelihood without and with the covariates

	data *riskSets
	kept []int // the columns that were fitted
}

// CoxTerm is one covariate. HR is the hazard ratio for one unit of it.
type CoxTerm struct {
	Coef, SE float64
	HR       Interval
	P        float64 // Wald

	// Infinite says that the likelihood grows without end as the coefficient
	// does: the covariate separates those with events from those without, as when one
	// group has no event. HR.Estimate is then 0 or +Inf, its limits, SE and P are NaN,
	// and only the likelihood ratio of the model is a valid test.
	Infinite bool
	// Aliased says that the covariate does not vary among those at risk, or follows
	// from those before it. All its numbers are NaN.
	Aliased bool
}

// Cox fits the proportional hazards model (Cox, J R Stat Soc B 1972; 34:187) by
// Newton's method, with Efron's treatment of ties (J Am Stat Assoc 1977; 72:557).
// columns[j][i] is covariate j of subject i, finite. strata[i] is the stratum of
// subject i, each with a baseline hazard; nil is one stratum. Each step takes
// n·p² operations.
//
// Errors: ErrEmpty, ErrTime, ErrShape, ErrMissing, ErrNoEvents; ErrCovariate if every
// covariate is aliased; ErrDiverged.
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
	m.kept = independent(start.information)
	for j := range m.Terms {
		m.Terms[j] = missingTerm()
		m.Terms[j].Aliased = !slices.Contains(m.kept, j)
	}
	if len(m.kept) == 0 {
		return nil, ErrCovariate
	}
	m.data = all
	if len(m.kept) < len(columns) {
		kept := make([][]float64, len(m.kept))
		for a, j := range m.kept {
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

// independent are the columns whose information does not follow from those before:
// the pivots of a Cholesky factor that are not zero.
func independent(information *mat.SymDense) []int {
	var kept []int
	var rows [][]float64 // of the factor, for the columns kept
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

// fit finds the maximum. Near a maximum the change of the likelihood goes to zero as
// the square of the step. If the likelihood has converged but a step has not, the
// maximum is at infinity in that direction.
func (m *CoxModel) fit() error {
	beta := make([]float64, len(m.kept))
	now := m.data.derivatives(beta)
	m.Likelihood[0] = now.likelihood
	step := mat.NewVecDense(len(beta), nil)
	for range 60 {
		var c mat.Cholesky
		if !c.Factorize(now.information) || c.SolveVecTo(step, now.score) != nil {
			break // flat: a maximum at infinity has been approached as far as numbers go
		}
		if longest := mat.Norm(step, math.Inf(1)); longest > maxStep {
			step.ScaleVec(maxStep/longest, step)
		}
		next, d, ok := m.halve(beta, step, now.likelihood)
		if !ok {
			break // no step improves it
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

// Against is the likelihood ratio test of a model against one of the same subjects with some
// of its columns, as R's anova of two coxph has it: the test of the other columns, adjusted.
// Without a further column that can be estimated it is NaN.
func (m *CoxModel) Against(smaller *CoxModel) Test {
	df := len(m.kept) - len(smaller.kept)
	if df <= 0 {
		return Test{math.NaN(), 0, math.NaN()}
	}
	return chiSquareTest(2*(m.Likelihood[1]-smaller.Likelihood[1]), df)
}

// maxStep bounds a change of a coefficient. The first step towards a maximum at infinity
// is as long as the risk set is large (a category whose one member dies first of n: n),
// and from beyond it the way back to the other coefficients is lost.
const maxStep = 5

// infinite reports a coefficient that still grows. Covariates are divided by their
// range, so that a step along a separating covariate stays at 1 or more.
func infinite(step float64) bool { return math.Abs(step) > 0.5 }

// converged reports that each coefficient has its value, or grows without end.
func converged(step *mat.VecDense, beta []float64) bool {
	for j, b := range beta {
		if s := step.AtVec(j); !infinite(s) && math.Abs(s) > 1e-10*(1+math.Abs(b)) {
			return false
		}
	}
	return true
}

// halve takes a step, or a half, a quarter, … of it, that does not lower the
// likelihood.
func (m *CoxModel) halve(beta []float64, step *mat.VecDense, likelihood float64) ([]float64, derivatives, bool) {
	for scale := 1.0; scale > 1e-6; scale /= 2 {
		next := slices.Clone(beta)
		for j := range next {
			next[j] += scale * step.AtVec(j)
		}
		d := m.data.derivatives(next)
		if d.likelihood >= likelihood-1e-11*math.Abs(likelihood) {
			return next, d, true
		}
	}
	return nil, derivatives{}, false
}

// describe fills the terms. Where some coefficients are infinite, the variance of the
// others belongs to the model in which they are fixed.
func (m *CoxModel) describe(beta []float64, step *mat.VecDense, at derivatives) {
	var finite []int
	for a := range m.kept {
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
	for a, j := range m.kept {
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
