package pagesum

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	_ "modernc.org/sqlite"
)

// openFileWith opens a database through this package's file system, or without it.
func openFileWith(t *testing.T, path, vfs string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)"+vfs)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { db.Close() })
	return db
}

func withSums() string { return "&vfs=" + FileSystem() }

// makeFile returns the path of a closed database with several pages of rows and an index.
func makeFile(t *testing.T, vfs string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	db := openFileWith(t, path, vfs)
	for _, q := range []string{
		"CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT)", "CREATE INDEX note_text ON note(text)",
		"WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<2000)" +
			" INSERT INTO note SELECT i, hex(randomblob(40)) FROM n",
		"PRAGMA wal_checkpoint(TRUNCATE)", "UPDATE note SET text='new' WHERE id%70=0",
	} {
		if _, err := db.ExecContext(t.Context(), q); err != nil {
			t.Fatal(q, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// readAll reads every page of the rows and of the index.
func readAll(t *testing.T, path, vfs string) error {
	t.Helper()
	db := openFileWith(t, path, vfs)
	defer db.Close()
	var n int
	for _, q := range []string{"SELECT count(*) FROM note WHERE text<>'' AND id>0", "SELECT count(*) FROM note INDEXED BY note_text WHERE text>''"} {
		if err := db.QueryRowContext(t.Context(), q).Scan(&n); err != nil {
			return fmt.Errorf("%s: %w", q, err)
		}
	}
	var result string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&result); err != nil || result != "ok" {
		return fmt.Errorf("integrity check: %s, %w", result, err)
	}
	return nil
}

func TestEveryPageHasAChecksum(t *testing.T) {
	path := makeFile(t, withSums())
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) < 10*PageSize || len(b)%PageSize != 0 || !Present(b[:PageSize]) {
		t.Fatalf("%d bytes, checksums present: %v", len(b), Present(b[:PageSize]))
	}
	for n := range len(b) / PageSize {
		if page := b[n*PageSize : (n+1)*PageSize]; !Valid(page, int64(n+1)) {
			t.Errorf("page %d has no valid checksum", n+1)
		}
	}
	for vfs, who := range map[string]string{withSums(): "this package", "": "SQLite alone"} {
		if err := readAll(t, path, vfs); err != nil {
			t.Errorf("%s cannot read the file: %v", who, err)
		}
	}
}

// Damage of any page is an error when the page is read, and never another answer.
func TestDamagedPagesAreNoticed(t *testing.T) {
	whole, err := os.ReadFile(makeFile(t, withSums()))
	if err != nil {
		t.Fatal(err)
	}
	pages := len(whole) / PageSize
	page := func(b []byte, n int) []byte { return b[n*PageSize : (n+1)*PageSize] }
	for name, harm := range map[string]func(b []byte, n int){
		"a bit":     func(b []byte, n int) { page(b, n)[(n*977)%PageSize] ^= 4 },
		"zeros":     func(b []byte, n int) { clear(page(b, n)) },
		"another":   func(b []byte, n int) { copy(page(b, n), page(whole, 1+(n+1)%(pages-1))) },
		"reserved":  func(b []byte, _ int) { b[reservedAt] = 0 },
		"shortened": func(b []byte, n int) { clear(b[max(n, 2)*PageSize:]) },
	} {
		for n := range pages {
			b := slices.Clone(whole)
			harm(b, n)
			path := filepath.Join(t.TempDir(), "test.db")
			if slices.Equal(b, whole) {
				continue
			}
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := readAll(t, path, withSums()); err == nil {
				t.Errorf("%s in page %d of %d was not noticed", name, n+1, pages)
			}
		}
	}
}

// A file that was made without checksums is read and written as before.
func TestAFileWithoutChecksums(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	db := openFileWith(t, path, "")
	if _, err := db.ExecContext(t.Context(), "PRAGMA page_size=8192; VACUUM; CREATE TABLE note(id INTEGER PRIMARY KEY, text TEXT)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = openFileWith(t, path, withSums())
	if _, err := db.ExecContext(t.Context(), "INSERT INTO note VALUES(1,'a'); PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil || Present(b[:PageSize]) {
		t.Errorf("the file has checksums now: %v", err)
	}
}
