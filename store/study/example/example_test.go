package example

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"biomcp/store/study"
	"biomcp/store/study/stats"
	"biomcp/store/study/studytest"
)

var update = flag.Bool("update", false, "write the study")

func TestStudyIsWhatTheGeneratorMakes(t *testing.T) {
	if *update {
		if err := os.RemoveAll(ID); err != nil {
			t.Fatal(err)
		}
		if _, err := studytest.Small.Write("."); err != nil {
			t.Fatal(err)
		}
		return
	}
	made := t.TempDir()
	if _, err := studytest.Small.Write(made); err != nil {
		t.Fatal(err)
	}
	same := func(from, to fs.FS, what string) {
		err := fs.WalkDir(from, ID, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			a, _ := fs.ReadFile(from, path)
			if b, err := fs.ReadFile(to, path); err != nil || !bytes.Equal(a, b) {
				t.Errorf("%s %s; go test ./store/study/example -update", path, what)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	same(os.DirFS(made), files, "is missing or old")
	same(files, os.DirFS(made), "is no longer made")
}

func TestStudyShowsEachAnalysis(t *testing.T) {
	dir := t.TempDir()
	if _, err := Write(dir); err != nil {
		t.Fatal(err)
	}
	s, err := study.Library{Dir: dir, Cache: filepath.Join(dir, "cache")}.Study(ID)
	if err != nil || len(s.Problems) > 0 {
		t.Fatal(err, s.Problems)
	}
	if got := s.Available(); len(got) != 5 {
		t.Errorf("available: %q", got)
	}
	g, err := s.GeneMutations("TP53", false)
	if err != nil || g.MutatedSamples < 20 || g.Profiled.N < 100 || g.Silent == 0 {
		t.Fatalf("%+v, %v", g, err)
	}
	off, err := s.GeneMutations("FOXA1", false)
	if err != nil || off.Profiled.N >= g.Profiled.N/2 {
		t.Errorf("a gene that is not on the panel has the denominator %d, %v", off.Profiled.N, err)
	}
	e, err := s.Endpoint("os")
	if err != nil {
		t.Fatal(err)
	}
	f, err := s.FollowUp(e)
	if err != nil {
		t.Fatal(err)
	}
	groups := g.GroupByMutation()
	c := study.Join(f, groups, nil, nil)
	test, err := stats.LogRank(c.Obs, c.Group, nil)
	if err != nil || test.P > 0.05 || len(c.Excluded) != 3 {
		t.Errorf("%+v, excluded %v, %v", test, c.Excluded, err)
	}
}
