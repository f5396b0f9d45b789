package disk

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
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

const testFile = "notes.db"

var notes = Layout{ID: 0x62696f6e, What: "notes", Schema: "CREATE TABLE note(text)"}

// openers open a Database, for writing and for reading.
var openers = map[string]func(ctx context.Context, dir string) error{
	"to write": func(ctx context.Context, dir string) error { return open(ctx, dir, false) },
	"to read":  func(ctx context.Context, dir string) error { return open(ctx, dir, true) },
}

func open(ctx context.Context, dir string, readOnly bool) error {
	d, err := OpenDatabase(ctx, filepath.Join(dir, testFile), notes, readOnly)
	if err != nil {
		return err
	}
	return d.Close()
}

// A database of another program in our place is refused, and no byte of its folder
// changes.
func TestForeignDatabaseIsLeftAlone(t *testing.T) {
	for name, statements := range map[string][]string{
		"tables":         {"CREATE TABLE notes(a)", "INSERT INTO notes VALUES(1)"},
		"WAL":            {"PRAGMA journal_mode=WAL", "CREATE TABLE notes(a)"},
		"application id": {"PRAGMA application_id=7", "CREATE TABLE document(a)"},
		"same names":     {"CREATE TABLE note(text)"},
		"version":        {"CREATE TABLE notes(a)", "PRAGMA user_version=1"},
	} {
		for what, open := range openers {
			t.Run(name+"/"+what, func(t *testing.T) {
				dir := t.TempDir()
				makeDatabase(t, filepath.Join(dir, testFile), statements...)
				before := contents(t, dir)
				if err := open(t.Context(), dir); !IsKind(err, Foreign) {
					t.Errorf("got %v", err)
				}
				after := contents(t, dir)
				if len(after) != len(before) || after[testFile] != before[testFile] {
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
	db, err := sql.Open("sqlite", filepath.Join(from, testFile))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, q := range []string{"PRAGMA journal_mode=WAL", "CREATE TABLE notes(a)"} {
		t.Run(q, func(t *testing.T) {
			if _, err := db.ExecContext(t.Context(), q); err != nil {
				t.Fatal(err)
			}
		})
	}
	if err := os.CopyFS(dir, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, testFile+"-shm")); err != nil {
		t.Fatal(err)
	}
	before := contents(t, dir)
	if err := openers["to write"](t.Context(), dir); !IsKind(err, Foreign) {
		t.Errorf("got %v", err)
	}
	if after := contents(t, dir); len(after) != 2 || after[testFile] != before[testFile] || after[testFile+"-wal"] != before[testFile+"-wal"] {
		t.Error("the folder changed")
	}
}

// A file has its application id from its first page on, and the layout of the program.
func TestANewFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, testFile)
	if err := open(t.Context(), dir, true); !IsKind(err, NotFound) {
		t.Errorf("to be read, before: %v", err)
	}
	for _, readOnly := range []bool{false, true, false} {
		t.Run(fmt.Sprint(readOnly), func(t *testing.T) {
			if err := open(t.Context(), dir, readOnly); err != nil {
				t.Fatal(err)
			}
			head, err := os.ReadFile(path)
			if err != nil || string(head[68:72]) != "bion" || head[63] != 1 {
				t.Errorf("application id %q, layout %d, %v", head[68:72], head[63], err)
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
		"another layout": {func(t *testing.T, path string) { makeNotes(t, path); makeDatabase(t, path, "PRAGMA user_version=2") }, OtherLayout},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, testFile)
			c.make(t, path)
			before, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			err = open(t.Context(), dir, false)
			if c.kind == "" && err != nil || c.kind != "" && !IsKind(err, c.kind) {
				t.Errorf("got %v, want kind %q", err, c.kind)
			}
			if after, err := os.ReadFile(path); c.kind != "" && (err != nil || string(after) != string(before)) {
				t.Error("the file changed")
			}
		})
	}
}

// What a transaction wrote is there when Write returns nil, and not where it failed.
func TestWriteAndRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), testFile)
	d, err := OpenDatabase(t.Context(), path, notes, false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	put := func(d *Database, text string, fail error) error {
		return d.Write(t.Context(), "write notes", func(tx *sql.Conn) error {
			_, err := tx.ExecContext(t.Context(), "INSERT INTO note VALUES(?)", text)
			return errors.Join(err, fail)
		})
	}
	mine := errors.New("mine")
	if err := put(d, "kept", nil); err != nil {
		t.Fatal(err)
	}
	if err := put(d, "undone", mine); !errors.Is(err, mine) {
		t.Errorf("an error of the caller: %v", err)
	}
	reader, err := OpenDatabase(t.Context(), path, notes, true)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := put(reader, "refused", nil); !IsKind(err, ReadOnly) {
		t.Errorf("a reader writes: %v", err)
	}
	for _, d := range []*Database{d, reader} {
		var texts string
		err := d.Read(t.Context(), "read notes", func(tx *sql.Tx) error {
			return tx.QueryRowContext(t.Context(), "SELECT group_concat(text) FROM note").Scan(&texts)
		})
		if err != nil || texts != "kept" {
			t.Errorf("%q, %v", texts, err)
		}
	}
	d.Shrink(t.Context())
	err = d.Read(t.Context(), "read notes", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "SELECT * FROM nothing")
		return err
	})
	if !IsKind(err, Corrupt) {
		t.Errorf("a file without a table: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	if err := d.Write(stopped, "write notes", func(*sql.Conn) error { return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
}

// A writer waits for another one as long as it may, and is then refused.
func TestASecondWriterIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), testFile)
	d, err := OpenDatabase(t.Context(), path, notes, false)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	name, err := DSN(path, "rw", "busy_timeout(1)")
	if err != nil {
		t.Fatal(err)
	}
	second, err := sql.Open("sqlite", name)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	err = d.Write(t.Context(), "write notes", func(*sql.Conn) error {
		err := InTx(t.Context(), second, 0, func(*sql.Conn) error { return nil })
		if wrapped := Wrap(t.Context(), "write notes", err); !IsBusy(err) || !IsKind(wrapped, Locked) {
			t.Errorf("got %v", wrapped)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func makeNotes(t *testing.T, path string) {
	t.Helper()
	if err := open(t.Context(), filepath.Dir(path), false); err != nil {
		t.Fatal(err)
	}
}
