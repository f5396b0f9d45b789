package salvage

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	_ "biomcp/build/testgc"
)

const testSize = 512

// database creates a small file. It returns its path, its rows, including those in its journal, and
// its first page.
func database(t testing.TB, open bool) (path string, rows map[int64]string, first []byte) {
	t.Helper()
	path, rows = filepath.Join(t.TempDir(), "x.db"), map[int64]string{}
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
	for _, q := range []string{"PRAGMA page_size=512", "PRAGMA auto_vacuum=2", "PRAGMA journal_mode=WAL", "CREATE TABLE a(id INTEGER PRIMARY KEY, b BLOB)", "CREATE TABLE pair(x, y, PRIMARY KEY(x, y)) WITHOUT ROWID", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		exec(q)
	}
	first = make([]byte, testSize)
	file, err := os.Open(path)
	if err == nil {
		_, err = io.ReadFull(file, first)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	put := func(id int64, n int) {
		rows[id] = string(bytes.Repeat([]byte{byte(id)}, n))
		exec("INSERT INTO a VALUES(?,?)", id, []byte(rows[id]))
		exec("INSERT INTO pair VALUES(?,1),(?,2)", id, id)
	}
	for i := range int64(400) {
		put(i*(1+i/200*5000)+1, 20+rng.IntN(60)+rng.IntN(20)/19*1500)
	}
	if open {
		exec("PRAGMA wal_checkpoint(TRUNCATE)")
		for i := range int64(30) {
			put(5_000_000+i, 40)
		}
		t.Cleanup(func() { db.Close() })
	} else if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path, rows, first
}

func testTable() Table { return Table{Name: "a", Key: "id", Columns: "id, b", First: 1, Last: 1 << 32} }

// read returns the rows of a file that can be read.
func read(t testing.TB, path string, first []byte) (rows map[int64]string, f *File) {
	t.Helper()
	f, err := Open(path, first, first)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	rows = map[int64]string{}
	_, err = f.Each(t.Context(), testTable(), func(scan func(...any) error) error {
		var id int64
		var b []byte
		if err := scan(&id, &b); err != nil {
			return err
		}
		rows[id] = string(b)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows, f
}

func TestAWholeFileIsReadAsItIs(t *testing.T) {
	for _, open := range []bool{false, true} {
		t.Run(fmt.Sprint("open ", open), func(t *testing.T) {
			path, want, first := database(t, open)
			got, f := read(t, path, first)
			if len(got) != len(want) || f.UnreadPages > 0 || f.HeaderDamaged {
				t.Errorf("%d rows, want %d; %+v", len(got), len(want), f)
			}
			for id, text := range want {
				if got[id] != text {
					t.Errorf("row %d is %d bytes, want %d", id, len(got[id]), len(text))
				}
			}
			if n, err := f.Check(t.Context()); n != 0 || err != nil {
				t.Errorf("%d findings, %v", n, err)
			}
			pairs := 0
			unread, err := f.Each(t.Context(), Table{Name: "pair", Key: "x", Columns: "y", First: 1, Last: 1 << 32}, func(scan func(...any) error) error {
				pairs++
				var y int
				return scan(&y)
			})
			if pairs != 2*len(want) || unread != 0 || err != nil {
				t.Errorf("%d pairs, %d unread, %v", pairs, unread, err)
			}
		})
	}
}

// pagesOf returns the data pages, and for each row its pages and the inner pages that lead to it,
// by dbstat.
func pagesOf(t *testing.T, path string) (all []int, of map[int64][]int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	type page struct {
		path  string
		n     int
		cells int
	}
	var leaves, others []page
	rows, err := db.Query("SELECT path, pageno, ncell, pagetype FROM dbstat WHERE name='a' ORDER BY path")
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		var p page
		var kind string
		if err := rows.Scan(&p.path, &p.n, &p.cells, &kind); err != nil {
			t.Fatal(err)
		}
		if all = append(all, p.n); kind == "leaf" {
			leaves = append(leaves, p)
		} else {
			others = append(others, p)
		}
	}
	ids, err := db.Query("SELECT id FROM a ORDER BY id")
	if err != nil {
		t.Fatal(err)
	}
	of = map[int64][]int{}
	for _, l := range leaves { // sorted by key
		for cell := range l.cells {
			var id int64
			if !ids.Next() || ids.Scan(&id) != nil {
				t.Fatal("fewer rows than cells")
			}
			of[id] = []int{l.n}
			for _, o := range others {
				above := len(o.path) < len(l.path) && l.path[:len(o.path)] == o.path
				overflow := len(o.path) > len(l.path) && o.path[:len(l.path)] == l.path && o.path[len(l.path):len(l.path)+4] == fmt.Sprintf("%03x+", cell)
				if above || overflow {
					of[id] = append(of[id], o.n)
				}
			}
		}
	}
	if err := errors.Join(rows.Err(), rows.Close(), ids.Err(), ids.Close()); err != nil || len(of) != 400 {
		t.Fatal(len(of), err)
	}
	return all, of
}

// Every row whose page, overflow pages and path from the root are intact is read, whichever pages
// are damaged, in any file.
func TestEveryRowOnWholePagesIsRead(t *testing.T) {
	path, want, first := database(t, false)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all, of := pagesOf(t, path)
	for seed := range uint64(60) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 2))
			b, bad := bytes.Clone(whole), map[int]bool{}
			for range 1 + rng.IntN(12) {
				n := all[rng.IntN(len(all))]
				bad[n] = true
				page := b[(n-1)*testSize : n*testSize]
				if clear(page); rng.IntN(2) == 0 {
					for i := range page {
						page[i] = byte(rng.Uint32())
					}
					page[0] = 0x55 // not a valid page type
				}
			}
			if rng.IntN(3) == 0 { // the first page replaces it
				copy(b, bytes.Repeat([]byte{0xee}, testSize))
			}
			copied := filepath.Join(t.TempDir(), "y.db")
			if err := os.WriteFile(copied, b, 0o600); err != nil {
				t.Fatal(err)
			}
			got, f := read(t, copied, first)
			for id, pages := range of {
				reachable := true
				for _, n := range pages {
					reachable = reachable && !bad[n]
				}
				if reachable && got[id] != want[id] {
					t.Errorf("row %d was not read (pages %v, damaged %v)", id, pages, bad)
				}
			}
			if n, err := f.Check(t.Context()); n == 0 || err != nil {
				t.Errorf("%d findings, %v", n, err)
			}
			if after, err := os.ReadFile(copied); err != nil || !bytes.Equal(after, b) {
				t.Error("the file was changed")
			}
		})
	}
}

// A damaged frame of the journal loses its own page but no later one.
func TestJournalBeyondADamagedFrame(t *testing.T) {
	path, _, first := database(t, true)
	main, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	frames := (len(whole) - walHeader) / (frameHeader + testSize)
	for at := 5; at < len(whole); at += 997 {
		t.Run(fmt.Sprint("byte ", at), func(t *testing.T) {
			copied := filepath.Join(t.TempDir(), "y.db")
			b := bytes.Clone(whole)
			b[at] ^= 0x55
			if err := errors.Join(os.WriteFile(copied, main, 0o600), os.WriteFile(copied+"-wal", b, 0o600)); err != nil {
				t.Fatal(err)
			}
			got, f := read(t, copied, first)
			last := at >= walHeader+(frames-1)*(frameHeader+testSize) // as after a crash while it was written
			if f.UnreadPages == 0 && !last && at >= 8 {
				t.Error("the damage was not noticed")
			}
			if at < len(whole)/2 && got[5_000_028] == "" {
				t.Errorf("the last rows were not read, of %d frames, %d unread", frames, f.UnreadPages)
			}
		})
	}
}

// Reading files with arbitrary bytes terminates without a panic.
func FuzzRead(f *testing.F) {
	path, _, first := database(f, false)
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), []byte("x"), uint32(len(whole)), []byte{})
	f.Add(uint32(700), make([]byte, 600), uint32(9000), []byte("journal"))
	f.Fuzz(func(t *testing.T, at uint32, change []byte, length uint32, wal []byte) {
		b := bytes.Clone(whole)
		copy(b[int(at)%len(b):], change)
		path := filepath.Join(t.TempDir(), "x.db")
		if err := errors.Join(os.WriteFile(path, b[:int(length)%(len(b)+1)], 0o600), os.WriteFile(path+"-wal", wal, 0o600)); err != nil {
			t.Fatal(err)
		}
		_, db := read(t, path, first)
		if _, err := db.Check(t.Context()); err != nil {
			t.Error(err)
		}
	})
}
