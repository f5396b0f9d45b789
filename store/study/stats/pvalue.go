package stats

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// tiny is the probability below which the logarithm is computed on the log scale: smaller
// numbers lose digits and then become zero.
const tiny = 1e-290

// A logSum adds numbers given by their natural logarithms. The zero value is an empty sum.
type logSum struct {
	greatest, sum float64 // the sum is relative to the greatest number
}

// add adds count numbers of one logarithm.
func (s *logSum) add(log, count float64) {
	switch {
	case s.sum == 0:
		s.greatest, s.sum = log, count
	case log <= s.greatest:
		s.sum += count * math.Exp(log-s.greatest)
	default:
		s.sum = s.sum*math.Exp(s.greatest-log) + count
		s.greatest = log
	}
}

// log returns the logarithm of the sum, -Inf if it is empty.
func (s *logSum) log() float64 { return s.greatest + math.Log(s.sum) }

// logChiSquare returns log P(X > chi2) of a chi-square variable whose probability is p.
func logChiSquare(p, chi2 float64, df int) float64 {
	if !(p < tiny) || df < 1 || math.IsInf(chi2, 1) {
		return math.Log(p)
	}
	a, x := float64(df)/2, chi2/2
	gamma, _ := math.Lgamma(a)
	// Q(a, x) = x^a e^-x / Γ(a) / (x+1−a − 1(1−a)/(x+3−a − 2(2−a)/(x+5−a − …))), DLMF 8.9.2.
	fraction := continuedFraction(func(n int) (numerator, denominator float64) {
		k := float64(n)
		return -k * (k - a), x + 2*k + 1 - a
	})
	return a*math.Log(x) - x - gamma - math.Log(fraction)
}

// twoSided returns the two-sided p-value of a standard normal statistic and its logarithm.
func twoSided(z float64) (p, log float64) {
	p = math.Erfc(math.Abs(z) / math.Sqrt2)
	return p, logChiSquare(p, z*z, 1)
}

// studentP returns the two-sided p-value of a correlation of n pairs and its logarithm, by
// Student's t with n − 2 degrees of freedom. Both are NaN if the correlation is 1 or -1 up to
// rounding, because the p-value is then that of the rounding error.
func studentP(r float64, n int) (p, log float64) {
	rest, df := 1-r*r, float64(n-2)
	if rest < 1e-15 {
		return math.NaN(), math.NaN()
	}
	return betaTail(df/2, 0.5, rest)
}

// betaTail returns the regularized incomplete beta function I(x; a, b) and its logarithm. It is the
// p-value of Student's t with x = df/(df+t²), a = df/2, b = 1/2, and of F likewise.
func betaTail(a, b, x float64) (p, log float64) {
	if p = mathext.RegIncBeta(a, b, x); !(p < tiny) {
		return p, math.Log(p)
	}
	// DLMF 8.17.22.
	fraction := continuedFraction(func(n int) (numerator, denominator float64) {
		m := float64(n / 2)
		switch {
		case n == 0:
			return 0, 1
		case n%2 == 1:
			return -(a + m) * (a + b + m) / ((a + 2*m) * (a + 2*m + 1)) * x, 1
		}
		return m * (b - m) / ((a + 2*m - 1) * (a + 2*m)) * x, 1
	})
	sum, _ := math.Lgamma(a + b)
	first, _ := math.Lgamma(a)
	second, _ := math.Lgamma(b)
	log = a*math.Log(x) + b*math.Log1p(-x) - math.Log(a) + sum - first - second - math.Log(fraction)
	return math.Exp(log), log
}

// continuedFraction returns b(0) + a(1)/(b(1) + a(2)/(b(2) + …)) by Lentz's method (Press et al.,
// Numerical Recipes, 2007, section 5.2). term returns a(n) and b(n).
func continuedFraction(term func(n int) (a, b float64)) float64 {
	const least = 1e-300 // replaces zero
	orLeast := func(v float64) float64 {
		if v == 0 {
			return least
		}
		return v
	}
	_, b := term(0)
	f := orLeast(b)
	c, d := f, 0.0
	for n := 1; n < 10_000; n++ {
		a, b := term(n)
		d = 1 / orLeast(b+a*d)
		c = orLeast(b + a/c)
		f *= c * d
		if math.Abs(c*d-1) < 1e-16 {
			break
		}
	}
	return f
}
