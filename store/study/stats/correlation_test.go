package stats

import (
	"errors"
	"math"
	"testing"
)

// The numbers come from R 4.2.2: cor.test(x, y), once with method = "spearman" and
// exact = FALSE.
func TestCorrelation(t *testing.T) {
	x := []float64{1.2, 3.4, 2.2, 5.1, 4.4, 2.2, 7.9, 6.1, math.NaN(), 1}
	y := []float64{2.0, 2.9, 3.9, 4.2, 6.0, 1.1, 5.5, 9.3, 3, math.Inf(1)}
	c, err := Correlation(x, y)
	if err != nil || c.N != 8 {
		t.Fatal(c, err)
	}
	for name, v := range map[string][2]float64{
		"r": {c.R.Estimate, .720592219407260}, "low": {c.R.Low, .0323419408791754}, "high": {c.R.High, .9452727974282992}, "p": {c.P, .0437434974904098},
		"rho": {c.Rho, .8024095954818835}, "p of rho": {c.RhoP, .0165407228006772},
	} {
		t.Run(name, func(t *testing.T) {
			if math.Abs(v[0]/v[1]-1) > 1e-10 {
				t.Errorf("%.15g, R has %.15g", v[0], v[1])
			}
		})
	}
	three, err := Correlation(x[:3], y[:3])
	if err != nil || math.Abs(three.P-.719388829373517) > 1e-12 || !math.IsNaN(three.R.Low) {
		t.Error(three, err)
	}
	if line, err := Correlation([]float64{1, 2, 3, 4}, []float64{2, 4, 6, 8}); err != nil || line.R != (Interval{1, 1, 1}) || !math.IsNaN(line.P) {
		t.Error(line, err)
	}
	if _, err := Correlation(x[:2], y[:2]); !errors.Is(err, ErrEmpty) {
		t.Error(err)
	}
	if _, err := Correlation(x[:3], []float64{2, 2, 2}); !errors.Is(err, ErrConstant) {
		t.Error(err)
	}
	if _, err := Correlation(x, y[:3]); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

// The likelihood ratio test agrees with R's anova of two nested models (survival 3.5-3) for
//
//	i <- 0:39; t <- (i*17)%%40+1; e <- as.numeric(i%%3!=0); mut <- as.numeric(i%%2==0)
//	arm <- c("2","9","10","2")[(i*7)%%4+1]; anova(coxph(Surv(t,e)~arm), coxph(Surv(t,e)~mut+arm))
//
// and for the same data with an additional arm of two patients without an event.
func TestNestedModels(t *testing.T) {
	var obs []Obs
	var mut, nine, ten, eleven, rare9, rare10 []float64
	is := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	for i := range 40 {
		arm, rare := (i*7)%4, i == 3 || i == 9
		obs = append(obs, Obs{float64((i*17)%40 + 1), i%3 != 0})
		mut, nine, ten = append(mut, is(i%2 == 0)), append(nine, is(arm == 1)), append(ten, is(arm == 2))
		rare9, rare10, eleven = append(rare9, is(arm == 1 && !rare)), append(rare10, is(arm == 2 && !rare)), append(eleven, is(rare))
	}
	for _, c := range []struct {
		adjusters [][]float64
		chi2, p   float64
	}{{[][]float64{nine, ten}, 0.0273666312322405, 0.868606621563123}, {[][]float64{rare9, rare10, eleven}, 0.320592145015269, 0.571252004638289}} {
		small, err := Cox(obs, c.adjusters, nil)
		if err != nil {
			t.Fatal(err)
		}
		large, err := Cox(obs, append([][]float64{mut}, c.adjusters...), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := large.LikelihoodRatioTest(small); math.Abs(got.Chi2-c.chi2) > 1e-6 || got.DF != 1 || math.Abs(got.P-c.p) > 1e-6 {
			t.Errorf("%+v, R has %g, p %g", got, c.chi2, c.p)
		}
	}
}
