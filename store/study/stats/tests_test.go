package stats

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestFisherAgreesWithR(t *testing.T) {
	for _, r := range readReference(t).Fishers {
		c := r.Table.ints()
		f, err := Fisher(c[0], c[1], c[2], c[3])
		if err != nil {
			t.Fatal(err)
		}
		t.Log(c)
		check(t, "p", f.P, r.P[0])
		checkInterval(t, "odds ratio", f.OddsRatio, r.Odds)
	}
}

func TestFisherPublishedValues(t *testing.T) {
	for _, c := range []struct {
		a, b, c, d int
		p          float64
	}{{1, 1, 1, 2, 1}, {1, 9, 11, 3, 0.002759456185220083}, {0, 5, 5, 0, 0.007936507936507936}, {10, 0, 0, 10, 1.082508822446903e-05}} {
		t.Run(fmt.Sprint(c.a), func(t *testing.T) {
			f, err := Fisher(c.a, c.b, c.c, c.d)
			if err != nil || !same(f.P, c.p) {
				t.Errorf("%v: %.17g, %v", c, f.P, err)
			}
			p, _, err := FisherTable([][]int{{c.a, c.b}, {c.c, c.d}})
			if err != nil || !same(p, c.p) {
				t.Errorf("%v as a table: %.17g, %v", c, p, err)
			}
		})
	}
	if _, err := Fisher(-1, 2, 3, 4); !errors.Is(err, ErrShape) {
		t.Error(err)
	}
}

func TestTablesAgreeWithR(t *testing.T) {
	for _, r := range readReference(t).Tables {
		var table [][]int
		for _, row := range r.Table {
			table = append(table, row.ints())
		}
		p, _, err := FisherTable(table)
		if err != nil {
			t.Fatal(err)
		}
		check(t, "Fisher's p", p, r.Fisher[0])
		c, err := ChiSquare(table)
		if err != nil {
			t.Fatal(err)
		}
		checkTest(t, "chi-square", c.Test, r.Chi2)
		check(t, "Cramér's V", c.CramersV, r.V[0])
		check(t, "least expected", c.LeastExpected, r.Least[0])
		// A row and a column of zeros are ignored.
		for i := range table {
			table[i] = append(table[i], 0)
		}
		table = append(table, make([]int, len(table[0])))
		if q, _, err := FisherTable(table); err != nil || !same(q, p) {
			t.Errorf("with zeros %g, %v", q, err)
		}
	}
}

func TestFisherTableIsTheSameToTheLastDigit(t *testing.T) {
	table := [][]int{{17, 15, 17, 16}, {20, 19, 17, 19}, {9, 11, 10, 12}}
	first, _, err := FisherTable(table)
	if err != nil {
		t.Fatal(err)
	}
	for range 10 {
		if p, _, err := FisherTable(table); err != nil || p != first {
			t.Errorf("%v and %v, %v", p, first, err)
		}
	}
}

func TestTablesWithoutAnswer(t *testing.T) {
	for what, c := range map[string]struct {
		table [][]int
		want  error
	}{
		"empty":      {nil, ErrEmpty},
		"one row":    {[][]int{{1, 2}}, ErrOneGroup},
		"one filled": {[][]int{{1, 2}, {0, 0}}, ErrOneGroup},
		"one column": {[][]int{{1, 0}, {2, 0}}, ErrConstant},
		"ragged":     {[][]int{{1, 2}, {3}}, ErrShape},
		"negative":   {[][]int{{1, 2}, {3, -1}}, ErrShape},
	} {
		t.Run(what, func(t *testing.T) {
			_, chi := ChiSquare(c.table)
			_, _, exact := FisherTable(c.table)
			if !errors.Is(chi, c.want) || !errors.Is(exact, c.want) {
				t.Errorf("%s: %v, %v", what, chi, exact)
			}
		})
	}
	big := make([][]int, 8)
	for i := range big {
		big[i] = []int{90 + i, 80, 70 + 3*i, 60, 55, 44, 33 + i, 21}
	}
	if _, _, err := FisherTable(big); !errors.Is(err, ErrTooLarge) {
		t.Errorf("4,000 counts in 64 cells: %v", err)
	}
}

func TestRankTestsAgreeWithR(t *testing.T) {
	r := readReference(t)
	for i, w := range r.Wilcoxons {
		got, err := MannWhitney(append(w.X.floats(), math.NaN()), w.Y.floats())
		if err != nil {
			t.Fatal(err)
		}
		if got.Exact != w.Exact[0] {
			t.Errorf("%d is exact: %t", i, got.Exact)
		}
		check(t, "U", got.U, w.U[0])
		check(t, "p", got.P, w.P[0])
		checkInterval(t, "shift", got.Shift(), w.Shift)
		check(t, "superiority", got.Superiority, w.U[0]/number(len(w.X)*len(w.Y)))
	}
	for _, k := range r.Kruskals {
		var groups [][]float64
		for _, g := range k.Groups {
			groups = append(groups, g.floats())
		}
		got, err := KruskalWallis(append(groups, nil)...)
		if err != nil {
			t.Fatal(err)
		}
		checkTest(t, "Kruskal-Wallis", got.Test, k.H)
	}
}

func TestMannWhitneyPublishedValue(t *testing.T) {
	got, err := MannWhitney([]float64{1, 2, 2, 5}, []float64{2, 3, 4})
	if err != nil || got.U != 4 || !same(got.P, 0.5820796519295022) || got.Exact {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestRanksWithoutAnswer(t *testing.T) {
	nan := math.NaN()
	if _, err := MannWhitney(nil, []float64{1}); !errors.Is(err, ErrOneGroup) {
		t.Error(err)
	}
	if _, err := MannWhitney([]float64{nan}, []float64{1}); !errors.Is(err, ErrOneGroup) {
		t.Error(err)
	}
	if _, err := MannWhitney([]float64{3, 3}, []float64{3}); !errors.Is(err, ErrConstant) {
		t.Error(err)
	}
	if _, err := KruskalWallis([]float64{1, 2}, []float64{nan}); !errors.Is(err, ErrOneGroup) {
		t.Error(err)
	}
	if _, err := KruskalWallis([]float64{1}, []float64{1}); !errors.Is(err, ErrConstant) {
		t.Error(err)
	}
}

func TestShiftOfLargeSamplesTakesNoMemoryForPairs(t *testing.T) {
	x, y := make([]float64, 20_000), make([]float64, 20_000)
	for i := range x {
		x[i], y[i] = float64((i*7919)%20_011)+3, float64((i*7919)%20_011)
	}
	allocated := testing.AllocsPerRun(1, func() {
		if got, err := MannWhitney(x, y); err != nil || got.Shift().Estimate != 3 {
			t.Errorf("%+v, %v", got, err)
		}
	})
	if allocated > 100 {
		t.Errorf("%g allocations", allocated)
	}
}

func TestDescriptionsAgreeWithR(t *testing.T) {
	r := readReference(t)
	v := r.Quantiles.Values.floats()
	sorted := slices.Sorted(slices.Values(v))
	for i, p := range r.Quantiles.Of {
		check(t, "quantile", Quantile(sorted, float64(p)), r.Quantiles.Is[i])
	}
	d := Describe(append(v, math.NaN()))
	check(t, "Q1", d.Q1, r.Quantiles.Is[2])
	check(t, "median", d.Median, r.Quantiles.Is[3])
	if d.N != len(v) || d.Min != sorted[0] || d.Max != sorted[len(v)-1] {
		t.Errorf("%+v", d)
	}
	if d := Describe(nil); d.N != 0 || !math.IsNaN(d.Mean) {
		t.Errorf("%+v", d)
	}
	p := r.Adjusted.P.floats()
	for i := range p {
		p[i] = math.Log(p[i])
	}
	for i, q := range FalseDiscovery(p) {
		check(t, "q", math.Exp(q), r.Adjusted.Q[i])
	}
	p = append(p[:3:3], append([]float64{math.NaN()}, p[3:]...)...)
	q := FalseDiscovery(p)
	check(t, "q next to a missing p", math.Exp(q[2]), r.Adjusted.Q[2])
	if !math.IsNaN(q[3]) {
		t.Errorf("a missing p has q %g", q[3])
	}
	for i, k := range r.Proportions.K {
		got := Proportion(int(k), int(r.Proportions.N[i]))
		checkInterval(t, "proportion", got, numbers{k / r.Proportions.N[i], r.Proportions.Low[i], r.Proportions.High[i]})
	}
	if got := Proportion(0, 0); !math.IsNaN(got.Low) {
		t.Errorf("%v", got)
	}
}

func TestShiftIsThatOfAllPairs(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := range 60 {
		x, y := make([]float64, 1+r.IntN(60)), make([]float64, 1+r.IntN(60))
		for _, v := range [][]float64{x, y} {
			for i := range v {
				v[i] = math.Round(r.NormFloat64()*4) * math.Pow(10, float64(r.IntN(1+n%3*20)))
			}
			slices.Sort(v)
		}
		var all []float64
		for _, a := range x {
			for _, b := range y {
				all = append(all, a-b)
			}
		}
		slices.Sort(all)
		for k, want := range all {
			if got := difference(x, y, k+1); got != want {
				t.Fatalf("%v and %v: difference %d is %g, want %g", x, y, k+1, got, want)
			}
		}
	}
}

func BenchmarkMannWhitney_550And550(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 6))
	x, y := make([]float64, 550), make([]float64, 550)
	for i := range x {
		x[i], y[i] = r.NormFloat64(), r.NormFloat64()
	}
	for b.Loop() {
		if _, err := MannWhitney(x, y); err != nil {
			b.Fatal(err)
		}
	}
}
