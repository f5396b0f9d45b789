package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// riskSets holds the subjects in the order in which they join the risk set when going back from
// the end of follow-up. Covariates are centered within each stratum and divided by their range,
// so a coefficient is a log hazard ratio between the extremes, whatever the unit. Mean and range
// ignore subjects who are at risk at no event, because the likelihood does not depend on them: a
// covariate that is constant among the others is exactly zero.
type riskSets struct {
	x      [][]float64 // by subject
	time   []float64
	event  []bool
	first  []bool // whether the subject is the first of a stratum
	scale  []float64
	events int
	beta   []float64 // coefficients of the fitted model
}

func newRiskSets(obs []Obs, columns [][]float64, strata []int) *riskSets {
	order := latestFirst(obs, strata)
	n, p := len(obs), len(columns)
	r := &riskSets{
		x: make([][]float64, n), time: make([]float64, n), event: make([]bool, n), first: make([]bool, n),
	}
	cells := make([]float64, n*p)
	for a, i := range order {
		r.x[a] = cells[a*p : (a+1)*p]
		for j, c := range columns {
			r.x[a][j] = c[i]
		}
		r.time[a], r.event[a] = obs[i].Time, obs[i].Event
		r.first[a] = a == 0 || !sameStratum(strata, i, order[a-1])
		if obs[i].Event {
			r.events++
		}
	}
	r.scale = r.standardize()
	return r
}

// standardize centers the covariates within each stratum and divides them by their range, which
// it returns. It sets the covariates of subjects who are at risk at no event to zero.
func (r *riskSets) standardize() (scale []float64) {
	p := len(r.x[0])
	scale = make([]float64, p)
	low, high := slices.Repeat([]float64{math.Inf(1)}, p), slices.Repeat([]float64{math.Inf(-1)}, p)
	for from := 0; from < len(r.x); {
		to := from + 1
		for to < len(r.x) && !r.first[to] {
			to++
		}
		last := r.atRisk(from, to)
		for j := range p {
			// The difference from one subject is exactly zero for a constant covariate.
			base, sum := r.x[from][j], 0.0
			for _, x := range r.x[from:last] {
				sum += x[j] - base
			}
			for _, x := range r.x[from:last] {
				x[j] = x[j] - base - sum/float64(last-from)
				low[j], high[j] = min(low[j], x[j]), max(high[j], x[j])
			}
			for _, x := range r.x[last:to] {
				x[j] = 0
			}
		}
		from = to
	}
	for j := range p {
		if scale[j] = high[j] - low[j]; !(scale[j] > 0) {
			scale[j] = 1
		}
		for _, x := range r.x {
			x[j] /= scale[j]
		}
	}
	return scale
}

// totalInformation returns for each covariate its variance times the number of events.
func (r *riskSets) totalInformation() []float64 {
	total := make([]float64, len(r.scale))
	for _, x := range r.x {
		for j, v := range x {
			total[j] += v * v
		}
	}
	floats.Scale(float64(r.events)/float64(len(r.x)), total)
	return total
}

// atRisk returns the end of the subjects in [from, to), one stratum, that are at risk at an
// event. The subjects after it are censored before the first event.
func (r *riskSets) atRisk(from, to int) int {
	last := from
	for i := from; i < to; i++ {
		if r.event[i] || last > from && r.time[i] == r.time[last-1] {
			last = i + 1
		}
	}
	return last
}

// derivatives holds the log partial likelihood and its derivatives.
type derivatives struct {
	likelihood  float64
	score       *mat.VecDense
	information *mat.SymDense
}

func (r *riskSets) derivatives(beta []float64) derivatives {
	p := len(beta)
	d := derivatives{score: mat.NewVecDense(p, nil), information: mat.NewSymDense(p, nil)}
	for e := range r.deaths(beta) {
		d.likelihood += e.likelihood
		d.score.AddVec(d.score, e.score)
		d.information.AddSym(d.information, e.information)
	}
	return d
}

// death holds the contribution of the deaths at one time.
type death struct {
	derivatives
	time float64
}

// sums holds Σ w, Σ w x and Σ w x xᵀ over subjects, with w = exp(βᵀx).
type sums struct {
	w   float64
	wx  []float64
	wxx []float64 // row by row, the upper triangle only
}

func newSums(p int) sums { return sums{wx: make([]float64, p), wxx: make([]float64, p*p)} }

func (s *sums) reset() {
	s.w = 0
	clear(s.wx)
	clear(s.wxx)
}

func (s *sums) add(w float64, x []float64) {
	s.w += w
	for j, v := range x {
		s.wx[j] += w * v
		for k := j; k < len(x); k++ {
			s.wxx[j*len(x)+k] += w * v * x[k]
		}
	}
}

// deaths yields the contribution of each time with deaths, by stratum, from the last time to
// the first. For the l-th of d simultaneous deaths (l = 0 … d−1), Efron's method removes the
// share l/d of the dying from the risk set. The yielded value is reused for the next one.
func (r *riskSets) deaths(beta []float64) func(yield func(death) bool) {
	return func(yield func(death) bool) {
		p := len(beta)
		risk, dying := newSums(p), newSums(p)
		mean := make([]float64, p)
		e := death{derivatives: derivatives{0, mat.NewVecDense(p, nil), mat.NewSymDense(p, nil)}}
		for i := 0; i < len(r.x); {
			if r.first[i] {
				risk.reset()
			}
			dying.reset()
			at, died := r.time[i], 0
			e.likelihood, e.time = 0, at
			e.score.Zero()
			e.information.Zero()
			for j := i; i < len(r.x) && r.time[i] == at && (i == j || !r.first[i]); i++ {
				eta := floats.Dot(beta, r.x[i])
				w := math.Exp(eta)
				risk.add(w, r.x[i])
				if r.event[i] {
					died++
					dying.add(w, r.x[i])
					e.likelihood += eta
					for j, v := range r.x[i] {
						e.score.SetVec(j, e.score.AtVec(j)+v)
					}
				}
			}
			for l := range died {
				share := float64(l) / float64(died)
				w := risk.w - share*dying.w
				e.likelihood -= math.Log(w)
				for j := range mean {
					mean[j] = (risk.wx[j] - share*dying.wx[j]) / w
					e.score.SetVec(j, e.score.AtVec(j)-mean[j])
				}
				for j := range p {
					for k := j; k < p; k++ {
						v := (risk.wxx[j*p+k]-share*dying.wxx[j*p+k])/w - mean[j]*mean[k]
						e.information.SetSym(j, k, e.information.At(j, k)+v)
					}
				}
			}
			if died > 0 && !yield(e) {
				return
			}
		}
	}
}
