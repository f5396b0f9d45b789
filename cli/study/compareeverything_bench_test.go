package study_test

import (
	"runtime"
	"testing"

	"biomcp/cli/clitest"
	"biomcp/cli/command"
	"biomcp/cli/command/commandtest"
	"biomcp/store/study/studytest"
)

// benchmarkStudy times a line about a generated study, whose index is built by the first request.
func benchmarkStudy(b *testing.B, o studytest.Options, line string) {
	app := commandtest.Disk(b)
	if _, err := o.Write(app.Env.StudyDir); err != nil {
		b.Fatal(err)
	}
	ask := func() {
		if text, code := clitest.Ask(b, app, command.Agent, line+" -s "+o.ID); code != 0 {
			b.Fatal(text)
		}
	}
	ask()
	runtime.GC()
	for b.Loop() {
		ask()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	b.ReportMetric(float64(m.HeapSys)/1e6, "MB-heap")
}

var (
	impact = studytest.Options{
		ID: "impact_11k", Seed: 1, Patients: 10_400, SecondSamples: 600, Genes: 500, Mutations: 80_000, Panels: true,
		Matrix: [2]int{500, 11_000},
	}
	exome = studytest.Options{
		ID: "tcga_1100", Seed: 2, Patients: 1_100, Genes: 15_000, Mutations: 60_000, Matrix: [2]int{18_000, 1_100},
	}
)

func BenchmarkCompareAll_11kSamples500Genes(b *testing.B) {
	benchmarkStudy(b, impact, "study compare --all --by STAGE")
}

func BenchmarkCompareAll_1100Samples18kGenes(b *testing.B) {
	benchmarkStudy(b, exome, "study compare --all -g TP53")
}

func BenchmarkTopAltered_11kSamples500Genes(b *testing.B) {
	benchmarkStudy(b, impact, "study top-altered")
}

func BenchmarkCoexpression_1100Samples18kGenes(b *testing.B) {
	benchmarkStudy(b, exome, "study coexpression -g TP53")
}
