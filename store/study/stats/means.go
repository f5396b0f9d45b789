package stats

import (
	"math"

	"gonum.org/v1/gonum/stat"
)

// A MeanTest compares the means of groups.
type MeanTest struct {
	Statistic float64   // t or F
	DF        []float64 // one number for t; between and within groups for F
	P         float64
	LogP      float64 // natural logarithm of P, finite even if P is 0 as a float64
	Effect    float64 // difference of the means for t; eta squared, 0 to 1, for F
}

// WelchT tests whether the means of x and y differ, without assuming equal variances (Welch,
// Biometrika 1947; 34:28), as R's t.test does. It ignores NaN and infinite values. Errors:
// ErrOneGroup if a sample has fewer than two values; ErrConstant if the values are equal, up to
// rounding, within both samples.
func WelchT(x, y []float64) (MeanTest, error) {
	x, y = finite(x), finite(y)
	if len(x) < 2 || len(y) < 2 {
		return MeanTest{}, ErrOneGroup
	}
	mx, sx := stat.MeanVariance(x, nil)
	my, sy := stat.MeanVariance(y, nil)
	sx, sy = sx/float64(len(x)), sy/float64(len(y))
	if math.Sqrt(sx+sy) < 10*epsilon*max(math.Abs(mx), math.Abs(my)) || sx+sy == 0 {
		return MeanTest{}, ErrConstant
	}
	t := (mx - my) / math.Sqrt(sx+sy)
	df := (sx + sy) * (sx + sy) / (sx*sx/float64(len(x)-1) + sy*sy/float64(len(y)-1))
	out := MeanTest{Statistic: t, DF: []float64{df}, Effect: mx - my}
	out.P, out.LogP = betaTail(df/2, 0.5, df/(df+t*t))
	return out, nil
}

// epsilon is the distance from 1 to the next float64.
const epsilon = 0x1p-52

// ANOVA tests whether the means of groups differ, assuming equal variances (Fisher, Statistical
// Methods for Research Workers, 1925), as R's aov does. It ignores NaN and infinite values, and
// groups with fewer than two values. Errors: ErrOneGroup if fewer than two groups remain;
// ErrConstant if the values are equal, up to rounding, within all groups.
func ANOVA(groups ...[]float64) (MeanTest, error) {
	var means, sizes []float64
	n, within, most := 0.0, 0.0, 0.0
	for _, g := range groups {
		if g = finite(g); len(g) < 2 {
			continue
		}
		mean, variance := stat.MeanVariance(g, nil)
		means, sizes = append(means, mean), append(sizes, float64(len(g)))
		within += variance * float64(len(g)-1)
		n, most = n+float64(len(g)), max(most, math.Abs(mean))
	}
	if len(means) < 2 {
		return MeanTest{}, ErrOneGroup
	}
	between, grand := 0.0, stat.Mean(means, sizes)
	for i, mean := range means {
		between += sizes[i] * (mean - grand) * (mean - grand)
	}
	first, second := float64(len(means)-1), n-float64(len(means))
	if math.Sqrt(within/second/n) < 10*epsilon*most || within == 0 {
		return MeanTest{}, ErrConstant
	}
	f := between / first / (within / second)
	out := MeanTest{Statistic: f, DF: []float64{first, second}, Effect: between / (between + within)}
	out.P, out.LogP = betaTail(second/2, first/2, second/(second+first*f))
	return out, nil
}

// finite returns the values that are finite. It returns the argument itself if all are.
func finite(v []float64) []float64 {
	for i, x := range v {
		if !math.IsNaN(x - x) { // ∞ − ∞ is NaN
			continue
		}
		kept := append([]float64(nil), v[:i]...)
		for _, x := range v[i+1:] {
			if !math.IsNaN(x - x) {
				kept = append(kept, x)
			}
		}
		return kept
	}
	return v
}
