package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// levels returns the indicator columns of a category, without its first level.
func levels(of []string, names ...string) (columns [][]float64) {
	for _, name := range names[1:] {
		column := make([]float64, len(of))
		for i, o := range of {
			column[i] = oneIf(o == name)
		}
		columns = append(columns, column)
	}
	return columns
}

// A category whose only member is censored before the first event, and one with events in
// nobody, leave the other terms as R has them: NA for z and rare. R 4.2.2, survival 3.5-3:
//
//	i <- 0:23; t <- (i*7)%%24+2; e <- as.numeric(i%%3!=0); a <- i%%2; g <- c("x","y","x","z")[(i*5)%%4+1]
//	t <- c(t, 1); e <- c(e, 0); a <- c(a, 1); g <- factor(c(g, "rare"), levels=c("x","y","z","rare"))
//	m <- coxph(Surv(t,e)~a+g, control=coxph.control(eps=1e-13, iter.max=60)); summary(m); m$loglik
//	cox.zph(m, transform="km", terms=FALSE)
func TestCoxWithACategoryCensoredBeforeTheFirstEvent(t *testing.T) {
	var obs []Obs
	var a []float64
	var g []string
	for i := range 24 {
		obs = append(obs, Obs{float64((i*7)%24 + 2), i%3 != 0})
		a = append(a, float64(i%2))
		g = append(g, []string{"x", "y", "x", "z"}[(i*5)%4])
	}
	obs, a, g = append(obs, Obs{1, false}), append(a, 1), append(g, "rare")
	m, err := Cox(obs, append([][]float64{a}, levels(g, "x", "y", "z", "rare")...), nil)
	if err != nil {
		t.Fatal(err)
	}
	for j, want := range [][2]float64{{0.06498262499918668, 0.6187398437528878}, {-0.57598566618130076, 0.7769671263690748}} {
		check(t, "coefficient", m.Terms[j].Coef, number(want[0]))
		check(t, "standard error", m.Terms[j].SE, number(want[1]))
	}
	for j := 2; j < 4; j++ {
		if got := m.Terms[j]; !got.Aliased || !math.IsNaN(got.HR.Estimate) {
			t.Errorf("term %d: want no estimate, got %+v", j, got)
		}
	}
	check(t, "likelihood", m.Likelihood[1], -35.01929264917002)
	_, all := m.ProportionalHazards([][]int{{0}, {1, 2, 3}})
	checkTest(t, "proportional hazards", all, numbers{0.3628311422533352, 2, 0.83408866349689})
}

// If the reference has no events, the hazard ratios against it are infinite, but the other terms
// are adjusted for the contrast between them. R 4.2.2, survival 3.5-3:
//
//	i <- 0:59; t <- (i*37)%%60+1; h <- c("none","p","q","none")[i%%4+1]; e <- as.numeric(h!="none" & (i*7)%%5!=0)
//	age <- 40+(i*11)%%31; m <- coxph(Surv(t,e)~age+h, control=coxph.control(eps=1e-13, iter.max=60))
//	summary(m); cox.zph(m, transform="km", terms=FALSE)
func TestCoxWithAReferenceWithoutEvents(t *testing.T) {
	var obs []Obs
	var age []float64
	var h []string
	for i := range 60 {
		h = append(h, []string{"none", "p", "q", "none"}[i%4])
		obs = append(obs, Obs{float64((i*37)%60 + 1), h[i] != "none" && (i*7)%5 != 0})
		age = append(age, float64(40+(i*11)%31))
	}
	m, err := Cox(obs, append([][]float64{age}, levels(h, "none", "p", "q")...), nil)
	if err != nil {
		t.Fatal(err)
	}
	check(t, "coefficient", m.Terms[0].Coef, -0.01179742200410275)
	check(t, "standard error", m.Terms[0].SE, 0.02233034883229803)
	for j := 1; j < 3; j++ {
		if got := m.Terms[j]; !got.Infinite || !math.IsInf(got.HR.Estimate, 1) {
			t.Errorf("term %d: want an infinite hazard ratio, got %+v", j, got)
		}
	}
	_, all := m.ProportionalHazards([][]int{{0}, {1, 2}})
	if !(math.Abs(all.P-0.43394104005438) < 1e-7) || all.DF != 2 {
		t.Errorf("proportional hazards: want 2 df, p 0.43394104, got %+v", all)
	}
}

// A category of one stratum alone does not vary among those at risk. A column that some
// patients have only before the first event of their stratum does not either.
func TestCoxWithACategoryOfOneStratum(t *testing.T) {
	var obs []Obs
	var x, only []float64
	var strata []int
	for i := range 30 {
		obs = append(obs, Obs{float64(3 + (i*7)%29), i%2 == 0})
		x, only, strata = append(x, float64(i%5)), append(only, 0.3*float64(i%3)), append(strata, i%3)
	}
	with, err := Cox(obs, [][]float64{x, only}, strata)
	if err != nil {
		t.Fatal(err)
	}
	without, err := Cox(obs, [][]float64{x}, strata)
	if err != nil {
		t.Fatal(err)
	}
	if !with.Terms[1].Aliased || with.Terms[0] != without.Terms[0] {
		t.Errorf("want %+v and no estimate, got %+v", without.Terms[0], with.Terms)
	}
}

// With many rare categories some estimates do not exist, but the others always do, and are those
// of the model without the aliased columns.
func TestCoxAlwaysConverges(t *testing.T) {
	finite, aliased, infinite := 0, 0, 0
	for seed := range 400 {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		n := 12 + r.IntN(100)
		var obs []Obs
		columns := [][]float64{make([]float64, n)}
		for i := range n {
			obs = append(obs, Obs{math.Floor(r.ExpFloat64() * 30), r.Float64() < []float64{.2, .5, .8}[seed%3]})
			columns[0][i] = r.NormFloat64()
		}
		for range 2 {
			of, k := make([]string, n), 2+r.IntN(6)
			for i := range of {
				of[i] = string(rune('a' + int(math.Pow(r.Float64(), 3)*float64(k))))
			}
			columns = append(columns, levels(of, []string{"a", "b", "c", "d", "e", "f", "g"}[:k]...)...)
		}
		m, err := Cox(obs, columns, nil)
		if err != nil {
			if err != ErrNoEvents {
				t.Errorf("seed %d: %v", seed, err)
			}
			continue
		}
		var kept [][]float64
		var of []int
		for j, term := range m.Terms {
			if term.Aliased {
				aliased++
				continue
			}
			kept, of = append(kept, columns[j]), append(of, j)
		}
		again, err := Cox(obs, kept, nil)
		if err != nil {
			t.Errorf("seed %d without the aliased columns: %v", seed, err)
			continue
		}
		for k, term := range again.Terms {
			got := m.Terms[of[k]]
			switch {
			case term.Infinite != got.Infinite:
				t.Errorf("seed %d: want %+v, got %+v", seed, term, got)
			case got.Infinite:
				infinite++
			default:
				finite++
				if !slices.ContainsFunc(m.Terms, func(t CoxTerm) bool { return t.Infinite }) && !(math.Abs(term.Coef-got.Coef) < 1e-7*(1+math.Abs(term.Coef))) {
					t.Errorf("seed %d: want %+v, got %+v", seed, term, got)
				}
			}
		}
	}
	if finite < 1000 || aliased < 100 || infinite < 100 {
		t.Errorf("too few: %d finite, %d aliased, %d infinite", finite, aliased, infinite)
	}
}
