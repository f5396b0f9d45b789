package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fit maximizes the likelihood. Near a maximum the change of the likelihood decreases as the
// square of the step. If the likelihood has converged but the step along a direction is still
// large, the maximum is at infinity in that direction. If the likelihood has not converged after
// maxIterations, the directions that still move have no estimate; the others do.
func (m *CoxModel) fit() error {
	total := m.data.totalInformation()
	beta := make([]float64, len(m.columns))
	at := m.data.derivatives(beta)
	m.Likelihood[0] = at.likelihood
	limit, gain := float64(firstStep), math.Inf(1)
	for n := 0; ; n++ {
		now, ok := newton(at, total)
		if !ok {
			return ErrDiverged
		}
		done := gain <= 1e-10*(1+math.Abs(at.likelihood)) && now.converged(beta)
		if n == maxIterations {
			now.largest, done = 1e-6, true
		}
		if done {
			m.Likelihood[1] = at.likelihood
			m.describe(beta, now)
			return nil
		}
		step := now.sum()
		if longest := floats.Norm(step, math.Inf(1)); longest > limit {
			floats.Scale(limit/longest, step)
			limit *= 1.25
		}
		gain = 0
		if next, d, ok := m.halve(beta, step, at.likelihood); ok {
			gain = d.likelihood - at.likelihood
			beta, at = next, d
		} else {
			n = maxIterations - 1
		}
	}
}

const maxIterations = 100

// firstStep limits the change of a coefficient in one step. The first step towards a maximum at
// infinity can be as long as the size of the risk set (a category whose only member dies first
// of n gives n), and Newton's method does not recover the other coefficients from there.
const firstStep = 5

// directions holds the Newton step, divided along the eigenvectors of the information. The
// information is first divided by the variances of the covariates, so that its eigenvalues
// compare with 1.
type directions struct {
	values  []float64   // eigenvalues
	vectors [][]float64 // directions in the space of the coefficients
	length  []float64   // step along each direction; 0 if the likelihood is flat
	largest float64     // largest step along a direction with a finite estimate
}

// newton returns the Newton step. ok is false if the information is not finite.
func newton(at derivatives, total []float64) (d directions, ok bool) {
	p := len(total)
	scaled := mat.NewSymDense(p, nil)
	for j := range p {
		for k := j; k < p; k++ {
			scaled.SetSym(j, k, at.information.At(j, k)/math.Sqrt(total[j]*total[k]))
		}
	}
	var e mat.EigenSym
	if !e.Factorize(scaled, true) {
		return d, false
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	d.values, d.length, d.largest = e.Values(nil), make([]float64, p), 0.01
	for k, value := range d.values {
		v := mat.Col(nil, k, &vectors)
		for j := range v {
			v[j] /= math.Sqrt(total[j])
		}
		d.vectors = append(d.vectors, v)
		if d.length[k] = floats.Dot(v, at.score.RawVector().Data) / value; value < flat {
			d.length[k] = 0
		}
		if math.IsNaN(d.length[k]) {
			return d, false
		}
	}
	return d, true
}

// flat is the eigenvalue below which the likelihood does not change along a direction. noise
// is the rounding error of the score.
const flat, noise = 1e-9, 1e-13

// sum returns the step of each coefficient.
func (d directions) sum() []float64 {
	step := make([]float64, len(d.values))
	for k, v := range d.vectors {
		floats.AddScaled(step, d.length[k], v)
	}
	return step
}

// unbounded reports whether the likelihood is flat along direction k or still grows. Covariates
// are divided by their range, so a step towards a maximum at infinity stays at about 1, while
// the other steps shrink to nothing when the likelihood has converged.
func (d directions) unbounded(k int) bool {
	return d.values[k] < flat || math.Abs(d.length[k])*floats.Norm(d.vectors[k], math.Inf(1)) > d.largest
}

// converged reports whether the steps along all other directions are small.
func (d directions) converged(beta []float64) bool {
	step := make([]float64, len(beta))
	for k, v := range d.vectors {
		if !d.unbounded(k) && math.Abs(d.length[k]) > noise/d.values[k] {
			floats.AddScaled(step, d.length[k], v)
		}
	}
	for j, b := range beta {
		if math.Abs(step[j]) > 1e-10*(1+math.Abs(b)) {
			return false
		}
	}
	return true
}

// halve takes the step, or the largest of its half, quarter, … that does not lower the
// likelihood. ok is false if none does.
func (m *CoxModel) halve(beta, step []float64, likelihood float64) (next []float64, d derivatives, ok bool) {
	for scale := 1.0; scale > 1e-6; scale /= 2 {
		next = slices.Clone(beta)
		floats.AddScaled(next, scale, step)
		d = m.data.derivatives(next)
		if d.likelihood >= likelihood-1e-11*math.Abs(likelihood) {
			return next, d, true
		}
	}
	return nil, derivatives{}, false
}

// describe fills in the terms. A coefficient is finite if it does not change along any unbounded
// direction. Its variance is the inverse of the information in the space of the other
// directions.
func (m *CoxModel) describe(beta []float64, d directions) {
	p := len(beta)
	change, variance := make([]float64, p), make([]float64, p)
	var basis []float64
	for k, v := range d.vectors {
		unbounded := d.unbounded(k)
		longest := floats.Norm(v, math.Inf(1))
		for j, x := range v {
			if unbounded {
				change[j] = max(change[j], math.Abs(x)/longest)
			} else {
				variance[j] += x * x / d.values[k]
			}
		}
		if !unbounded {
			basis = append(basis, v...)
		}
	}
	if len(basis) > 0 {
		m.basis = mat.NewDense(len(basis)/p, p, basis)
	}
	for a, j := range m.columns {
		t, scale := &m.Terms[j], m.data.scale[a]
		switch {
		case change[a] < 1e-4:
			t.Coef, t.SE = beta[a]/scale, math.Sqrt(variance[a])/scale
			t.HR = Interval{math.Exp(t.Coef), math.Exp(t.Coef - z975*t.SE), math.Exp(t.Coef + z975*t.SE)}
			t.P, t.LogP = twoSided(t.Coef / t.SE)
		case math.Abs(beta[a]) < firstStep:
			t.Aliased = true
		default:
			t.Infinite = true
			t.Coef = math.Copysign(math.Inf(1), beta[a])
			t.HR.Estimate = math.Exp(t.Coef)
		}
	}
	m.data.beta = beta
}
