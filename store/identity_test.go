package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// makeDatabase makes a database of another program, or changes one.
func makeDatabase(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, q := range statements {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// contents is every file of a folder, byte for byte.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, f := range files {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[f.Name()] = string(data)
	}
	return all
}

// openers open the corpus, for writing and for reading, and the response cache.
var openers = map[string]func(ctx context.Context, dir string) error{
	"corpus": func(ctx context.Context, dir string) error {
		s, err := Open(ctx, Options{Dir: dir})
		return errors.Join(err, closeIf(s != nil, s))
	},
	"corpus to read": func(ctx context.Context, dir string) error {
		s, err := Open(ctx, Options{Dir: dir, ReadOnly: true})
		return errors.Join(err, closeIf(s != nil, s))
	},
	"cache": func(_ context.Context, dir string) error {
		c, err := OpenCache(filepath.Join(dir, FileName))
		return errors.Join(err, closeIf(c != nil, c))
	},
}

func closeIf(ok bool, c interface{ Close() error }) error {
	if !ok {
		return nil
	}
	return c.Close()
}

// A database of another program in our place is refused, and no byte of its folder
// changes.
func TestForeignDatabaseIsLeftAlone(t *testing.T) {
	for name, statements := range map[string][]string{
		"tables":         {"CREATE TABLE notes(a)", "INSERT INTO notes VALUES(1)"},
		"WAL":            {"PRAGMA journal_mode=WAL", "CREATE TABLE notes(a)"},
		"application id": {"PRAGMA application_id=7", "CREATE TABLE document(a)"},
		"same names":     {"CREATE TABLE document(a)", "CREATE TABLE reply(key, body)"},
		"version":        {"CREATE TABLE notes(a)", "PRAGMA user_version=1"},
	} {
		for what, open := range openers {
			t.Run(name+"/"+what, func(t *testing.T) {
				dir := t.TempDir()
				makeDatabase(t, filepath.Join(dir, FileName), statements...)
				before := contents(t, dir)
				if err := open(t.Context(), dir); !IsKind(err, Foreign) {
					t.Errorf("got %v", err)
				}
				after := contents(t, dir)
				delete(after, FileName+".lock") // the cache's, next to the file
				if len(after) != len(before) || after[FileName] != before[FileName] {
					t.Errorf("the folder changed: %d files, were %d", len(after), len(before))
				}
			})
		}
	}
}

// What the other program has not put into its file yet, only into the journal, is
// its own too.
func TestForeignJournalIsLeftAlone(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(from, FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, q := range []string{"PRAGMA journal_mode=WAL", "CREATE TABLE notes(a)"} {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, FileName+"-shm")); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	if err := openers["corpus"](t.Context(), dir); !IsKind(err, Foreign) {
		t.Errorf("got %v", err)
	}
	if after := contents(t, dir); len(after) != 2 || after[FileName] != before[FileName] || after[FileName+"-wal"] != before[FileName+"-wal"] {
		t.Error("the folder changed")
	}
}

// A file has its application id from its first page on.
func TestFilesHaveTheirApplicationID(t *testing.T) {
	for what, want := range map[string]string{"corpus": "bioc", "cache": "bior"} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, FileName)
			if err := openers[what](t.Context(), dir); err != nil {
				t.Fatal(err)
			}
			head, err := os.ReadFile(path)
			if err != nil || string(head[68:72]) != want {
				t.Errorf("application id %q, %v", head[68:72], err)
			}
		})
	}
}

func TestOtherFilesInOurPlace(t *testing.T) {
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		kind Kind // "": it is used
	}{
		"empty":          {func(t *testing.T, path string) { writeFile(t, path, "") }, ""},
		"text":           {func(t *testing.T, path string) { writeFile(t, path, "Dear diary,") }, Corrupt},
		"another layout": {func(t *testing.T, path string) { makeCorpus(t, path); makeDatabase(t, path, "PRAGMA user_version=99") }, OtherLayout},
		"response cache": {func(t *testing.T, path string) { c, _ := OpenCache(path); c.Close() }, Foreign},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, FileName)
			c.make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			err = openers["corpus"](t.Context(), dir)
			if c.kind == "" && err != nil || c.kind != "" && !IsKind(err, c.kind) {
				t.Errorf("got %v, want kind %q", err, c.kind)
			}
			if after, err := os.ReadFile(path); c.kind != "" && (err != nil || string(after) != string(before)) {
				t.Error("the file changed")
			}
		})
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func makeCorpus(t *testing.T, path string) {
	t.Helper()
	if err := openers["corpus"](t.Context(), filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
}
