// Package start delays the first garbage collection until the program has started. The
// libraries initialise more than the 4 MB at which Go first collects, and two collections
// took a sixth of the processor time of a short command. The import path of this package
// sorts before theirs, so it is initialised first
// (https://go.dev/ref/spec#Program_initialization).
package start

import (
	"os"
	"runtime"
	"runtime/debug"
)

// startPercent is the GOGC value until the first collection, at about 32 MB.
const startPercent = 800

func init() { wait(os.Getenv("GOGC")) }

// wait delays the first collection unless the user has set GOGC.
func wait(gogc string) {
	if gogc == "" {
		usual := debug.SetGCPercent(startPercent)
		runtime.AddCleanup(new(*int), func(usual int) { debug.SetGCPercent(usual) }, usual) // at the first collection
	}
}
