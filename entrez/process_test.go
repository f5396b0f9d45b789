package entrez_test

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/conc/pool"

	_ "biomcp/build/testgc"
	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// TestMain turns this binary into one of the processes of TestProcessesShareTheRate if the
// environment asks for it.
func TestMain(m *testing.M) {
	if os.Getenv("ENTREZ_TEST_URL") == "" {
		os.Exit(m.Run())
	}
	if err := searcher(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

// searcher waits for the signal to start, so that all processes begin together, and searches.
func searcher() error {
	network, err := httpclient.New(httpclient.Config{
		Addresses: map[string]string{entrez.Source.Name: os.Getenv("ENTREZ_TEST_URL")},
		Keys:      map[string]string{ncbi.Key.Variable: os.Getenv("ENTREZ_TEST_KEY")}, SlotDir: os.Getenv("ENTREZ_TEST_SLOTS"),
	})
	if err != nil {
		return err
	}
	c := entrez.New(network)
	requests, err := strconv.Atoi(os.Getenv("ENTREZ_TEST_REQUESTS"))
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	for i := range requests {
		if _, err := c.Search(context.Background(), entrez.SearchParams{Term: fmt.Sprint("asthma ", os.Getpid(), " ", i)}); err != nil {
			return err
		}
	}
	return nil
}

// searches describes the searches of each process in TestProcessesShareTheRate.
type searches struct {
	key     string
	each    int
	delay   time.Duration
	aSecond int
}

// Twelve processes search at the same time over TCP under NCBI's own limit. None gets a 429
// (MaxRetries is 0, so that it would fail), and all finish within the number of requests times the
// delay, plus two seconds. The test makes up to six attempts, since a busy machine can delay a
// request after it was sent.
func TestProcessesShareTheRate(t *testing.T) {
	for name, c := range map[string]searches{
		"no key": {"", 1, 350 * time.Millisecond, 3},
		"a key":  {entreztest.Key, 3, 110 * time.Millisecond, 10},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var failed error
			for range 6 {
				if failed = c.byProcesses(t, 12); failed == nil {
					return
				}
				t.Log(failed)
			}
			t.Error("six attempts failed")
		})
	}
}

// byProcesses starts processes that make the searches. Its error lists the limits that were
// exceeded.
func (c searches) byProcesses(t *testing.T, processes int) error {
	sim := entreztest.New(t, entreztest.File("entreztest/testdata/synthetic.xml"))
	slots := filepath.Join(t.TempDir(), "slots")
	var ready sync.WaitGroup
	done := pool.New().WithErrors()
	start := make(chan struct{})
	for range processes {
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), "ENTREZ_TEST_URL="+sim.EntrezURL(), "ENTREZ_TEST_SLOTS="+slots,
			"ENTREZ_TEST_KEY="+c.key, "ENTREZ_TEST_REQUESTS="+strconv.Itoa(c.each))
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ready.Add(1)
		done.Go(func() error {
			lines := bufio.NewScanner(out)
			lines.Scan()
			ready.Done()
			<-start
			fmt.Fprintln(in)
			var rest []string
			for lines.Scan() {
				rest = append(rest, lines.Text())
			}
			if err := cmp.Or(lines.Err(), cmd.Wait()); err != nil {
				return fmt.Errorf("%w: %s", err, strings.Join(rest, "\n"))
			}
			return nil
		})
	}
	ready.Wait()
	began := time.Now()
	close(start)
	failed := done.Wait()
	took, n := time.Since(began), processes*c.each
	if limit := time.Duration(n)*c.delay + 2*time.Second; took > limit {
		failed = errors.Join(failed, fmt.Errorf("%d requests took %v, at most %v are allowed", n, took, limit))
	}
	at := sim.Requests()
	if len(at) != n {
		failed = errors.Join(failed, fmt.Errorf("%d requests, want %d", len(at), n))
	}
	if limited := sim.Limited(); limited != 0 {
		failed = errors.Join(failed, fmt.Errorf("%d requests were answered 429, want none", limited))
	}
	for i := c.aSecond; i < len(at); i++ {
		if d := at[i].At.Sub(at[i-c.aSecond].At); d < time.Second {
			failed = errors.Join(failed, fmt.Errorf("requests %d to %d arrived within %v", i-c.aSecond, i, d))
		}
	}
	t.Logf("%d requests of %d processes in %v, %v apart", n, processes, took, took/time.Duration(n))
	return failed
}
