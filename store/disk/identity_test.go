package disk

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// makeDatabase creates or changes a database of another program.
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

// contents returns every file of a folder with its bytes.
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

const notes FileType = 0x62696f6e // "bion"

// open opens the notes and creates them if they are missing.
func open(ctx context.Context, dir string) (*sql.DB, error) {
	path := filepath.Join(dir, testFile)
	if err := notes.Check(ctx, "open notes", path); err != nil {
		return nil, err
	}
	db, err := Open(path, "rwc", "busy_timeout(1)")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if err := notes.Establish(ctx, db, 4096); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// A database of another program in place of ours is rejected, and no byte of its folder changes.
func TestForeignDatabaseIsLeftAlone(t *testing.T) {
	for name, statements := range map[string][]string{
		"tables":         {"CREATE TABLE notes(a)", "INSERT INTO notes VALUES(1)"},
		"WAL":            {"PRAGMA journal_mode=WAL", "CREATE TABLE notes(a)"},
		"application id": {"PRAGMA application_id=7", "CREATE TABLE document(a)"},
		"same names":     {"CREATE TABLE note(text)"},
		"version":        {"CREATE TABLE notes(a)", "PRAGMA user_version=1"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			makeDatabase(t, filepath.Join(dir, testFile), statements...)
			before := contents(t, dir)
			if _, err := open(t.Context(), dir); !IsKind(err, Foreign) {
				t.Errorf("got %v", err)
			}
			after := contents(t, dir)
			if len(after) != len(before) || after[testFile] != before[testFile] {
				t.Errorf("the folder changed: %d files, were %d", len(after), len(before))
			}
		})
	}
}

// That also holds for data of the other program that is only in the journal.
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
	if _, err := open(t.Context(), dir); !IsKind(err, Foreign) {
		t.Errorf("got %v", err)
	}
	if after := contents(t, dir); len(after) != 2 || after[testFile] != before[testFile] || after[testFile+"-wal"] != before[testFile+"-wal"] {
		t.Error("the folder changed")
	}
}

// A file has its application ID from its first page on.
func TestANewFile(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		db, err := open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		head, err := os.ReadFile(filepath.Join(dir, testFile))
		if err != nil || string(head[68:72]) != "bion" {
			t.Errorf("application id %q, %v", head[68:72], err)
		}
	}
}

func TestOtherFilesInOurPlace(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		kind Kind // "" means that it is used
	}{
		"empty": {"", ""},
		"text":  {"Dear diary,", Corrupt},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, testFile)
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			db, err := open(t.Context(), dir)
			if c.kind == "" && err != nil || c.kind != "" && !IsKind(err, c.kind) {
				t.Errorf("got %v, want kind %q", err, c.kind)
			}
			if err == nil {
				db.Close()
			}
			if after, err := os.ReadFile(path); c.kind != "" && (err != nil || string(after) != c.text) {
				t.Error("the file changed")
			}
		})
	}
}

// The changes of a transaction are stored if InTx returns nil, and not if it fails.
func TestInTx(t *testing.T) {
	db, err := open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	put := func(statement string, fail error) error {
		return InTx(t.Context(), db, 0, func(tx *sql.Conn) error {
			_, err := tx.ExecContext(t.Context(), statement)
			return errors.Join(err, fail)
		})
	}
	if err := put("CREATE TABLE note AS SELECT 'kept' text", nil); err != nil {
		t.Fatal(err)
	}
	mine := errors.New("mine")
	if err := put("INSERT INTO note VALUES('undone')", mine); !errors.Is(err, mine) || !errors.Is(WrapSQLite(t.Context(), "write", err), mine) {
		t.Errorf("an error of the caller: %v", err)
	}
	var texts string
	if err := db.QueryRowContext(t.Context(), "SELECT group_concat(text) FROM note").Scan(&texts); err != nil || texts != "kept" {
		t.Errorf("%q, %v", texts, err)
	}
	err = put("SELECT * FROM nothing", nil)
	if !IsKind(WrapSQLite(t.Context(), "write", err), Corrupt) {
		t.Errorf("a file without a table: %v", err)
	}
	stopped, stop := context.WithCancel(t.Context())
	stop()
	err = InTx(stopped, db, 0, func(*sql.Conn) error { return nil })
	if err = WrapSQLite(stopped, "write", err); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
}

// A writer waits for another one up to its limit, and then fails.
func TestASecondWriterIsRefused(t *testing.T) {
	dir := t.TempDir()
	d, err := open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	second, err := open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	err = InTx(t.Context(), d, 0, func(*sql.Conn) error {
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
