// Package start lets the program start without collecting garbage: what the libraries make
// ready is more than the 4 MB at which Go collects first, and two collections were a sixth of
// the processor time of a short command. Its path comes before theirs, and so it is
// initialised before them (https://go.dev/ref/spec#Program_initialization).
package start

import (
	"os"
	"runtime"
	"runtime/debug"
)

// first is how much later than usual the first collection comes, in percent: at 32 MB.
const first = 800

func init() { wait(os.Getenv("GOGC")) }

// wait puts the first collection off, unless the user has set how often there is one.
func wait(gogc string) {
	if gogc == "" {
		usual := debug.SetGCPercent(first)
		runtime.AddCleanup(new(*int), func(usual int) { debug.SetGCPercent(usual) }, usual) // by the first collection
	}
}
