package intake

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"

	"biomcp/store/disk"
	"biomcp/store/storetest"
)

var (
	benchFolder  = flag.String("bench-folder", "", "the folder in which BenchmarkGrowth makes its corpus, and leaves it; none: a temporary one")
	benchVectors = flag.Bool("bench-vectors", false, "BenchmarkGrowth makes vectors too")
)

// What a record costs as the corpus grows. The files are made up one at a time, 30,000
// records each, and removed when they are imported, so that the disk holds the corpus
// alone; making them is not measured. The log is the curve: documents, processor time a
// record and bytes a document. growth is what a record of the last tenth costs for one of
// the first 100,000. Sizes above 100k are run by their names:
//
//	go test ./rag/intake -run=^$ -bench=Growth_1M -benchtime=1x -timeout=2h -bench-folder /disk/corpus
func BenchmarkGrowth_100k(b *testing.B) { benchmarkGrowth(b, 100_000, "100k") }
func BenchmarkGrowth_1M(b *testing.B)   { benchmarkGrowth(b, 1_000_000, "1M") }
func BenchmarkGrowth_3M(b *testing.B)   { benchmarkGrowth(b, 3_000_000, "3M") }
func BenchmarkGrowth_10M(b *testing.B)  { benchmarkGrowth(b, 10_000_000, "10M") }

func benchmarkGrowth(b *testing.B, n int, name string) {
	if !strings.HasSuffix(flag.Lookup("test.bench").Value.String(), name) {
		b.Skip("run it by its name: -bench=Growth_" + name)
	}
	debug.SetGCPercent(100)                  // what the program has; TestMain sets another
	debug.SetMemoryLimit(MemoryLimit)        // as the program does
	const perFile, perRecord = 30_000, 2_400 // bytes on the disk, with vectors and merging
	for range b.N {
		dir := *benchFolder
		if dir == "" {
			dir = b.TempDir()
		}
		if free, ok := disk.FreeSpace(dir); ok && free < int64(n)*perRecord {
			b.Skipf("%d bytes are free, %d are needed", free, int64(n)*perRecord)
		}
		o := Options{Store: openStore(b, dir), NoVectors: !*benchVectors}
		g := storetest.New(1)
		var costs []float64 // microseconds of processor time per record, by file
		for from := 0; from < n; from += perFile {
			done := min(n, from+perFile)
			path := filepath.Join(dir, fmt.Sprintf("pubmed26n%04d.xml.gz", from/perFile+1))
			b.StopTimer()
			writeFile(b, path, g, from, done)
			b.StartTimer()
			before := cpuSeconds()
			if _, err := Import(b.Context(), o, path); err != nil {
				b.Fatal(err)
			}
			costs = append(costs, (cpuSeconds()-before)*1e6/float64(done-from))
			if err := os.Remove(path); err != nil {
				b.Fatal(err)
			}
			if every := max(1, n/perFile/20); len(costs)%every == 0 {
				b.Logf("%9d documents: %4.0f µs a record, %4d bytes a document", done, mean(costs[len(costs)-every:]), sizeOf(b, dir)/int64(done))
			}
		}
		b.ReportMetric(mean(costs), "cpu-µs/record")
		b.ReportMetric(mean(costs[len(costs)-max(1, len(costs)/10):])/mean(costs[:3]), "growth")
		b.ReportMetric(float64(sizeOf(b, dir))/float64(n), "bytes/doc")
		b.ReportMetric(peakMB(), "peak-MB")
	}
}

func mean(list []float64) (m float64) {
	for _, v := range list {
		m += v / float64(len(list))
	}
	return m
}

// writeFile writes made-up records as a file of PubMed.
func writeFile(b *testing.B, path string, g *storetest.Generator, from, to int) {
	b.Helper()
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	z, err := gzip.NewWriterLevel(f, gzip.BestSpeed)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriterSize(z, 1<<20)
	fmt.Fprint(w, `<?xml version="1.0" encoding="utf-8"?><PubmedArticleSet>`)
	for i := from; i < to; i++ {
		writeXML(w, g.Document(i))
	}
	fmt.Fprint(w, "</PubmedArticleSet>")
	for _, close := range []func() error{w.Flush, z.Close, f.Close} {
		if err := close(); err != nil {
			b.Fatal(err)
		}
	}
}
