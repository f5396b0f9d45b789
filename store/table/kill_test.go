package table_test

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

	"biomcp/store/table"
)

// If this variable is set, the test binary is the process that is killed: it stores version after
// version in the folder named, and reports each stored version.
const writerVariable = "TABLE_TEST_WRITER"

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerVariable); dir != "" {
		if err := replaceForever(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func replaceForever(dir string) error {
	tables, err := table.Open(context.Background(), dir, false)
	if err != nil {
		return err
	}
	next := 1
	if info, err := tables.Info(context.Background(), "gtr"); err == nil {
		next = info.Version + 1
	} else if !table.IsAbsent(err) {
		return err
	}
	for ; ; next++ {
		info, err := replace(context.Background(), tables, "gtr", rowsOf(next)...)
		if err != nil {
			return err
		}
		fmt.Println("stored", info.Version)
	}
}

// rowsOf returns the rows of a version; each row names the version.
func rowsOf(version int) (rows []*table.Row) {
	for i := range 300 + 40*(version%5) {
		rows = append(rows, row(fmt.Sprintf("t%d", i), fmt.Sprintf("test of version%d", version), fmt.Sprintf("gene=gene%d", version)))
	}
	return rows
}

// After SIGKILL at any moment, every acknowledged version is complete, an unacknowledged one is
// stored completely or not at all, and the next process continues.
func TestKilledAtRandomMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a dozen processes")
	}
	dir := t.TempDir()
	last := 0
	for kill := range 12 {
		acknowledged := max(last, runAndKill(t, dir, kill%2 == 0, time.Duration(rand.IntN(150))*time.Millisecond))
		tables, err := table.Open(t.Context(), dir, false)
		if err != nil {
			t.Fatal(err)
		}
		info, err := tables.Info(t.Context(), "gtr")
		if err != nil && (acknowledged > 0 || !table.IsAbsent(err)) {
			t.Fatalf("kill %d: version %d was acknowledged: %v", kill, acknowledged, err)
		}
		if last = info.Version; last < acknowledged {
			t.Fatalf("kill %d: version %d is stored, and %d was acknowledged", kill, last, acknowledged)
		}
		if want := len(rowsOf(last)); last > 0 {
			for _, q := range []table.Query{{}, {Text: fmt.Sprint("version", last)}, {Conditions: []table.Condition{{Fields: []string{"gene"}, Text: fmt.Sprint("gene", last), Exact: true}}}} {
				t.Run(fmt.Sprint(q), func(t *testing.T) {
					found, err := tables.Find(t.Context(), "gtr", q)
					if err != nil || found.Total != want || found.Info.Rows != want {
						t.Errorf("kill %d, version %d: %+v: %+v, %v, want %d rows", kill, last, q, found, err, want)
					}
				})
			}
		}
		if err := tables.Close(); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d versions survived 12 kills", last)
	if last == 0 {
		t.Error("no version was ever stored: nothing was tested")
	}
}

// runAndKill starts a writer and kills it at the given time after its start, or after it has
// reported its first stored version if early is set. It returns the last version reported.
func runAndKill(t *testing.T, dir string, early bool, after time.Duration) (version int) {
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
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if n, ok := strings.CutPrefix(lines.Text(), "stored "); ok {
			begin()
			if version, err = strconv.Atoi(n); err != nil {
				t.Fatal(err)
			}
		}
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Fatalf("the writer ended by itself: %v %s", err, failure.String())
	}
	return version
}
