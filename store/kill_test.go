package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	_ "biomcp/build/testgc"
	"biomcp/entrez/record"
)

// If this variable is set, the test binary is the process that is killed: it writes batch after
// batch into the folder named, and reports each stored batch.
const writerVariable = "STORE_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerVariable); dir != "" {
		if err := writeForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	if dir := os.Getenv(repairVariable); dir != "" {
		if _, err := repairOf(dir).Run(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const killJob, killDim = "sync_kill", 8

func writeForever(dir string) error {
	ctx := context.Background()
	s, err := Open(ctx, Options{Dir: dir})
	if err != nil {
		return err
	}
	if _, err := s.Lease(ctx, "k"); err != nil {
		return err
	}
	m, err := s.NewModel(ctx, "m", killDim)
	if err != nil {
		return err
	}
	s.sizes = smallPartitions
	done, err := s.StoredSlices(ctx, killJob)
	if err != nil {
		return err
	}
	for n := len(done); ; n++ {
		b := s.Begin("k").WithModel(m.ID)
		for _, op := range killBatch(n) {
			if op.doc == nil {
				b.Delete(op.pmid, "")
			} else if err := b.Put(op.doc); err != nil {
				return err
			}
		}
		b.SliceDone(killJob, strconv.Itoa(n))
		if _, err := b.Commit(ctx); err != nil {
			return err
		}
		fmt.Println("stored", n)
		if err := s.ArrangePartitions(ctx, m.ID); err != nil {
			return err
		}
	}
}

type killOp struct {
	pmid record.PMID
	doc  *Document // nil means delete
}

// killBatch returns the contents of batch n, which are the same in every process.
func killBatch(n int) []killOp {
	rng := rand.New(rand.NewPCG(uint64(n), 31))
	seen := map[record.PMID]bool{}
	var ops []killOp
	for range 1 + rng.IntN(30) {
		pmid := record.PMID(1 + rng.IntN(200))
		if seen[pmid] {
			continue
		}
		seen[pmid] = true
		if rng.IntN(6) == 0 {
			ops = append(ops, killOp{pmid: pmid})
			continue
		}
		doc := randomDocument(rng, pmid, 1000+n)
		for i := range doc.Chunks {
			doc.Chunks[i].Vector = randomUnit(rng, killDim)
		}
		ops = append(ops, killOp{pmid, doc})
	}
	return ops
}

// After SIGKILL at any moment, every acknowledged batch is complete, an unacknowledged one is
// stored completely or not at all, nothing is stored twice, and the next process continues.
func TestKilledAtRandomMoments(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("starts some dozen processes")
	}
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1)) // a different moment in each run
	want := plain{}
	applied := 0
	for kill := range 30 {
		acknowledged := runAndKill(t, dir, kill%2 == 0, time.Duration(rng.IntN(120))*time.Millisecond)
		s := openTest(t, dir, Options{})
		done, err := s.StoredSlices(t.Context(), killJob)
		if err != nil {
			t.Fatal(err)
		}
		if len(done) < acknowledged {
			t.Fatalf("kill %d: %d batches acknowledged, %d stored", kill, acknowledged, len(done))
		}
		for ; applied < len(done); applied++ {
			if !done[strconv.Itoa(applied)] {
				t.Fatalf("kill %d: batch %d is missing, a later one is stored", kill, applied)
			}
			for _, op := range killBatch(applied) {
				if op.doc == nil {
					delete(want, op.pmid)
				} else {
					want[op.pmid] = op.doc
				}
			}
		}
		what := fmt.Sprintf("kill %d, %d batches", kill, applied)
		checkIntegrity(t, s)
		checkSearches(t, rng, s, want, what)
		stats, err := s.Stats(t.Context())
		if err != nil || stats.Documents != int64(len(want)) {
			t.Fatalf("%s: %d documents, want %d: %v", what, stats.Documents, len(want), err)
		}
		for _, m := range stats.Models {
			if m.Missing != 0 {
				t.Errorf("%s: %d vectors are missing", what, m.Missing)
			}
			want.checkNear(t, rng, s, m.ID, killDim, what)
		}
		lease, err := s.Lease(t.Context(), "k")
		if err != nil {
			t.Fatalf("%s: the lease of a dead process: %v", what, err)
		}
		lease.Release()
		s.Close()
	}
	t.Logf("%d batches survived 30 kills", applied)
	if applied == 0 {
		t.Error("no batch was ever stored: nothing was tested")
	}
}

// runAndKill starts a writer and kills it at the given time after its start, or after it has
// reported its first batch if early is set. It returns the number of batches stored so far,
// including those of earlier processes.
func runAndKill(t *testing.T, dir string, early bool, after time.Duration) int {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerVariable+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var failure strings.Builder
	cmd.Stderr = &failure
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begin := sync.OnceFunc(func() { time.AfterFunc(after, func() { cmd.Process.Kill() }) })
	if early {
		begin()
	}
	stored := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if n, ok := strings.CutPrefix(lines.Text(), "stored "); ok {
			begin()
			n, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			stored = n + 1
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("the writer ended by itself: %v %s", err, failure.String())
	}
	return stored
}
