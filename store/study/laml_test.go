package study

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"biomcp/store/study/stats"
)

// laml opens the real LAML study, which is not part of the repository.
func laml(t *testing.T) *Study {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", "study")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("real data is absent: ../shared/data/study")
	}
	s, err := Library{Dir: dir, Cache: t.TempDir()}.Study("LAML_maftools")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRealStudy(t *testing.T) {
	s := laml(t)
	if len(s.Problems) > 0 || s.ID != "laml_maftools" || s.CancerType != "aml" {
		t.Fatalf("%+v", s)
	}
	for range 2 { // first from the table, then from its index
		g, err := s.GeneMutations("dnmt3a", false)
		if err != nil {
			t.Fatal(err)
		}
		if g.MutatedSamples != 48 || g.Profiled.N != 193 || g.Profiled.Basis != "case list laml_maftools_sequenced" {
			t.Errorf("%d of %d, %s", g.MutatedSamples, g.Profiled.N, g.Profiled.Basis)
		}
		e, err := s.Endpoint("overall")
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.FollowUp(e)
		if err != nil {
			t.Fatal(err)
		}
		groups := g.GroupByMutation()
		c := Join(f, groups, nil, nil)
		excluded := 0
		for _, e := range c.Excluded {
			excluded += e.N
		}
		if excluded != 18 || excluded+len(c.Patients) != 200 {
			t.Errorf("excluded %v of %d", c.Excluded, excluded+len(c.Patients))
		}
		checkSurvival(t, c)
		if s, err = (Library{Dir: filepath.Dir(s.dir), Cache: filepath.Dir(filepath.Dir(s.cache))}).Study(s.ID); err != nil {
			t.Fatal(err)
		}
	}
	genes, left, err := s.MutatedGenes(false)
	if err != nil || genes[0].Gene != "FLT3" && genes[0].Gene != "DNMT3A" || left.Silent == 0 {
		t.Errorf("%+v, %+v, %v", genes[:3], left, err)
	}
}

func checkSurvival(t *testing.T, c *Cohort) {
	t.Helper()
	r, err := stats.LogRank(c.Obs, c.Group, nil)
	if err != nil {
		t.Fatal(err)
	}
	mutant, wild := r.Groups[0], r.Groups[1]
	if mutant.N != 45 || mutant.Observed != 35 || wild.N != 137 || wild.Observed != 82 {
		t.Errorf("%+v, %+v", mutant, wild)
	}
	if math.Abs(r.Chi2-11.522362709040623) > 1e-9 || math.Abs(r.P-0.0006876393578314572) > 1e-13 {
		t.Errorf("chi-square %.17g, p %.17g", r.Chi2, r.P)
	}
	for g, want := range []float64{9.0349, 18.9569} {
		var obs []stats.Obs
		for i, of := range c.Group {
			if of == g {
				obs = append(obs, c.Obs[i])
			}
		}
		k, err := stats.KaplanMeier(obs)
		if err != nil || math.Abs(k.Median().Estimate-want) > 5e-5 {
			t.Errorf("median %v, %v", k.Median(), err)
		}
	}
}
