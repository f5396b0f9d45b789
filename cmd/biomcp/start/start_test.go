package start

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestOnlyTheFirstCollectionIsLate(t *testing.T) {
	wait("") // the tests may run where a user has set GOGC
	runtime.GC()
	for deadline := time.Now().Add(time.Minute); ; runtime.Gosched() {
		got := debug.SetGCPercent(first)
		debug.SetGCPercent(got)
		if got != first {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the collector still waits")
		}
	}
}
