package vectors

import (
	"math"
	"testing"
)

func TestSortable(t *testing.T) {
	list := []float32{float32(math.Inf(-1)), -2, -1, -1e-40, 0, 1e-40, 0.5, 1, float32(math.Inf(1))}
	for i, x := range list[1:] {
		if Sortable(list[i]) >= Sortable(x) {
			t.Errorf("%v is not before %v", list[i], x)
		}
	}
	if zero := float32(math.Copysign(0, -1)); Sortable(zero) != Sortable(0) {
		t.Error("the zeros differ")
	}
}
