package study

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestIndexFollowsTheFile(t *testing.T) {
	dir, cache := folder(t, nil), t.TempDir()
	file := filepath.Join(dir, "mutations.maf")
	old := time.Now().Add(-time.Hour)
	write := func(gene string, at time.Time) {
		t.Helper()
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(base["mutations.maf"], "TP53", gene)), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(what, gene string) {
		t.Helper()
		if ids, _ := mutated(t, opened(t, dir, cache), gene); ids != "P1-A" {
			t.Errorf("%s: %s is mutated in %q", what, gene, ids)
		}
	}
	write("TP53", old)
	ask("first", "TP53")
	write("BRCA1", old)
	ask("another size", "BRCA1")
	write("BRCA2", old.Add(time.Minute))
	ask("the same size, another time", "BRCA2")
	fresh := time.Now()
	write("BRCA3", fresh)
	ask("just written", "BRCA3")
	write("BRCA4", fresh)
	ask("written again at the same time", "BRCA4")
}

func TestIndexIsUsedAndMendsItself(t *testing.T) {
	dir, cache := folder(t, nil), t.TempDir()
	mutated(t, opened(t, dir, cache), "TP53")
	indexes, err := filepath.Glob(filepath.Join(cache, "studies", "toy-*", "*.index"))
	if err != nil || len(indexes) != 1 {
		t.Fatal(indexes, err)
	}
	info, _ := os.Stat(indexes[0])
	mutated(t, opened(t, dir, cache), "TP53")
	if again, _ := os.Stat(indexes[0]); !os.SameFile(info, again) {
		t.Error("the index was made again")
	}
	// If only the modification time changes, the index is kept with the new time.
	touched := time.Now().Add(-time.Minute)
	if err := os.Chtimes(filepath.Join(dir, "mutations.maf"), touched, touched); err != nil {
		t.Fatal(err)
	}
	mutated(t, opened(t, dir, cache), "TP53")
	info, _ = os.Stat(indexes[0])
	mutated(t, opened(t, dir, cache), "TP53")
	if again, _ := os.Stat(indexes[0]); !os.SameFile(info, again) {
		t.Error("the hash is compared again each time")
	}
	body, err := os.ReadFile(indexes[0])
	if err != nil {
		t.Fatal(err)
	}
	for what, b := range map[string][]byte{"cut": body[:len(body)-9], "empty": {}, "other": []byte("{}\n"), "garbage": append(body[:200:200], []byte(strings.Repeat("\xff", 200))...)} {
		t.Run(what, func(t *testing.T) {
			if err := os.WriteFile(indexes[0], b, 0o644); err != nil {
				t.Fatal(err)
			}
			if ids, n := mutated(t, opened(t, dir, cache), "TP53"); ids != "P1-A" || n != 3 {
				t.Errorf("%s: %s of %d", what, ids, n)
			}
		})
	}
	s := opened(t, dir, cache)
	if err := s.RemoveIndex(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "studies", "*")); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

func TestTextOfAPackedMatrixIsReplaced(t *testing.T) {
	dir, cache := folder(t, map[string]string{"meta_cna.txt": cnaMeta, "cna.txt.gz": cna}), t.TempDir()
	if got := row(t, opened(t, dir, cache), "EGFR"); !strings.HasPrefix(got, "[2 NaN 1 NaN]") {
		t.Error(got)
	}
	changed := packed(strings.Replace(cna, "EGFR\t1956\t7p11\t2", "EGFR\t1956\t7p11\t-1", 1))
	if err := os.WriteFile(filepath.Join(dir, "cna.txt.gz"), []byte(changed), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := row(t, opened(t, dir, cache), "EGFR"); !strings.HasPrefix(got, "[-1 NaN 1 NaN]") {
		t.Error(got)
	}
	if texts, _ := filepath.Glob(filepath.Join(cache, "studies", "*", "*.text*")); len(texts) != 1 {
		t.Errorf("%q", texts)
	}
	// An unpacked text that was removed is written again.
	texts, _ := filepath.Glob(filepath.Join(cache, "studies", "*", "*.text*"))
	if err := os.Remove(texts[0]); err != nil {
		t.Fatal(err)
	}
	if got := row(t, opened(t, dir, cache), "EGFR"); !strings.HasPrefix(got, "[-1 NaN 1 NaN]") {
		t.Error(got)
	}
}

func TestCacheFolderThatCannotBeWritten(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	dir := folder(t, map[string]string{"meta_cna.txt": cnaMeta, "cna.txt.gz": cna})
	s := opened(t, dir, blocked)
	if ids, n := mutated(t, s, "TP53"); ids != "P1-A" || n != 3 {
		t.Errorf("%s of %d", ids, n)
	}
	if got := row(t, s, "EGFR"); !strings.HasPrefix(got, "[2 NaN 1 NaN]") {
		t.Error(got)
	}
}

// A clone of the datahub has its studies in the folder public. A study is not a folder of studies.
func TestLibraryOfAClone(t *testing.T) {
	dir := folder(t, map[string]string{"meta_mutations.txt": base["meta_mutations.txt"] + "gene_panel: P\n"})
	public := filepath.Dir(dir)
	lib := Library{Dir: filepath.Dir(public)}
	if err := lib.AddPanel(Panel{ID: "P", Genes: []PanelGene{{Symbol: "TP53"}}}); err != nil {
		t.Fatal(err)
	}
	s, err := lib.Study("toy")
	if err != nil || s.Folder() != dir {
		t.Fatalf("%+v, %v", s, err)
	}
	if ids, n := mutated(t, s, "TP53"); ids != "P1-A" || n != 3 {
		t.Errorf("%s of %d", ids, n)
	}
	if list, err := lib.Studies(); err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := (Library{Dir: dir}).Studies(); !IsKind(err, Invalid) || !strings.Contains(err.Error(), "BIOMCP_STUDY_DIR must name the folder that holds it") {
		t.Error(err)
	}
}

func TestLibrary(t *testing.T) {
	absent := Library{Dir: filepath.Join(t.TempDir(), "absent")}
	if list, err := absent.Studies(); err != nil || list == nil || len(list) != 0 {
		t.Errorf("%v, %v", list, err)
	}
	dir := folder(t, nil)
	root := filepath.Dir(dir)
	for _, more := range []string{"plain", "gene_panels", ".staged"} {
		t.Run(more, func(t *testing.T) {
			if err := os.Mkdir(filepath.Join(root, more), 0o755); err != nil {
				t.Fatal(err)
			}
		})
	}
	lib := Library{Dir: root}
	list, err := lib.Studies()
	if err != nil || len(list) != 2 || list[0].ID != "plain" || list[1].ID != "toy" {
		t.Errorf("%v, %v", list, err)
	}
	if s, err := lib.Study("TOY"); err != nil || s.Name != "Toy" {
		t.Errorf("%v, %v", s, err)
	}
	for _, copied := range []string{"copy", "second"} {
		t.Run(copied, func(t *testing.T) { // copy of a study under another name
			if err := os.CopyFS(filepath.Join(root, copied), os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
		})
	}
	if s, err := lib.Study("toy"); err != nil || s.Folder() != dir {
		t.Errorf("%v, %v", s, err)
	}
	list, _ = lib.Studies()
	if got := strings.Join(DuplicateIDs(list), "|"); got != "the folders copy, second and toy hold the study toy; the folder toy is used" {
		t.Error(got)
	}
	if err := os.Rename(dir, dir+"_renamed"); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Study("toy"); !IsKind(err, Invalid) || err.Error() != "the folders copy, second and toy_renamed hold the study toy; keep one of them" {
		t.Error(err)
	}
	if err := errors.Join(os.Rename(dir+"_renamed", dir), os.RemoveAll(filepath.Join(root, "copy")), os.RemoveAll(filepath.Join(root, "second"))); err != nil {
		t.Fatal(err)
	}
	if _, err := lib.Study("other"); !IsKind(err, NotFound) {
		t.Error(err)
	}
	if _, err := lib.Study(" "); !IsKind(err, Invalid) {
		t.Error(err)
	}
	if _, err := list[0].GeneMutations("TP53", false); !IsKind(err, NoData) {
		t.Error(err)
	}
	// A folder that cannot be read does not hide the others.
	if err := os.Remove(filepath.Join(dir, "mutations.maf")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "mutations.maf"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, err := lib.Study("toy")
	if err != nil || len(s.Problems) != 1 || s.Problems[0].Error() != "mutations.maf: this is not a regular file" {
		t.Fatalf("%+v, %v", s, err)
	}
	if os.Geteuid() != 0 && os.Chmod(dir, 0) == nil {
		defer os.Chmod(dir, 0o755)
		if list, err := lib.Studies(); err != nil || len(list) != 2 || len(list[1].Problems) != 1 {
			t.Errorf("%v, %v", list, err)
		}
	}
}
