package vectors

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestGroupsHoldWhatIsNear(t *testing.T) {
	for _, dim := range []int{64, 100} {
		t.Run(fmt.Sprint(dim), func(t *testing.T) {
			s := NewSpace(dim)
			x := clustered(rand.New(rand.NewPCG(5, 1)), 5000, dim)
			codes := make([]Code, len(x))
			for i := range x {
				codes[i] = s.Encode(x[i])
			}
			group := func() [][]float32 { return s.Group(100, len(codes), func(i int) Code { return codes[i] }, nil) }
			means := group()
			if len(means) < 50 || len(means) > 110 {
				t.Errorf("dimension %d: %d groups, want about 100", dim, len(means))
			}
			if !reflect.DeepEqual(means, group()) {
				t.Errorf("dimension %d: other groups of the same codes", dim)
			}
			m := s.Means(means)
			groups := m.Nearest(codes, nil)
			all := make([]int, m.Len())
			for g := range all {
				all[g] = g
			}
			same, first := 0, 0
			row := make([]float32, dim)
			for i, g := range groups {
				s.decode(row, codes[i], nil)
				if g == m.nearest(row, all) {
					same++
				}
				for at, near := range m.Order(s.Query(x[i])) {
					if near == g && at < 10 {
						first++
					}
				}
			}
			t.Logf("dimension %d: %d groups; %d of %d are in the nearest, %d in one of the ten that a query asks first", dim, m.Len(), same, len(codes), first)
			if same*100 < len(codes)*97 || first*100 < len(codes)*97 {
				t.Errorf("dimension %d: %d and %d of %d", dim, same, first, len(codes))
			}
		})
	}
}

func TestGroupsOfTooFew(t *testing.T) {
	s := NewSpace(8)
	v := unit([]float32{1, 2, 3, 4, 5, 6, 7, 8})
	for _, n := range []int{0, 1, 2, 50} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			codes := make([]Code, n)
			for i := range codes {
				codes[i] = s.Encode(v)
			}
			means := s.Group(40, n, func(i int) Code { return codes[i] }, nil)
			if len(means) > n || n > 0 && len(means) == 0 {
				t.Errorf("%d groups of %d", len(means), n)
			}
			if n > 0 {
				for _, g := range s.Means(means).Nearest(codes, nil) {
					if g != 0 {
						t.Errorf("of equal vectors one is in group %d", g)
					}
				}
			}
		})
	}
}

func BenchmarkNearestOf1000(b *testing.B) {
	s := NewSpace(256)
	x := clustered(rand.New(rand.NewPCG(1, 1)), 1256, 256)
	codes := make([]Code, 256)
	for i := range codes {
		codes[i] = s.Encode(x[i])
	}
	m := s.Means(x[256:])
	for b.Loop() {
		m.Nearest(codes, nil)
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/256, "µs/vector")
}
