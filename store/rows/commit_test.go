package rows

import (
	"os"
	"path/filepath"
	"testing"

	"biomcp/store/disk"
)

// The file of the last transaction is read as written, and a damaged one as no file.
func TestCommitFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "corpus.commit")
	if c := ReadCommit(path); c != (Commit{}) {
		t.Errorf("a missing file: %+v", c)
	}
	want := Commit{Database: "0123456789abcdef", Number: 12, Documents: 345}
	if err := writeCommit(path, want); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v, want %v", info.Mode(), err, os.FileMode(0o600))
	}
	text, err := os.ReadFile(path)
	if err != nil || ReadCommit(path) != want {
		t.Fatalf("read %+v, %v, want %+v", ReadCommit(path), err, want)
	}
	for i := range text {
		damaged := append([]byte(nil), text...)
		damaged[i] ^= 1
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		if c := ReadCommit(path); c != (Commit{}) {
			t.Errorf("byte %d changed: %+v, want nothing", i, c)
		}
	}
}

func TestTransactionsThatADatabaseLacks(t *testing.T) {
	saved := Commit{Database: "a", Number: 5}
	for c, want := range map[Commit]int64{
		{Database: "a", Number: 5}: 0, {Database: "a", Number: 3}: 2, {Database: "a", Number: 9}: 0,
		{Database: "b", Number: 3}: 0, {}: 5,
	} {
		if got := c.Lacks(saved); got != want {
			t.Errorf("%+v lacks %d of %+v, want %d", c, got, saved, want)
		}
	}
}

// An empty file is damage only if transactions were committed to it.
func TestAnEmptyFileIsDamageAfterATransaction(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "corpus.db")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path    string
		last    Commit
		damaged bool
	}{
		{empty, Commit{Number: 1, Documents: 3}, true},
		{empty, Commit{}, false},
		{filepath.Join(dir, "missing"), Commit{Number: 1}, false},
	} {
		err := CheckEmpty(t.Context(), "open corpus", c.path, c.last)
		if damaged := disk.IsKind(err, disk.Corrupt); damaged != c.damaged {
			t.Errorf("%s after %+v: %v, want damage %v", c.path, c.last, err, c.damaged)
		}
	}
}
