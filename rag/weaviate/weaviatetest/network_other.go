//go:build !linux

package weaviatetest

import (
	"os"
	"runtime"
	"syscall"
	"testing"
)

const noNetwork = "BIOMCP_WEAVIATE_TEST_NO_NETWORK" // why there is none

const freeze, thaw = syscall.SIGKILL, syscall.SIGKILL // no server runs here that could get them

// Main runs the tests of a package; a network of their own needs Linux.
func Main(m *testing.M) int {
	if os.Getenv(Variable) != "" {
		os.Setenv(noNetwork, "this is "+runtime.GOOS+", and it needs Linux")
	}
	return m.Run()
}
