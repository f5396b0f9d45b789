package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"biomcp/entrez/record"
)

// corpusWithJournal returns a folder with a corpus whose last commits are in its journal, as a
// killed process leaves it, and the number of its documents. If begun is set, earlier commits are
// in the file.
func corpusWithJournal(t *testing.T, begun bool) (dir string, documents int) {
	t.Helper()
	from := t.TempDir()
	s := openTest(t, from, Options{})
	commitTest(t, s, "q", synthetic(1), synthetic(2))
	if begun {
		if _, err := s.db.Writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			t.Fatal(err)
		}
	}
	for pmid := record.PMID(3); pmid < 9; pmid++ {
		commitTest(t, s, "q", synthetic(pmid))
	}
	dir = t.TempDir()
	for _, name := range []string{FileName, FileName + "-wal", commitFile} {
		b, err := os.ReadFile(filepath.Join(from, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, 8
}

// A journal that was cut, cleared or removed took the last commits with it: no answer hides that,
// and a repair counts the lost records.
func TestALostJournalIsDamage(t *testing.T) {
	t.Parallel()
	for _, begun := range []bool{true, false} {
		for name, harm := range map[string]func(wal string, b []byte) error{
			"removed":  func(wal string, _ []byte) error { return os.Remove(wal) },
			"emptied":  func(wal string, _ []byte) error { return os.WriteFile(wal, nil, 0o600) },
			"cut off":  func(wal string, b []byte) error { return os.WriteFile(wal, b[:len(b)/2], 0o600) },
			"cleared":  func(wal string, b []byte) error { clear(b); return os.WriteFile(wal, b, 0o600) },
			"last bit": func(wal string, b []byte) error { b[len(b)-9] ^= 1; return os.WriteFile(wal, b, 0o600) },
		} {
			t.Run(fmt.Sprint(name, begun), func(t *testing.T) {
				dir, documents := corpusWithJournal(t, begun)
				wal := filepath.Join(dir, FileName+"-wal")
				b, err := os.ReadFile(wal)
				if err != nil {
					t.Fatal(err)
				}
				if err := harm(wal, b); err != nil {
					t.Fatal(err)
				}
				for _, o := range []Options{{Dir: dir, ReadOnly: true}, {Dir: dir}} {
					if s, err := Open(t.Context(), o); !IsKind(err, Corrupt) {
						t.Errorf("open, read-only %v: got %v, want an error of kind Corrupt", o.ReadOnly, err)
						if err == nil {
							s.Close()
						}
					}
				}
				done, err := repairOf(dir).Run(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if done.Losses.Records == 0 || done.Saved.Documents+done.Losses.Records != int64(documents) {
					t.Errorf("saved %d documents, lost %d: want %d in all", done.Saved.Documents, done.Losses.Records, documents)
				}
				s := openTest(t, dir, Options{})
				defer s.Close()
				commitTest(t, s, "q", synthetic(99))
				checkIntegrity(t, s)
			})
		}
	}
}

// A process that is killed at any moment leaves a corpus that is not taken for damaged: the file
// that names the last commit is older than the corpus, missing, or half written.
func TestAKillIsNoLostCommit(t *testing.T) {
	dir, documents := corpusWithJournal(t, true)
	path := filepath.Join(dir, commitFile)
	last, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, harm := range map[string]func() error{
		"older":        func() error { return os.WriteFile(path, []byte(strings.Replace(string(last), "1", "0", 1)), 0o600) },
		"half written": func() error { return os.WriteFile(path, last[:len(last)/2], 0o600) },
		"empty":        func() error { return os.WriteFile(path, nil, 0o600) },
		"missing":      func() error { return os.Remove(path) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := harm(); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
			s := openTest(t, dir, Options{ReadOnly: true})
			defer s.Close()
			if st, err := s.Stats(t.Context()); err != nil || st.Documents != int64(documents) {
				t.Errorf("%d documents, %v; want %d", st.Documents, err, documents)
			}
		})
	}
}

// A backup that was put back is refused with the file to remove, and opens without that file.
func TestABackupPutBackOpensWithoutTheCommitFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	s := openTest(t, dir, Options{})
	commitTest(t, s, "q", synthetic(1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	backup, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s = openTest(t, dir, Options{})
	commitTest(t, s, "q", synthetic(2))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, backup, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = Open(t.Context(), Options{Dir: dir})
	if want := "remove " + commitFile + " beside it"; !IsKind(err, Corrupt) || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want an error of kind Corrupt with %q", err, want)
	}
	if err := os.Remove(filepath.Join(dir, commitFile)); err != nil {
		t.Fatal(err)
	}
	s = openTest(t, dir, Options{})
	defer s.Close()
	if st, err := s.Stats(t.Context()); err != nil || st.Documents != 1 {
		t.Errorf("%d documents, %v; want 1", st.Documents, err)
	}
}

// An empty file next to the traces of a corpus is damage, and a repair begins a new corpus.
func TestAnEmptyFileIsNotANewCorpus(t *testing.T) {
	for name, size := range map[string]int64{"empty": 0, "a stub": 50, "half a page": 4096} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openTest(t, dir, Options{})
			commitTest(t, s, "q", synthetic(1), synthetic(2))
			if err := errors.Join(s.Close(), os.Truncate(filepath.Join(dir, FileName), size)); err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{Dir: dir, ReadOnly: true}, {Dir: dir}} {
				if _, err := Open(t.Context(), o); !IsKind(err, Corrupt) {
					t.Errorf("open, read-only %v: got %v, want an error of kind Corrupt", o.ReadOnly, err)
				}
			}
			done, err := repairOf(dir).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if done.Losses.Records != 2 || done.DamagedFile == "" {
				t.Errorf("got %+v, want 2 lost records and the name of the damaged file", done)
			}
			s = openTest(t, dir, Options{})
			defer s.Close()
			commitTest(t, s, "q", synthetic(1))
		})
	}
}

// A corpus that was removed on purpose is absent, not damaged.
func TestARemovedCorpusIsAbsent(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	commitTest(t, s, "q", synthetic(1), synthetic(2))
	if err := errors.Join(s.Close(), os.Remove(filepath.Join(dir, FileName))); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Dir: dir, ReadOnly: true}); !IsKind(err, NotFound) {
		t.Errorf("got %v, want an error of kind NotFound", err)
	}
	s = openTest(t, dir, Options{})
	defer s.Close()
	commitTest(t, s, "q", synthetic(1))
}
