package stats

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"
)

// Confidence is the coverage of every interval of this package.
const Confidence = 0.95

// z975 is the normal quantile that belongs to Confidence, 1.959964.
var z975 = distuv.UnitNormal.Quantile(1 - (1-Confidence)/2)

// Interval is an estimate with its confidence limits. A number that does not
// exist is NaN.
type Interval struct{ Estimate, Low, High float64 }

// Test is a chi-square statistic with its degrees of freedom and p-value.
type Test struct {
	Chi2 float64
	DF   int
	P    float64
}

func chiSquareTest(chi2 float64, df int) Test {
	return Test{chi2, df, distuv.ChiSquared{K: float64(df)}.Survival(chi2)}
}

// twoSided is the p-value of a normal statistic.
func twoSided(z float64) float64 { return math.Erfc(math.Abs(z) / math.Sqrt2) }

// Proportion is k of n with the score interval of Wilson (J Am Stat Assoc 1927;
// 22:209), which stays within 0 and 1 and does not collapse at either end. Of no
// observations it is all NaN.
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
