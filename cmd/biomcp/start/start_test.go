package start

import (
	"os"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"
)

func TestOnlyTheFirstCollectionIsLate(t *testing.T) {
	if os.Getenv("GOGC") != "" { // otherwise the initialiser has called wait
		wait("")
	}
	runtime.GC()
	percent := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	for deadline := time.Now().Add(time.Minute); ; runtime.Gosched() {
		metrics.Read(percent)
		if percent[0].Value.Uint64() != startPercent {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the collector still waits")
		}
	}
}
