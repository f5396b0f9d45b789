package store

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"biomcp/store/disk"
	"biomcp/store/disk/pagesum"
	"biomcp/store/rows"
	"biomcp/store/salvage"
)

// fileLocks returns the POSIX locks of this process on the file of an open corpus.
func fileLocks(t *testing.T, s *Store) (locks []string) {
	t.Helper()
	text, err := os.ReadFile("/proc/locks")
	if err != nil {
		t.Skip("only Linux lists locks in /proc")
	}
	inode := strings.SplitAfter(fmt.Sprintf("%+v", s.file.Sys()), "Ino:")[1]
	inode, _, _ = strings.Cut(inode, " ")
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) > 7 && f[1] == "POSIX" && f[4] == strconv.Itoa(os.Getpid()) && strings.HasSuffix(f[5], ":"+inode) {
			locks = append(locks, strings.Join(f[3:], " "))
		}
	}
	slices.Sort(locks)
	return locks
}

// Nothing that reads the corpus file outside SQLite releases the locks that SQLite holds on it.
func TestReadingTheFileReleasesNoLocks(t *testing.T) {
	for name, read := range map[string]func(s *Store) error{
		"check":      func(s *Store) error { _, err := s.Check(t.Context(), CheckOptions{}); return err },
		"slice":      func(s *Store) error { return s.CheckSlice(t.Context()) },
		"first page": func(s *Store) error { _, err := s.firstPage(t.Context()); return err },
		"another Open": func(s *Store) error {
			other, err := Open(t.Context(), s.o)
			if err == nil {
				err = other.Close()
			}
			return err
		},
		"a read-only Open": func(s *Store) error {
			o := s.o
			o.ReadOnly = true
			other, err := Open(t.Context(), o)
			if err == nil {
				err = other.Close()
			}
			return err
		},
		"file type": func(s *Store) error { return rows.CorpusFile.Check(t.Context(), "test", s.path) },
		"mark":      func(s *Store) error { pagesum.HasMark(s.path); return nil },
		"salvage": func(s *Store) error {
			page := make([]byte, rows.PageSize)
			f, err := salvage.Open(s.path, page, page)
			if err == nil {
				err = f.Close()
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t, t.TempDir(), Options{})
			commitTest(t, s, "q", synthetic(1))
			before := fileLocks(t, s)
			if len(before) == 0 {
				t.Skip("/proc/locks does not list the locks of this process")
			}
			for range 2 {
				if err := read(s); err != nil {
					t.Fatal(err)
				}
				if after := fileLocks(t, s); !slices.Equal(after, before) {
					t.Errorf("the locks are %q, want %q", after, before)
				}
			}
		})
	}
}

// The process keeps one descriptor of a file, and none of a deleted one.
func TestDescriptorsOfTheFileAreFew(t *testing.T) {
	descriptors := func(dir string) (n int) {
		all, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Skip("only Linux lists descriptors in /proc")
		}
		for _, d := range all {
			if to, err := os.Readlink(filepath.Join("/proc/self/fd", d.Name())); err == nil && strings.HasPrefix(to, dir) {
				n++
			}
		}
		return n
	}
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	commitTest(t, s, "q", synthetic(1))
	for range 5 {
		if _, err := s.Check(t.Context(), CheckOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if n := descriptors(dir); n != 1 {
		t.Errorf("after five checks %d descriptors are open, want 1", n)
	}
	if err := os.Remove(s.path); err != nil {
		t.Fatal(err)
	}
	f, err := disk.OpenRaw(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if n := descriptors(dir); n != 0 {
		t.Errorf("after the file was deleted %d descriptors are open, want 0", n)
	}
}
