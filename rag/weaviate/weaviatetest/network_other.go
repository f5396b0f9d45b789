//go:build !linux

package weaviatetest

import (
	"os"
	"runtime"
	"syscall"
	"testing"
	"time"
)

const noNetwork = "BIOMCP_WEAVIATE_TEST_NO_NETWORK" // reason why there are no namespaces

const freeze, thaw = syscall.SIGKILL, syscall.SIGKILL // unused, because no server runs here

// Main runs the tests of a package and returns the exit code. Network namespaces
// need Linux.
func Main(m *testing.M) int {
	if os.Getenv(Variable) != "" {
		os.Setenv(noNetwork, "this is "+runtime.GOOS+", and it needs Linux")
	}
	return m.Run()
}

// Processor returns zero, because no server runs here.
func (n *Node) Processor(testing.TB) time.Duration { return 0 }

// Processor returns zero, because no server runs here.
func Processor(testing.TB) time.Duration { return 0 }
