package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// BenchmarkStart times whole processes: `biomcp version`, a program that only
// imports the same libraries, and an empty one, taking turns so that a busy
// machine is unfair to none. It reports medians and the two ratios; the first
// is to stay under 1.5.
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
		build := exec.Command("go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, p.source)
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
