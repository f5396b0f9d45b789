package damaged

import (
	"os"
	"runtime/debug"
	"testing"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(400) // what .ci/run sets: a seventh less processor time
	os.Exit(m.Run())
}
