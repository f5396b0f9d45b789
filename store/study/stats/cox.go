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
	columns []int      // fitted columns
	basis   *mat.Dense // directions of the fitted columns with a finite estimate
}

// A CoxTerm describes one covariate. HR is the hazard ratio for an increase by one unit.
type CoxTerm struct {
	Coef, SE float64
	HR       Interval
	P        float64 // from the Wald test
	LogP     float64 // natural logarithm of P

	// Infinite is set if the likelihood keeps growing with the coefficient: the covariate
	// separates subjects with events from those without, as when one group has no event.
	// HR.Estimate is then 0 or +Inf, its limits, SE and P are NaN, and only the likelihood
	// ratio of the model is a valid test.
	Infinite bool
	// Aliased is set if the covariate does not vary among those at risk, or is a linear
	// combination of the covariates before it, or becomes one when infinite coefficients
	// give some subjects a weight of zero. All its numbers are NaN.
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
	m.columns = independent(start.information, all.totalInformation())
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
	return CoxTerm{Coef: nan, SE: nan, HR: Interval{nan, nan, nan}, P: nan, LogP: nan}
}

// independent returns the columns that are not a linear combination of those before them. These
// are the columns with a nonzero pivot in a Cholesky factorization of the information. A pivot
// counts as zero relative to total, the information of a column whose variance at each event is
// that among all subjects: the information of a column that hardly varies at the events may
// itself be a rounding error.
func independent(information *mat.SymDense, total []float64) []int {
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
		if pivot > flat*max(information.At(j, j), total[j]) {
			kept, rows = append(kept, j), append(rows, append(row, math.Sqrt(pivot)))
		}
	}
	return kept
}

// LikelihoodRatioTest returns the likelihood ratio test of m against a model of the same subjects with a
// subset of its columns. It tests the additional columns, adjusted for the others, as R's anova
// of two coxph models does. If no additional column can be estimated, the result is NaN.
func (m *CoxModel) LikelihoodRatioTest(smaller *CoxModel) Test {
	df := m.estimated() - smaller.estimated()
	if df <= 0 {
		return Test{Chi2: math.NaN(), P: math.NaN(), LogP: math.NaN()}
	}
	return chiSquareTest(2*(m.Likelihood[1]-smaller.Likelihood[1]), df)
}

// estimated returns the number of terms with a finite or infinite coefficient.
func (m *CoxModel) estimated() (n int) {
	for _, t := range m.Terms {
		if !t.Aliased {
			n++
		}
	}
	return n
}
