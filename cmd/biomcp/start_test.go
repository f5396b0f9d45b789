package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"biomcp/cli/result"
)

// modulePath is the path of this module.
var modulePath = strings.TrimSuffix(reflect.TypeFor[result.Argv]().PkgPath(), "/cli/result")

// BenchmarkStart times whole processes in turns, so that a busy machine affects them equally:
// `biomcp version`, a program that only imports the same libraries, and an empty one. It
// reports medians and two ratios, the first of which should stay under 1.5. own-init-ms is the
// time of the initialisers of our own packages and should stay under 0.3.
func BenchmarkStart(b *testing.B) {
	dir := b.TempDir()
	empty := filepath.Join(dir, "empty.go")
	if err := os.WriteFile(empty, []byte("package main\n\nfunc main() {}\n"), 0o600); err != nil {
		b.Fatal(err)
	}
	programs := []struct {
		source string
		args   []string
		times  []time.Duration
	}{
		{source: ".", args: []string{"version"}},
		{source: "../../build/imports"},
		{source: empty},
	}
	for i, p := range programs {
		bin := filepath.Join(dir, string(rune('a'+i)))
		build := exec.Command("go", "build", "-tags=grpcnotrace", "-trimpath", "-ldflags=-s -w", "-o", bin, p.source)
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			b.Fatalf("%v: %s", err, out)
		}
	}
	env := []string{"HOME=" + dir}
	for b.Loop() {
		for i := range programs {
			p := &programs[i]
			cmd := exec.Command(filepath.Join(dir, string(rune('a'+i))), p.args...)
			cmd.Env = env
			start := time.Now()
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
			p.times = append(p.times, time.Since(start))
		}
	}
	own := []float64{}
	for range 9 {
		own = append(own, initialisers(b, filepath.Join(dir, "a"), "version").ms)
	}
	slices.Sort(own)
	b.ReportMetric(own[len(own)/2], "own-init-ms")
	median := func(i int) float64 {
		slices.Sort(programs[i].times)
		return programs[i].times[len(programs[i].times)/2].Seconds() * 1000
	}
	b.ReportMetric(median(0), "version-ms")
	b.ReportMetric(median(1), "imports-ms")
	b.ReportMetric(median(2), "empty-ms")
	b.ReportMetric(median(0)/median(1), "ratio-to-imports")
	b.ReportMetric(median(0)/median(2), "ratio-to-empty")
}

// initialised is the cost of the initialisers of our own packages in one process.
type initialised struct {
	ms    float64
	bytes int
	trace string
}

// initialisers runs a program that prints a trace of its initialisers, and sums up those of our
// packages except test packages.
func initialisers(t testing.TB, name string, args ...string) (sum initialised) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "GODEBUG=inittrace=1", "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for line := range strings.Lines(string(out)) {
		var pkg string
		var at, ms float64
		var bytes int
		n, _ := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes", &pkg, &at, &ms, &bytes)
		if n == 4 && strings.HasPrefix(pkg, modulePath+"/") && !strings.Contains(pkg, "test") {
			sum.ms, sum.bytes, sum.trace = sum.ms+ms, sum.bytes+bytes, sum.trace+line
		}
	}
	if sum.trace == "" {
		t.Fatalf("no initialiser of ours in the trace: %s", out)
	}
	return sum
}

// Regular expressions and tables are built on first use. The test measures memory rather than
// time, because memory hardly varies between runs. Allocations of the runtime add to it, so the
// minimum of several runs counts.
func TestPackageInitialisersAllocateLittle(t *testing.T) {
	// Most of it holds the declarations of sources: addresses, parameters, and conditions of a valid reply.
	got := initialisers(t, os.Args[0], "-test.run=^$")
	for range 3 {
		if again := initialisers(t, os.Args[0], "-test.run=^$"); again.bytes < got.bytes {
			got = again
		}
	}
	if got.bytes > 72<<10 {
		t.Errorf("the initialisers of our packages allocate %d bytes:\n%s", got.bytes, got.trace)
	}
}
