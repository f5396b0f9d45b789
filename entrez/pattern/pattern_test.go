package pattern

import (
	"sync"
	"testing"
)

func TestLazyCompilesOnceWhereItIsUsed(t *testing.T) {
	digits := Lazy(`^[0-9]+$`)
	first := digits()
	if !first.MatchString("12") || first.MatchString("1a") {
		t.Error(first)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if digits() != first {
				t.Error("compiled again")
			}
		})
	}
	all.Wait()
}

func TestWrongExpressionPanicsAtItsFirstUse(t *testing.T) {
	wrong := Lazy(`(`)
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	wrong()
}
