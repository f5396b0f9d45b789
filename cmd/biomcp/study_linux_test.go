package main

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"biomcp/store/study/studytest"
)

// Commands about studies as whole processes, with the most memory that one took, next
// to a mere reading of the same files line by line. A first question makes the indexes;
// the others use them.

// These benchmarks run commands about studies as whole processes and report peak memory,
// compared with reading the same files line by line. The first command builds the indexes that
// the others use.
func BenchmarkStudy_11kSamples80kMutations(b *testing.B) {
	benchmarkStudy(b, studytest.Options{ID: "impact_11k", Seed: 1, Patients: 10_400, SecondSamples: 600, Genes: 468, Mutations: 80_000, Panels: true, MutationColumns: 40}, []question{
		{"query", "study query -s impact_11k -g TP53"},
		{"top-mutated", "study top-mutated -s impact_11k"},
		{"survival", "study survival -s impact_11k -g TP53"},
		{"survival-adjusted", "study survival -s impact_11k -g TP53 --adjust AGE,SEX,STAGE"},
		{"co-occurrence", "study co-occurrence -s impact_11k -g TP53,KRAS,EGFR,PIK3CA,PTEN,BRAF"},
		{"compare-all-genes", "study compare -s impact_11k -g TP53 -t mutations --genes all --chart volcano -o volcano.svg"},
	})
}

func BenchmarkStudy_1100SamplesBy20kGenes(b *testing.B) {
	benchmarkStudy(b, studytest.Options{ID: "tcga_1100", Seed: 2, Patients: 1_100, Genes: 15_000, Mutations: 60_000, Matrix: [2]int{20_000, 1_100}}, []question{
		{"query", "study query -s tcga_1100 -g GENE19999 -t expression"},
		{"query-copies", "study query -s tcga_1100 -g GENE19999 -t cna"},
		{"survival", "study survival -s tcga_1100 -g EGFR --by expression --quantiles 4"},
		{"compare", "study compare -s tcga_1100 -g TP53 --target KRAS"},
		{"compare-all-genes", "study compare -s tcga_1100 -g TP53 -t expression --genes all --chart volcano -o volcano.svg"},
		{"compare-all-mutations", "study compare -s tcga_1100 -g TP53 -t mutations --genes all"},
	})
}

type question struct{ name, line string }

func benchmarkStudy(b *testing.B, o studytest.Options, questions []question) {
	home := b.TempDir()
	dir, err := o.Write(filepath.Join(home, "data", "studies"))
	if err != nil {
		b.Fatal(err)
	}
	// Make the files old: the hashes of a recently downloaded study would be compared.
	long := time.Now().Add(-time.Hour)
	if err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, long, long)
	}); err != nil {
		b.Fatal(err)
	}
	b.Run("plain-scan", func(b *testing.B) {
		for b.Loop() {
			b.SetBytes(scan(b, dir))
		}
	})
	for _, q := range questions {
		b.Run(q.name+"-first", func(b *testing.B) {
			measured(b, home, q.line, func() {
				if err := os.RemoveAll(filepath.Join(home, "cache")); err != nil {
					b.Fatal(err)
				}
			})
		})
		b.Run(q.name, func(b *testing.B) { measured(b, home, q.line, func() {}) })
	}
}

// measured runs a command repeatedly, each time after a call of before that is not measured. It
// reports processor time per run and peak memory.
func measured(b *testing.B, home, line string, before func()) {
	peak, busy := 0.0, time.Duration(0)
	for b.Loop() {
		b.StopTimer()
		before()
		b.StartTimer()
		c := exec.Command("biomcp", strings.Fields(line)...)
		c.Dir = home
		c.Env = append(os.Environ(), "BIOMCP_STUDY_DIR="+filepath.Join(home, "data", "studies"), "BIOMCP_CACHE_DIR="+filepath.Join(home, "cache"))
		if out, err := c.CombinedOutput(); err != nil {
			b.Fatalf("%s: %v: %s", line, err, out)
		}
		peak = max(peak, float64(c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)/1e3)
		busy += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	}
	b.ReportMetric(busy.Seconds()*1e3/float64(b.N), "cpu-ms/op")
	b.ReportMetric(peak, "MB-peak")
}

// scan reads the files of a study line by line and returns their size.
func scan(b *testing.B, dir string) (size int64) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Buffer(nil, 64<<20); lines.Scan(); {
			size += int64(len(lines.Bytes())) + 1
		}
		return lines.Err()
	})
	if err != nil {
		b.Fatal(err)
	}
	return size
}
