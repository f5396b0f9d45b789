package weaviatetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

const (
	insideVariable = "BIOMCP_WEAVIATE_TEST_INSIDE"     // set for the tests inside the namespaces
	noNetwork      = "BIOMCP_WEAVIATE_TEST_NO_NETWORK" // reason why there are no namespaces
)

// The signals that suspend and resume a process.
const freeze, thaw = syscall.SIGSTOP, syscall.SIGCONT

// Main runs the tests of a package and returns the exit code. If Variable is set,
// it runs them in a process with new network and process namespaces.
func Main(m *testing.M) int {
	switch {
	case os.Getenv(Variable) == "":
		return m.Run()
	case os.Getenv(insideVariable) != "":
		if err := raiseLoopback(); err != nil {
			fmt.Fprintln(os.Stderr, "weaviatetest: the loopback interface:", err)
			return 1
		}
		return m.Run()
	}
	// The inner process is killed when the thread that started it ends.
	runtime.LockOSThread()
	code, err := runInNamespaces()
	if err == nil {
		return code
	}
	os.Setenv(noNetwork, err.Error())
	return m.Run()
}

// runInNamespaces runs this test program in new namespaces and returns its exit
// code.
func runInNamespaces() (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), insideVariable+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWPID,
		Pdeathsig:  syscall.SIGKILL,
	}
	if id := os.Getuid(); id != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil // -1 means a signal
	}
	return 0, err
}

// raiseLoopback enables the interface lo, which is disabled in a new namespace.
func raiseLoopback() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, lo)
}
