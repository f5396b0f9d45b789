//go:build unix

package clinvartable_test

import (
	"syscall"
	"time"
)

// cpu returns the processor time of this process.
func cpu() time.Duration {
	var use syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &use)
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}
