package start

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestOnlyTheFirstCollectionIsLate(t *testing.T) {
	if os.Getenv("GOGC") != "" { // else the initialiser has done it
		wait("")
	}
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
