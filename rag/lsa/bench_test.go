package lsa

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"
)

func BenchmarkFit_1k(b *testing.B)  { benchmarkFit(b, 1000) }
func BenchmarkFit_10k(b *testing.B) { benchmarkFit(b, 10_000) }

// A million documents are fitted on as many as this.
func BenchmarkFit_64k(b *testing.B) { benchmarkFit(b, MaxDocs) }

func benchmarkFit(b *testing.B, docs int) {
	for b.Loop() {
		r := rand.New(rand.NewPCG(3, 4))
		f := NewFitter(docs)
		for d := range docs {
			f.Add(tokens(topical(r, d%7, 150, 100_000)))
		}
		started := time.Now()
		m, err := f.Fit(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(time.Since(started).Seconds(), "s/fit")
		b.ReportMetric(float64(len(m.terms)), "terms")
		b.ReportMetric(float64(len(m.terms)*rowSize(m.Dim)), "B/model")
	}
	b.ReportMetric(peakMB(), "peak-MB")
}

func BenchmarkVectors_250words(b *testing.B) {
	texts := topics(5000, 250, 50_000)
	s := open(b, fit(b, texts))
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		vectorsOf(b, s, texts[n%len(texts)])
		n++
	}
}

// peakMB is the greatest resident size of this process so far, on Linux.
func peakMB() (mb float64) {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if _, err := fmt.Sscanf(line, "VmHWM: %f kB", &mb); err == nil {
			return mb / 1024
		}
	}
	return 0
}
