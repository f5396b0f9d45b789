package store

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

// laterLayouts returns the layouts of a fictitious newer program.
func laterLayouts(script string) []string { return append(slices.Clone(layouts()), script) }

const madeUp = "ALTER TABLE audit ADD COLUMN who TEXT; UPDATE checkpoint SET last_edat='2000-01-01T00:00:00Z'"

// corpusOfThisLayout returns the folder of a corpus of this program's layout with a document and a watermark.
func corpusOfThisLayout(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	commitTest(t, s, "q", synthetic(1))
	if err := errors.Join(s.SetCheckpoint(t.Context(), "q", "2024-05-01T00:00:00Z"), s.Close()); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A newer program migrates a corpus once, even if several processes try at the same time, and the
// contents do not change.
func TestMigrationToALaterLayout(t *testing.T) {
	dir := corpusOfThisLayout(t)
	later := Options{Dir: dir, layouts: laterLayouts(madeUp)}
	reading := later
	reading.ReadOnly = true
	if _, err := Open(t.Context(), reading); !IsKind(err, OtherLayout) || !strings.Contains(err.Error(), "the next sync") {
		t.Errorf("to be read only, before: %v", err)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s, err := Open(t.Context(), later)
			if err != nil {
				t.Error(err)
				return
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	s := openTest(t, dir, reading)
	var version int
	if err := s.db.Read(t.Context(), "test", func(r *rows.Conn) error { return r.Row("PRAGMA user_version", nil, &version) }); err != nil || version != 3 {
		t.Errorf("layout %d, %v", version, err)
	}
	if d, err := s.Document(t.Context(), 1); err != nil || d.PMID != record.PMID(1) {
		t.Errorf("%+v, %v", d, err)
	}
	if edat, _, err := s.Checkpoint(t.Context(), "q"); err != nil || edat != "2000-01-01T00:00:00Z" {
		t.Errorf("watermark %s, %v", edat, err)
	}
}

// A process that has the corpus open while a newer program migrates it neither reads it nor writes
// to it afterwards.
func TestALayoutThatChangesUnderAProcess(t *testing.T) {
	dir := corpusOfThisLayout(t)
	reads, writes := openTest(t, dir, Options{ReadOnly: true}), openTest(t, dir, Options{})
	if _, err := reads.Document(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	openTest(t, dir, Options{layouts: laterLayouts("ALTER TABLE document RENAME COLUMN body TO packed; ALTER TABLE page RENAME TO leaf")})
	_, read := reads.Document(t.Context(), 1)
	_, searched := reads.Search(t.Context(), All{}, Filter{}, 10)
	for name, err := range map[string]error{"read": read, "search": searched, "write": writes.SetMeta(t.Context(), "a", "b")} {
		t.Run(name, func(t *testing.T) {
			if !IsKind(err, OtherLayout) || !strings.Contains(err.Error(), "made by a newer biomcp") || !strings.Contains(err.Error(), "restart") {
				t.Error(err)
			}
		})
	}
}

// A script that fails leaves the old layout unchanged.
func TestMigrationThatFails(t *testing.T) {
	dir := corpusOfThisLayout(t)
	if _, err := Open(t.Context(), Options{Dir: dir, layouts: laterLayouts(madeUp + "; CREATE TABLE later(a NOT NULL); INSERT INTO later VALUES(NULL)")}); !IsKind(err, Failed) {
		t.Errorf("got %v", err)
	}
	s := openTest(t, dir, Options{})
	if edat, _, err := s.Checkpoint(t.Context(), "q"); err != nil || edat != "2024-05-01T00:00:00Z" {
		t.Errorf("watermark %s, %v", edat, err)
	}
}

// A flipped bit in the layout version or the file type counts as damage if the tables belong to the
// known layout, both for opening the corpus and for a repair. The error does not suggest updating
// the program or moving the file.
func TestTheHeaderIsDamaged(t *testing.T) {
	for _, pragma := range []string{"user_version=0", "user_version=3", "user_version=33", "user_version=101", "user_version=65537", "application_id=7"} {
		t.Run(pragma, func(t *testing.T) {
			dir := corpusOfThisLayout(t)
			s := openTest(t, dir, Options{})
			_, err := s.db.Writer.Exec("PRAGMA " + pragma)
			if err = errors.Join(err, s.Close()); err != nil {
				t.Fatal(err)
			}
			for _, o := range []Options{{Dir: dir}, {Dir: dir, ReadOnly: true}} {
				if _, err := Open(t.Context(), o); !IsKind(err, Corrupt) {
					t.Errorf("open: %v", err)
				}
			}
			// Only the header is rewritten: nothing is rebuilt and nothing lost.
			if done, err := repairOf(dir).Run(t.Context()); err != nil || done.FixedFaults != 1 || done.DamagedFile != "" || done.Losses.Records != 0 || done.Saved.Documents != 1 {
				t.Errorf("%+v, %v", done, err)
			}
			if d, err := openTest(t, dir, Options{}).Document(t.Context(), 1); err != nil || d.PMID != 1 {
				t.Errorf("%+v, %v", d, err)
			}
		})
	}
}

// A corpus of any other layout is rejected, also by a repair, and is left unchanged.
func TestOtherLayoutsAreRefused(t *testing.T) {
	dir := corpusOfThisLayout(t)
	s := openTest(t, dir, Options{layouts: laterLayouts(madeUp)})
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, FileName)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, open := range map[string]func() error{
		"write": func() error { _, err := Open(t.Context(), Options{Dir: dir}); return err },
		"read":  func() error { _, err := Open(t.Context(), Options{Dir: dir, ReadOnly: true}); return err },
		"repair": func() error {
			r := repairOf(dir)
			r.Force = true
			_, err := r.Run(t.Context())
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			if err := open(); !IsKind(err, OtherLayout) || !strings.Contains(err.Error(), "the corpus has layout 3, and this program knows layout 2: update biomcp") {
				t.Errorf("got %v", err)
			}
			if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
				t.Errorf("the file has changed, %v", err)
			}
		})
	}
}

// In a file of layout 1 the pages have no checksums. A damaged index of names makes no second source of
// a query, and takes no file for another one.
func TestADamagedIndexOfLayout1IsNotTrusted(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{plain: true})
	file := func(name string) File { return File{Path: name, Size: int64(name[0]), ModTime: time.Unix(1, 0)} }
	for _, name := range []string{"first", "other"} {
		b := s.Begin(name)
		b.FileDone(file(name))
		if err := b.Put(synthetic(record.PMID(name[0]))); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(filepath.Join(dir, FileName))
	if err != nil {
		t.Fatal(err)
	}
	for _, index := range []string{"sqlite_autoindex_source_1", "sqlite_autoindex_file_1"} {
		pages := pagesOf(t, dir, index)
		for what, change := range map[string]*strings.Replacer{
			"hidden":  strings.NewReplacer("other", "othfr"),
			"swapped": strings.NewReplacer("other", "first", "first", "other"),
		} {
			t.Run(index+" "+what, func(t *testing.T) {
				b := slices.Clone(whole)
				for _, n := range pages {
					page := b[(n-1)*rows.PageSize : n*rows.PageSize]
					changed := change.Replace(string(page))
					if changed == string(page) {
						t.Fatal("the index does not have the names")
					}
					copy(page, changed)
				}
				err := os.WriteFile(filepath.Join(dir, FileName), b, 0o600)
				if err = errors.Join(err, os.RemoveAll(filepath.Join(dir, commitFile))); err != nil {
					t.Fatal(err)
				}
				s := openTest(t, dir, Options{})
				defer s.Close()
				as := file("first")
				as.Path = "other"
				if done, err := s.FileDone(t.Context(), as); done || err != nil && !IsKind(err, Corrupt) {
					t.Errorf("another file is taken for it: %v, %v", done, err)
				}
				batch := s.Begin("other")
				if err := batch.Put(synthetic(9)); err != nil {
					t.Fatal(err)
				}
				_, failed := batch.Commit(t.Context())
				if failed != nil && !IsKind(failed, Corrupt) {
					t.Errorf("a commit fails with %v", failed)
				}
				var sources int
				if err := s.db.Writer.QueryRow("SELECT count(*) FROM source NOT INDEXED").Scan(&sources); err != nil || sources != 2 {
					t.Errorf("%d sources, %v; want 2", sources, err)
				}
			})
		}
	}
}
