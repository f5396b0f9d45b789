package stats

import (
	"errors"
	"math"
	"slices"
	"testing"
)

func TestMeansAgreeWithR(t *testing.T) {
	r := readReference(t)
	for i, w := range r.Welches {
		got, err := WelchT(append(w.X.floats(), math.NaN()), w.Y.floats())
		if err != nil {
			t.Fatal(i, err)
		}
		check(t, "t", got.Statistic, w.T[0])
		check(t, "degrees of freedom", got.DF[0], w.T[1])
		check(t, "p of t", got.P, w.T[2])
		check(t, "difference", got.Effect, w.T[3])
	}
	for i, a := range r.Anovas {
		groups := [][]float64{{math.Inf(1), 3}, nil} // fewer than two values
		for _, g := range a.Groups {
			groups = append(groups, g.floats())
		}
		got, err := ANOVA(groups...)
		if err != nil {
			t.Fatal(i, err)
		}
		for k, v := range []float64{got.Statistic, got.DF[0], got.DF[1], got.P, got.Effect} {
			check(t, []string{"F", "df", "residual df", "p of F", "eta squared"}[k], v, a.F[k])
		}
	}
}

func TestSpearmanAgreesWithR(t *testing.T) {
	for _, s := range readReference(t).Spearmans {
		x, y := s.X.floats(), s.Y.floats()
		for range 2 {
			got, err := NewRankedSample(x).Spearman(y)
			if err != nil {
				t.Fatal(err)
			}
			check(t, "n", float64(got.N), s.S[0])
			check(t, "rho", got.Rho, s.S[1])
			check(t, "p of rho", got.P, s.S[2])
			check(t, "log p of rho", got.LogP, number(math.Log(float64(s.S[2]))))
			x, y = y, x
		}
	}
	one := NewRankedSample([]float64{1, 2, 3, math.NaN(), 9})
	for what, c := range map[string]struct {
		y    []float64
		want error
	}{
		"two pairs": {[]float64{1, 3, math.NaN(), 4, math.Inf(1)}, ErrEmpty}, "constant": {[]float64{2, 2, 2, 7, 2}, ErrConstant},
		"short": {[]float64{2}, ErrShape},
	} {
		if got, err := one.Spearman(c.y); !errors.Is(err, c.want) {
			t.Errorf("%s: %+v, %v, want %v", what, got, err, c.want)
		}
	}
	if got, err := one.Spearman([]float64{2, 4, 5, 1, 70}); err != nil || got.Rho != 1 || !math.IsNaN(got.P) {
		t.Errorf("same order: %+v, %v, want rho 1 without p", got, err)
	}
}

func TestBetaTailAgreesWithR(t *testing.T) {
	r := readReference(t).Betas
	for i, want := range r.Log {
		a, b, x := float64(r.A[i]), float64(r.B[i]), float64(r.X[i])
		p, log := betaTail(a, b, x)
		// Near 0 the logarithm loses the digits that p has after its nines.
		if math.Abs(log-float64(want)) > 1e-9*math.Max(1e-3, math.Abs(float64(want))) {
			t.Errorf("I(%g; %g, %g): log %.17g, R has %.17g", x, a, b, log, float64(want))
		}
		if math.Abs(p-math.Exp(log)) > 1e-12 {
			t.Errorf("I(%g; %g, %g) is %g, its log %g", x, a, b, p, log)
		}
	}
}

func TestMeansWithoutAnswer(t *testing.T) {
	same, nan := []float64{2, 2, 2}, math.NaN()
	for what, c := range map[string]struct {
		groups [][]float64
		want   error
	}{
		"one value":   {[][]float64{{1, nan}, {1, 2}}, ErrOneGroup},
		"constant":    {[][]float64{same, same}, ErrConstant},
		"up to noise": {[][]float64{{0.1 + 0.2, 0.3, 0.3}, {0.6, 0.6}}, ErrConstant},
		"far apart":   {[][]float64{same, {5, 5}}, ErrConstant},
	} {
		if got, err := WelchT(c.groups[0], c.groups[1]); !errors.Is(err, c.want) {
			t.Errorf("t, %s: %+v, %v, want %v", what, got, err, c.want)
		}
		if got, err := ANOVA(c.groups...); !errors.Is(err, c.want) {
			t.Errorf("F, %s: %+v, %v, want %v", what, got, err, c.want)
		}
	}
}

func TestFisherPIsThatOfFisher(t *testing.T) {
	for _, r := range readReference(t).Fishers {
		c := r.Table.ints()
		f, err := Fisher(c[0], c[1], c[2], c[3])
		p, log, no := FisherP(c[0], c[1], c[2], c[3])
		if err != nil || no != nil || p != f.P || log != f.LogP {
			t.Errorf("%v: %g, %g, %v, want %g, %g, %v", c, p, log, no, f.P, f.LogP, err)
		}
	}
	if _, _, err := FisherP(0, 1, -1, 2); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

func TestRanksOfTies(t *testing.T) {
	if got := ranks([]float64{3, 1, 3, math.Copysign(0, -1), 0, 3}); !slices.Equal(got, []float64{5, 3, 5, 1.5, 1.5, 5}) {
		t.Error(got)
	}
}
