package clinvartable_test

import (
	"syscall"
	"time"
)

// cpu returns the processor time of this process.
func cpu() time.Duration {
	process, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var began, ended, kernel, user syscall.Filetime
	if syscall.GetProcessTimes(process, &began, &ended, &kernel, &user) != nil {
		return 0
	}
	span := func(t syscall.Filetime) time.Duration { // units of 100 ns
		return time.Duration(int64(t.HighDateTime)<<32+int64(t.LowDateTime)) * 100
	}
	return span(kernel) + span(user)
}
