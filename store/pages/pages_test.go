package pages

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

const testSize = 512

// database is a small file with tables of each kind; open leaves its last rows in the
// journal.
func database(t testing.TB, open bool) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.db")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	exec := func(query string, args ...any) {
		t.Helper()
		if _, err := db.Exec(query, args...); err != nil {
			t.Fatal(err)
		}
	}
	for _, pragma := range []string{"page_size=512", "auto_vacuum=2", "journal_mode=WAL"} { // in this order
		exec("PRAGMA " + pragma)
	}
	exec("CREATE TABLE a(id INTEGER PRIMARY KEY, n, x, b, t)")
	exec("CREATE TABLE k(key TEXT PRIMARY KEY, v) WITHOUT ROWID")
	for i := range 120 {
		exec("INSERT INTO a VALUES(?,?,?,?,?)", i*i*1000, i-60, float64(i)/2, bytes.Repeat([]byte{byte(i)}, i*17), nil)
		exec("INSERT INTO k VALUES(?,?)", strings.Repeat("k", i%90)+fmt.Sprint(i), int64(i)<<(i%50))
	}
	exec("DELETE FROM a WHERE id BETWEEN 1000 AND 400000")
	if open {
		exec("PRAGMA wal_checkpoint(TRUNCATE)")
		exec("INSERT INTO k VALUES('last',1)")
		t.Cleanup(func() { db.Close() })
	} else if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// keys are the rows that the pages of a file hold: of a the keys, of k the texts.
func keys(t testing.TB, f *File) (table, index map[string]bool, failed int) {
	t.Helper()
	table, index = map[string]bool{}, map[string]bool{}
	for n := 1; n <= f.Pages(); n++ {
		rows, err := f.Rows(n)
		kind, _ := f.mapped(n)
		if err != nil && (kind == mapRoot || kind == mapTree) {
			failed++
		}
		for _, r := range rows {
			switch shape := r.Shape(); {
			case r.Table && shape == "nifbn" && r.Err == nil:
				table[fmt.Sprint(r.Key, " ", r.Values[1].Int, " ", len(r.Values[3].Bytes))] = true
			case !r.Table && shape == "ti":
				index[string(r.Values[0].Bytes)] = true
			}
		}
	}
	return table, index, failed
}

func TestRowsAreThoseThatSQLiteReads(t *testing.T) {
	for _, open := range []bool{false, true} {
		path := database(t, open)
		f, err := Open(path, testSize)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		c := f.Check(context.Background(), func(Row) error { return nil })
		if c.Damaged != 0 || c.Pages != f.Pages() || f.Unread != 0 {
			t.Errorf("open %v: %+v", open, c)
		}
		table, index, failed := keys(t, f)
		db, err := sql.Open("sqlite", path)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for query, got := range map[string]map[string]bool{
			"SELECT id||' '||n||' '||length(b) FROM a": table, "SELECT key FROM k": index,
		} {
			rows, err := db.Query(query)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for ; rows.Next(); n++ {
				var key string
				if err := rows.Scan(&key); err != nil || !got[key] {
					t.Errorf("open %v: %q is missing, %v", open, key, err)
				}
			}
			if err := rows.Err(); err != nil {
				t.Error(err)
			}
			if rows.Close(); n != len(got) || failed > 0 || n == 0 {
				t.Errorf("open %v: %d rows, want %d (%d pages failed)", open, len(got), n, failed)
			}
		}
	}
}

// A damaged frame of the journal loses its page, and no later one.
func TestJournalBeyondADamagedFrame(t *testing.T) {
	path := database(t, false)
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for i := range 30 {
		if _, err := db.Exec("INSERT INTO k VALUES(?,?)", fmt.Sprint("j", i), i); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for at := 5; at < len(whole); at += 97 {
		copied := filepath.Join(t.TempDir(), "y.db")
		b := bytes.Clone(whole)
		b[at] ^= 0x55
		if err := os.WriteFile(copied, main, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(copied+"-wal", b, 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := Open(copied, testSize)
		if err != nil {
			t.Fatal(err)
		}
		frames := (len(whole) - walHeader) / (frameHeader + testSize)
		last := at >= walHeader+(frames-1)*(frameHeader+testSize) // as after a crash while it was written
		holds := at > len(whole)*3/4                              // the frames with j28 itself
		if _, index, _ := keys(t, f); !index["j28"] && !holds || f.Unread == 0 && !last && at >= 8 {
			t.Errorf("byte %d of %d: j28 %v, %d unread", at, len(whole), index["j28"], f.Unread)
		}
		f.Close()
	}
}

func FuzzRows(f *testing.F) {
	whole, err := os.ReadFile(database(f, false))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte("x"), uint32(len(whole)))
	f.Add(uint32(700), make([]byte, 600), uint32(9000))
	f.Fuzz(func(t *testing.T, at uint32, change []byte, length uint32) {
		b := bytes.Clone(whole)
		copy(b[int(at)%len(b):], change)
		path := filepath.Join(t.TempDir(), "x.db")
		if err := os.WriteFile(path, b[:int(length)%(len(b)+1)], 0o600); err != nil {
			t.Fatal(err)
		}
		db, err := Open(path, testSize)
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		if c := db.Check(t.Context(), func(Row) error { return nil }); c.Pages != db.Pages() {
			t.Errorf("%+v of %d pages", c, db.Pages())
		}
	})
}
