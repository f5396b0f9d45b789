package rag

import (
	"testing"

	"biomcp/rag/analyze"
	"biomcp/store/storetest"
)

// An import spends most of its processor time on cutting and analysis.
func BenchmarkCut(b *testing.B) {
	g, c := storetest.New(1), NewCutter()
	bytes := 0
	n := 0
	for b.Loop() {
		b.StopTimer()
		d := g.Document(n)
		b.StartTimer()
		c.Cut(d)
		bytes += len(d.Title) + len(d.Abstract)
		n++
	}
	b.SetBytes(int64(bytes / n))
	b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "docs/s")
}

func BenchmarkParseQuery(b *testing.B) {
	a := analyze.New()
	b.ReportAllocs()
	for b.Loop() {
		ParseQuery(a, `Does "beta-blocker" therapy lower mortality in heart failure with IL-6 above 5 pg/ml?`)
	}
}
