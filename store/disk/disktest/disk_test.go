package disktest_test

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"biomcp/store/disk"
	"biomcp/store/disk/disktest"
)

// rows returns the number of rows of a table in a folder, or -1 if there is no table.
func rows(t *testing.T, folder string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(folder, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if db.QueryRow("SELECT count(*) FROM a").Scan(&n) != nil {
		return -1
	}
	var whole string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&whole); err != nil || whole != "ok" {
		t.Errorf("%s, %v", whole, err)
	}
	return n
}

// Whichever write is the last one, committed transactions are complete, and no part of another one
// is stored.
func TestTheDiskEndsAtAnyWrite(t *testing.T) {
	last := 0
	for n := 1; ; n++ {
		dir, copied := t.TempDir(), filepath.Join(t.TempDir(), "copy")
		d := disktest.Watch(t, dir)
		db, err := sql.Open("sqlite", filepath.Join(dir, "a.db"))
		if err != nil {
			t.Fatal(err)
		}
		db.SetMaxOpenConns(1)
		full := n%2 == 0
		if full {
			d.FullAt(n/2, 100)
		} else {
			d.KillAt((n+1)/2, copied)
		}
		stored, failed := -1, error(nil)
		for i, text := range []string{"PRAGMA journal_mode=WAL", "CREATE TABLE a(b)", "INSERT INTO a VALUES(1),(2)", "INSERT INTO a VALUES(3),(4)", "PRAGMA wal_checkpoint(TRUNCATE)"} {
			if _, failed = db.Exec(text); failed != nil {
				break
			}
			stored = max(stored, 2*min(i-1, 2))
		}
		if full && failed != nil && !disk.IsKind(disk.Wrap(t.Context(), "write", failed), disk.Full) {
			t.Errorf("full at %d: %v", n/2, failed)
		}
		if d.Killed() {
			dir = copied
		}
		done := d.Writes() < (n+1)/2
		d.Reset()
		db.Close()
		if got := rows(t, dir); got < stored || got > stored+2 || got%2 == 1 {
			t.Errorf("%s: %d rows, stored %d, %v", fmt.Sprint(n), got, stored, failed)
		}
		if done && full {
			break
		}
		last = n / 2
	}
	if last < 10 {
		t.Errorf("%d writes", last)
	}
}
