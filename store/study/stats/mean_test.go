package stats

import (
	"math"
	"testing"
)

// Equal means of decimal numbers are equal as floats, so that they are a tie for a rank test.
func TestEqualMeansAreTies(t *testing.T) {
	for a := range 40 {
		for b := range 40 {
			for c := range 3 {
				x, y := float64(a-20)/10, float64(b-20)/10
				shift := float64(c) / 10
				got := Mean([]float64{x, y})
				if want := float64(a+b-40) / 20; got != want {
					t.Errorf("mean of %g and %g: want %g, got %.17g", x, y, want, got)
				}
				if other := Mean([]float64{float64(a-20+c) / 10, float64(b-20-c) / 10}); other != got {
					t.Errorf("mean of %g and %g moved by %g: want %.17g, got %.17g", x, y, shift, got, other)
				}
			}
		}
	}
	if a, b := Mean([]float64{.1, .2, .8}), Mean([]float64{-1.2, 1.1, 1.2}); a != b {
		t.Errorf("two means of 1.1/3: want a tie, got %.17g and %.17g", a, b)
	}
	if !math.IsNaN(Mean(nil)) {
		t.Error("want NaN without values")
	}
}
