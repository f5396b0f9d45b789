package weaviatetest

import (
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Processor returns the processor time that the node has used.
func (n *Node) Processor(t testing.TB) time.Duration {
	t.Helper()
	return processor(t, n.cmd.Process.Pid)
}

// Processor returns the processor time that this process has used.
func Processor(t testing.TB) time.Duration {
	t.Helper()
	return processor(t, 0)
}

// processor reads the processor clock of a process (clock_getcpuclockid(3)). It does not read
// /proc/PID/stat, because the namespaces of the tests (Main) have their own process numbers and
// the file would belong to another process.
func processor(t testing.TB, pid int) time.Duration {
	t.Helper()
	var used unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|2), &used); err != nil {
		t.Fatal("the processor clock:", err)
	}
	return time.Duration(used.Nano())
}
