package cli

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Most tests wait for the pace of a simulated NCBI and not for a processor, so
// more of them run at a time than there are processors.
func TestMain(m *testing.M) {
	if err := flag.Set("test.parallel", "16"); err != nil {
		panic(err)
	}
	debug.SetGCPercent(400) // what .ci/run sets: a tenth less processor time
	os.Exit(m.Run())
}
