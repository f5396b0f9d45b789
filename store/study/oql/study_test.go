package oql_test

import (
	"slices"
	"strings"
	"testing"

	"biomcp/store/study"
	"biomcp/store/study/example"
	"biomcp/store/study/oql"
	"biomcp/store/study/studytest"
)

func demo(t *testing.T) *study.Study {
	t.Helper()
	dir, err := example.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := study.Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Expressions over a study find the samples that the study's own functions find.
func TestStudySource(t *testing.T) {
	s := demo(t)
	g, err := s.GeneMutations("TP53", false)
	if err != nil {
		t.Fatal(err)
	}
	source := &oql.StudySource{Study: s, ReadList: func(string) ([]string, error) { return []string{"DEMO-00001", "DEMO-00003-02", "no"}, nil }}
	e := oql.NewEvaluator(source)
	count := func(text string) (met, unknown int) {
		t.Helper()
		x, err := oql.ParseExpr(text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := e.Eval(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, state := range r.States {
			switch state {
			case oql.Met:
				met++
			case oql.Unknown:
				unknown++
			}
		}
		return met, unknown
	}
	if met, unknown := count("TP53: MUT"); met != g.MutatedSamples || unknown != source.Len()-g.Profiled.N {
		t.Errorf("TP53: MUT: want %d and %d unknown, got %d and %d", g.MutatedSamples, source.Len()-g.Profiled.N, met, unknown)
	}
	byClass := 0
	for _, class := range []string{"MISSENSE", "TRUNC", "INFRAME"} {
		met, _ := count("TP53: " + class)
		byClass += met
	}
	if byClass < g.MutatedSamples {
		t.Errorf("want each mutated sample in a class, %d, got %d", g.MutatedSamples, byClass)
	}
	position, _ := count("TP53: R273")
	changes := 0
	for _, change := range []string{"R273H", "R273C", "R273L"} {
		met, _ := count("TP53: MUT = " + change)
		changes += met
	}
	if inRange, _ := count("TP53: (273-273)"); position == 0 || position < changes || inRange != position {
		t.Errorf("want the position 273 to have the samples of its changes and its range, %d and %d, got %d", changes, inRange, position)
	}
	fusions, err := s.GeneFusions("RET")
	if err != nil {
		t.Fatal(err)
	}
	if all, _ := count("RET: FUSION"); all == 0 || all > len(fusions.Variants) {
		t.Errorf("RET: FUSION: want up to %d samples, got %d", len(fusions.Variants), all)
	}
	if up, _ := count("KIF5B::RET"); up == 0 {
		t.Error("KIF5B::RET: want samples, got none")
	}
	if down, _ := count("RET::KIF5B"); down != 0 {
		t.Errorf("RET::KIF5B: want no sample in this direction, got %d", down)
	}
	if met, _ := count("samples(x)"); met != 3 || !slices.Equal(source.Unlisted, []string{"no"}) {
		t.Errorf("samples(x): want 3 samples and one unknown ID, got %d and %q", met, source.Unlisted)
	}
	for _, c := range []struct{ text, part string }{
		{"AGE >= 60", "AGE < 60"}, {"EGFR: EXP > 0.5", "EGFR: EXP <= 0.5"}, {"PTEN: CNA >= DIPLOID", "PTEN: CNA < DIPLOID"},
	} {
		a, unknown := count(c.text)
		b, _ := count(c.part)
		if a+b+unknown != source.Len() || a == 0 || b == 0 {
			t.Errorf("%s and %s: want all %d samples with %d unknown, got %d and %d", c.text, c.part, source.Len(), unknown, a, b)
		}
	}
	source.ReadList = nil
	if _, err := e.Eval(&oql.SampleList{File: "x"}); err != oql.ErrNoFiles {
		t.Errorf("samples(x) without files: want ErrNoFiles, got %v", err)
	}
}

// twentyGenes lists genes of the generated studies.
var twentyGenes = strings.Fields("TP53 KRAS EGFR PIK3CA PTEN BRAF STK11 KEAP1 NF1 RB1 CDKN2A ATM ARID1A SMAD4 APC CTNNB1 ERBB2 MET NRAS IDH1")

// BenchmarkTwentyGenes evaluates 20 genes in a study of 11,000 samples and 500 genes, whose tables have
// indexes. The goal is 300 ms of processor time, with opening the study.
func BenchmarkTwentyGenes(b *testing.B) {
	dir, err := studytest.Options{
		ID: "large", Seed: 4, Patients: 10_000, SecondSamples: 1000, Genes: 500, Mutations: 100_000, Matrix: [2]int{500, 11_000}, Panels: true,
	}.Write(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	x, err := oql.ParseExpr(strings.Join(twentyGenes, " | "))
	if err != nil {
		b.Fatal(err)
	}
	cache := b.TempDir()
	for b.Loop() {
		s, err := study.Open(dir, cache)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := oql.NewEvaluator(&oql.StudySource{Study: s}).Eval(x); err != nil {
			b.Fatal(err)
		}
	}
}
