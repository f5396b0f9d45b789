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
	inside    = "BIOMCP_WEAVIATE_TEST_INSIDE"     // set for the tests within the network of their own
	noNetwork = "BIOMCP_WEAVIATE_TEST_NO_NETWORK" // why there is none
)

// The signals that stop a process where it is, and let it go on.
const freeze, thaw = syscall.SIGSTOP, syscall.SIGCONT

// Main runs the tests of a package. Where a server is named, they run in a process
// that is alone in a network and a process space of its own.
func Main(m *testing.M) int {
	switch {
	case os.Getenv(Variable) == "":
		return m.Run()
	case os.Getenv(inside) != "":
		if err := raiseLoopback(); err != nil {
			fmt.Fprintln(os.Stderr, "weaviatetest: the loopback interface:", err)
			return 1
		}
		return m.Run()
	}
	// The inner process dies with the thread that started it.
	runtime.LockOSThread()
	code, err := again()
	if err == nil {
		return code
	}
	os.Setenv(noNetwork, err.Error())
	return m.Run()
}

// again runs this test program in its own namespaces, and returns its exit code.
func again() (int, error) {
	self, err := os.Executable()
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(self, os.Args[1:]...)
	cmd.Env = append(os.Environ(), inside+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET | syscall.CLONE_NEWPID, Pdeathsig: syscall.SIGKILL}
	if id := os.Getuid(); id != 0 {
		cmd.SysProcAttr.Cloneflags |= syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil // -1: a signal
	}
	return 0, err
}

// raiseLoopback switches the interface lo on, which a new network has off.
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
