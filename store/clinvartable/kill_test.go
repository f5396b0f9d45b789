package clinvartable_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/store/clinvartable"
	"biomcp/store/table"
)

// If this variable is set, the test binary is the process that is killed: it imports version after version of both tables
// in the folder named, and reports each.
const importVariable = "CLINVAR_TEST_IMPORT"

func TestMain(m *testing.M) {
	if dir := os.Getenv(importVariable); dir != "" {
		fmt.Fprintln(os.Stderr, importForever(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// rowsOf returns the number of rows of a version.
func rowsOf(version int) int { return 200 + 40*(version%5) }

// importVersion imports a version of both tables. Each row names the version.
func importVersion(dir string, version int) error {
	variants, submissions := header, [][]string{}
	for i := range rowsOf(version) {
		variants += line(with(hfe, "VariationID", fmt.Sprint(i+1), "PhenotypeList", fmt.Sprint("version ", version), "PhenotypeIDS", "-")...)
		row := append([]string{}, lab...)
		row[0], row[3] = fmt.Sprint(i+1), fmt.Sprint("version ", version)
		submissions = append(submissions, row)
	}
	_, err := tryReplace(context.Background(), filepath.Join(dir, "variants"), "2026-11-22", strings.NewReader(variants))
	if err == nil {
		fmt.Println("variants", version)
		_, _, err = tryReplaceSubmissions(context.Background(), filepath.Join(dir, "submissions"),
			strings.NewReader(submissionFile(len(submissionColumns), submissions...)))
	}
	if err == nil {
		fmt.Println("submissions", version)
	}
	return err
}

func importForever(dir string) error {
	next := 1
	if v, _, err := stored(dir); err != nil {
		return err
	} else if v > 0 {
		next = v + 1
	}
	for ; ; next++ {
		if err := importVersion(dir, next); err != nil {
			return err
		}
	}
}

// stored returns the versions of both tables, 0 if absent. It returns an error unless each answers for all its rows.
func stored(dir string) (variants, submissions int, err error) {
	t, err := clinvartable.Open(filepath.Join(dir, "variants"))
	if table.IsAbsent(err) {
		return 0, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	defer t.Close()
	all, err := t.Search(context.Background(), clinvartable.Query{Limit: 10_000})
	if err != nil {
		return 0, 0, err
	}
	var version int
	fmt.Sscanf(all.Variants[0].Conditions[0].Name, "version %d", &version)
	if want := rowsOf(version); all.Total != want || len(all.Variants) != want || t.Info.Rows != want {
		return 0, 0, fmt.Errorf("version %d of the variants: got %d of %d rows, want %d", version, len(all.Variants), t.Info.Rows, want)
	}
	for _, v := range all.Variants {
		if v.Conditions[0].Name != fmt.Sprint("version ", version) {
			return 0, 0, fmt.Errorf("variant %d is of %s, want version %d", v.VariationID, v.Conditions[0].Name, version)
		}
	}
	s, err := clinvartable.OpenSubmissions(filepath.Join(dir, "submissions"))
	if table.IsAbsent(err) {
		return version, 0, nil
	}
	if err != nil {
		return 0, 0, err
	}
	defer s.Close()
	for i := range s.Info.Rows {
		found, err := s.Find(fmt.Sprint(i + 1))
		if err != nil || len(found) != 1 {
			return 0, 0, fmt.Errorf("submission of variant %d: got %d, want one: %v", i+1, len(found), err)
		}
		if fmt.Sscanf(found[0].Comment, "version %d", &submissions); rowsOf(submissions) != s.Info.Rows {
			return 0, 0, fmt.Errorf("variant %d: got %q, want a version of %d rows", i+1, found[0].Comment, s.Info.Rows)
		}
	}
	return version, submissions, nil
}

// After SIGKILL at any moment of an import, each table answers whole for its old or its new version, and the next import
// removes what the killed one left.
func TestImportKilledAtRandomMoments(t *testing.T) {
	if testing.Short() {
		t.Skip("starts ten processes")
	}
	dir := t.TempDir()
	reported, lastSubmissions, left := 0, 0, 0
	for kill := range 10 {
		now := importAndKill(t, dir, kill%2 == 0, time.Duration(rand.IntN(120))*time.Millisecond)
		reported = max(reported, now)
		variants, submissions, err := stored(dir)
		if err != nil {
			t.Fatalf("kill %d: %v", kill, err)
		}
		if variants < reported || submissions < lastSubmissions || submissions > variants {
			t.Fatalf("kill %d: got version %d of variants and %d of submissions, want at least %d and %d", kill, variants, submissions,
				reported, lastSubmissions)
		}
		lastSubmissions = submissions
		left += len(leftovers(t, dir))
	}
	if err := importVersion(dir, reported+1); err != nil {
		t.Fatal(err)
	}
	if files := leftovers(t, dir); len(files) > 0 {
		t.Errorf("after an import: got %q, want no temporary file", files)
	}
	if reported == 0 {
		t.Error("no version was ever stored: nothing was tested")
	}
	t.Logf("%d versions survived 10 kills, which left %d files", reported, left)
}

// leftovers returns the temporary files of both tables.
func leftovers(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", ".biomcp-*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// importAndKill starts an import and kills it at the given time after its start, or after its first version if isLate is
// set. It returns the last version of the variants that it reported.
func importAndKill(t *testing.T, dir string, isLate bool, after time.Duration) (version int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), importVariable+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var failure strings.Builder
	cmd.Stderr = &failure
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	begin := sync.OnceFunc(func() { time.AfterFunc(after, func() { cmd.Process.Kill() }) })
	if !isLate {
		begin()
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, err := fmt.Sscanf(lines.Text(), "variants %d", &version); err == nil {
			begin()
		}
	}
	if err := cmd.Wait(); err == nil || !errors.As(err, new(*exec.ExitError)) || failure.String() != "" {
		t.Fatalf("the import ended by itself: %v %s", err, failure.String())
	}
	return version
}
