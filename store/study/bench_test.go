package study

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"biomcp/store/study/stats"
	"biomcp/store/study/studytest"
)

var (
	impact     = studytest.Options{ID: "impact_11k", Seed: 1, Patients: 10_400, SecondSamples: 600, Genes: 468, Mutations: 80_000, Panels: true, MutationColumns: 40}
	expression = studytest.Options{ID: "tcga_1100", Seed: 2, Patients: 1_100, Genes: 15_000, Mutations: 60_000, Matrix: [2]int{20_000, 1_100}}
	packedTCGA = studytest.Options{ID: "tcga_1100_gz", Seed: 2, Patients: 1_100, Genes: 15_000, Mutations: 60_000, Matrix: [2]int{20_000, 1_100}, Gzip: true}
	wide       = studytest.Options{ID: "wide", Seed: 3, Patients: 500, Genes: 40, Mutations: 500, Columns: 10_000}
	made       sync.Map
)

// written writes a study once for all benchmarks.
func written(b *testing.B, o studytest.Options) string {
	b.Helper()
	once, _ := made.LoadOrStore(o.ID, sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp("", "biomcp-study-bench-")
		if err != nil {
			return "", err
		}
		if dir, err = o.Write(dir); err != nil {
			return "", err
		}
		// Set old modification times, so that no hash is compared.
		long := time.Now().Add(-time.Hour)
		return dir, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Chtimes(path, long, long))
		})
	}))
	dir, err := once.(func() (string, error))()
	if err != nil {
		b.Fatal(err)
	}
	return dir
}

func TestMain(m *testing.M) {
	code := m.Run()
	made.Range(func(_, once any) bool {
		if dir, err := once.(func() (string, error))(); err == nil {
			os.RemoveAll(filepath.Dir(dir))
		}
		return true
	})
	os.Exit(code)
}

// measure times the first request, which builds the index, and later requests, which use it. plain
// only reads the file line by line.
func measure(b *testing.B, o studytest.Options, file string, question func(b *testing.B, s *Study)) {
	dir := written(b, o)
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			question(b, opened(b, dir, b.TempDir()))
		}
		reportMemory(b)
	})
	b.Run("later", func(b *testing.B) {
		cache := b.TempDir()
		question(b, opened(b, dir, cache))
		for b.Loop() {
			question(b, opened(b, dir, cache))
		}
		reportMemory(b)
	})
	b.Run("plain", func(b *testing.B) {
		s := opened(b, dir, "")
		for b.Loop() {
			src, err := s.open(file)
			if err != nil {
				b.Fatal(err)
			}
			r, err := src.reader()
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(src.info.Size())
			for l := newLines(file, r); err == nil; {
				_, err = l.next()
			}
			if err != io.EOF {
				b.Fatal(err)
			}
			src.close()
		}
	})
}

// reportMemory reports the peak memory of the process.
func reportMemory(b *testing.B) {
	b.ReportAllocs()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/1e6, "MB-heap")
}

func BenchmarkQueryMutations_11kSamples80kMutations(b *testing.B) {
	measure(b, impact, "data_mutations.txt", func(b *testing.B, s *Study) {
		if g, err := s.GeneMutations("TP53", false); err != nil || g.MutatedSamples == 0 {
			b.Fatal(g, err)
		}
	})
}

func BenchmarkMutatedGenes_11kSamples80kMutations(b *testing.B) {
	measure(b, impact, "data_mutations.txt", func(b *testing.B, s *Study) {
		if g, _, err := s.MutatedGenes(false); err != nil || len(g) < 400 {
			b.Fatal(len(g), err)
		}
	})
}

func BenchmarkSurvival_11kSamples80kMutations(b *testing.B) {
	measure(b, impact, "data_clinical_patient.txt", func(b *testing.B, s *Study) {
		g, err := s.GeneMutations("TP53", false)
		if err != nil {
			b.Fatal(err)
		}
		f := followUpOf(b, s)
		groups := g.GroupByMutation()
		c := Join(f, groups, nil, nil)
		if _, err := stats.LogRank(c.Obs, c.Group, nil); err != nil {
			b.Fatal(err)
		}
		if _, err := stats.KaplanMeier(c.Obs); err != nil {
			b.Fatal(err)
		}
		m, err := stats.Cox(c.Obs, Indicators(c.Group, 2, 1), nil)
		if err != nil {
			b.Fatal(err)
		}
		m.ProportionalHazards([][]int{{0}})
	})
}

func queryExpression(b *testing.B, s *Study) {
	p, ok := s.Profile(Expression, "Z-SCORE")
	if !ok {
		b.Fatal("no expression")
	}
	if v, err := s.GeneValues(p, "GENE19999"); err != nil || v.Profiled.N < 1_000 {
		b.Fatal(v, err)
	}
}

func BenchmarkQueryExpression_1100SamplesBy20kGenes(b *testing.B) {
	measure(b, expression, "data_mrna_seq_v2_rsem_zscores_ref_all_samples.txt", queryExpression)
}

func BenchmarkQueryExpression_1100SamplesBy20kGenesGzip(b *testing.B) {
	measure(b, packedTCGA, "data_mrna_seq_v2_rsem_zscores_ref_all_samples.txt", queryExpression)
}

func BenchmarkAttribute_500PatientsBy10kAttributes(b *testing.B) {
	measure(b, wide, "data_clinical_patient.txt", func(b *testing.B, s *Study) {
		a, err := s.Attribute("ATTRIBUTE_9999")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := s.Values(a); err != nil {
			b.Fatal(err)
		}
	})
}
