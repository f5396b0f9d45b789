package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the confidence level of all intervals in this package.
const Confidence = 0.95

// z975 is the normal quantile for Confidence, 1.959964.
var z975 = distuv.UnitNormal.Quantile(1 - (1-Confidence)/2)

// An Interval is an estimate with its confidence limits. Undefined numbers are NaN.
type Interval struct{ Estimate, Low, High float64 }

// A Test is a chi-square statistic with its degrees of freedom and p-value.
type Test struct {
	Chi2 float64
	DF   int
	P    float64
	LogP float64 // natural logarithm of P, finite even if P is 0 as a float64
}

func chiSquareTest(chi2 float64, df int) Test {
	p := distuv.ChiSquared{K: float64(df)}.Survival(chi2)
	return Test{chi2, df, p, logChiSquare(p, chi2, df)}
}

// Proportion returns k/n with Wilson's score interval (J Am Stat Assoc 1927; 22:209), which
// stays within 0 and 1 and keeps a positive width at both ends. If n is 0, all its numbers are
// NaN.
func Proportion(k, n int) Interval {
	if n <= 0 {
		nan := math.NaN()
		return Interval{nan, nan, nan}
	}
	p, m, z2 := float64(k)/float64(n), float64(n), z975*z975
	middle := (p + z2/(2*m)) / (1 + z2/m)
	half := z975 / (1 + z2/m) * math.Sqrt(p*(1-p)/m+z2/(4*m*m))
	low, high := middle-half, middle+half
	if k == 0 {
		low = 0
	}
	if k == n {
		high = 1
	}
	return Interval{p, low, high}
}
