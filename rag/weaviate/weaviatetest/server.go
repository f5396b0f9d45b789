package weaviatetest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Variable is the environment variable with the path of the server program.
const Variable = "BIOMCP_WEAVIATE_SERVER"

// started is the number of nodes started so far. It determines the ports of the next node.
var started atomic.Int32

// A Node is a single server or a node of a cluster.
type Node struct {
	URL string // http://127.0.0.1:…

	gossip string // address
	args   []string
	env    []string
	log    string // file
	cmd    *exec.Cmd
	ended  chan struct{}
}

// Start runs a cluster of n nodes until the test ends, and returns when all are ready. env adds
// variables (NAME=value) to their environment. If servers cannot run, Start skips the test with
// the reason.
func Start(t testing.TB, n int, env ...string) []*Node {
	t.Helper()
	program := os.Getenv(Variable)
	if program == "" {
		t.Skipf("SKIPPED: no Weaviate server: %s is not set", Variable)
	}
	if reason := os.Getenv(noNetwork); reason != "" {
		t.Skip("SKIPPED: no network namespace for the Weaviate server: " + reason)
	}
	dir := t.TempDir()
	base := 7100 + 20*int(started.Add(int32(n))-int32(n))
	var raft []string
	for i := range n {
		raft = append(raft, fmt.Sprintf("node%d:%d", i+1, base+20*i+4))
	}
	nodes := make([]*Node, n)
	for i := range nodes {
		at := base + 20*i
		name := fmt.Sprintf("node%d", i+1)
		node := &Node{
			URL:    fmt.Sprintf("http://127.0.0.1:%d", at),
			gossip: fmt.Sprintf("127.0.0.1:%d", at+2), log: filepath.Join(dir, name+".log"),
			args: []string{program, "--scheme", "http", "--host", "127.0.0.1", "--port", fmt.Sprint(at)},
			env: []string{
				"HOME=" + dir, "PATH=" + os.Getenv("PATH"), "LOG_LEVEL=warning",
				"DISABLE_TELEMETRY=true", "GO_PROFILING_DISABLE=true",
				"PERSISTENCE_DATA_PATH=" + filepath.Join(dir, name), "DEFAULT_VECTORIZER_MODULE=none",
				"ENABLE_MODULES=", "ENABLE_API_BASED_MODULES=false",
				"AUTHENTICATION_ANONYMOUS_ACCESS_ENABLED=true", "AUTOSCHEMA_ENABLED=false", "QUERY_DEFAULTS_LIMIT=20",
				"CLUSTER_HOSTNAME=" + name, "CLUSTER_IN_LOCALHOST=true",
				"CLUSTER_BIND_ADDR=127.0.0.1", "CLUSTER_ADVERTISE_ADDR=127.0.0.1",
				// The server requires the data port to be the gossip port plus one.
				fmt.Sprintf("CLUSTER_GOSSIP_BIND_PORT=%d", at+2), fmt.Sprintf("CLUSTER_ADVERTISE_PORT=%d", at+2),
				fmt.Sprintf("CLUSTER_DATA_BIND_PORT=%d", at+3),
				fmt.Sprintf("RAFT_PORT=%d", at+4), fmt.Sprintf("RAFT_INTERNAL_RPC_PORT=%d", at+5),
				fmt.Sprintf("GRPC_PORT=%d", at+6),
				"RAFT_JOIN=" + strings.Join(raft, ","), fmt.Sprintf("RAFT_BOOTSTRAP_EXPECT=%d", n),
			},
		}
		node.env = append(node.env, env...)
		if i > 0 {
			node.env = append(node.env, "CLUSTER_JOIN="+nodes[0].gossip)
		}
		nodes[i] = node
		node.start(t)
		if i == 0 && n > 1 {
			node.waitFor(t, "accepts neighbours", func(context.Context) bool { // joining earlier would fail
				c, err := net.Dial("tcp", node.gossip)
				if err == nil {
					c.Close()
				}
				return err == nil
			})
		}
	}
	for _, node := range nodes {
		node.Ready(t)
	}
	return nodes
}

func (n *Node) start(t testing.TB) {
	t.Helper()
	log, err := os.OpenFile(n.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	n.cmd = exec.Command(n.args[0], n.args[1:]...)
	n.cmd.Env, n.cmd.Stdout, n.cmd.Stderr = n.env, log, log
	if err := n.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	cmd, ended := n.cmd, make(chan struct{})
	n.ended = ended
	go func() {
		_ = cmd.Wait() // the log contains the reason
		close(ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // fails if it has ended
		<-ended
	})
}

// Ready waits until the node answers.
func (n *Node) Ready(t testing.TB) {
	t.Helper()
	n.waitFor(t, "is ready", func(ctx context.Context) bool {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, n.URL+"/v1/.well-known/ready", nil)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			return false
		}
		reply.Body.Close()
		return reply.StatusCode == http.StatusOK
	})
}

// waitFor waits for at most a minute until holds returns true.
func (n *Node) waitFor(t testing.TB, state string, holds func(context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !holds(ctx) {
		select {
		case <-tick.C:
			continue
		case <-n.ended:
		case <-ctx.Done():
		}
		t.Fatalf("waiting until %s %s:\n%s", n.URL, state, n.tail())
	}
}

func (n *Node) tail() string {
	log, err := os.ReadFile(n.log)
	if err != nil {
		return err.Error()
	}
	return string(log[max(0, len(log)-4000):])
}

// Stop terminates the node, and kills it if it has not ended within ten seconds.
func (n *Node) Stop(t testing.TB) {
	t.Helper()
	n.signal(t, syscall.SIGTERM)
	timer := time.NewTimer(10 * time.Second)
	defer timer.Stop()
	select {
	case <-n.ended:
	case <-timer.C:
		n.Kill(t)
	}
}

// Kill kills the node.
func (n *Node) Kill(t testing.TB) {
	t.Helper()
	n.signal(t, syscall.SIGKILL)
	<-n.ended
}

// Freeze suspends the node: it keeps its connections open, but does not answer.
func (n *Node) Freeze(t testing.TB) { t.Helper(); n.signal(t, freeze) }

// Thaw resumes a frozen node.
func (n *Node) Thaw(t testing.TB) { t.Helper(); n.signal(t, thaw) }

// Restart starts a node that has ended, with its data, and waits until it is ready.
func (n *Node) Restart(t testing.TB) {
	t.Helper()
	<-n.ended
	n.start(t)
	n.Ready(t)
}

func (n *Node) signal(t testing.TB, s os.Signal) {
	t.Helper()
	if err := n.cmd.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}
