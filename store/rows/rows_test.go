package rows

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"biomcp/store/disk"
)

// small is a layout with the tables that are stored twice, the table that holds the copies, and a
// table of notes.
const small = `
CREATE TABLE meta (key TEXT PRIMARY KEY, value, sum INTEGER AS (crc32c('meta',key,value)) STORED);
CREATE TABLE checkpoint (key TEXT PRIMARY KEY, last_edat TEXT, sum INTEGER AS (crc32c('checkpoint',key,last_edat)) STORED);
CREATE TABLE segment (id INTEGER PRIMARY KEY, state, chunks, dead, length, lo, hi, bytes, sum INTEGER AS (crc32c('segment',id,state,chunks,dead,length,lo,hi,bytes)) STORED);
CREATE TABLE model (id INTEGER PRIMARY KEY, state, name, dim, vectors, created, sum INTEGER AS (crc32c('model',id,state,name,dim,vectors,created)) STORED);
CREATE TABLE page (id INTEGER PRIMARY KEY, sum INTEGER AS (crc32c('page',id,data)) STORED, data BLOB NOT NULL);
CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT)`

func open(t *testing.T, path string, o Options) *DB {
	t.Helper()
	if o.Layouts == nil {
		o.Layouts = []string{small}
	}
	d, err := Open(t.Context(), path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func file(t *testing.T) string { return filepath.Join(t.TempDir(), "corpus.db") }

func write(t *testing.T, d *DB, f func(*Conn) error) {
	t.Helper()
	if err := d.Write(t.Context(), "test", f); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, d *DB, f func(*Conn) error) {
	t.Helper()
	if err := d.Read(t.Context(), "test", f); err != nil {
		t.Fatal(err)
	}
}

func notes(r *Conn) (all []string, err error) {
	err = r.Each("SELECT text FROM note ORDER BY id", nil, func(scan func(...any) error) error {
		var text string
		err := scan(&text)
		all = append(all, text)
		return err
	})
	return all, err
}

// A Read uses one snapshot, and a Write is atomic.
func TestSnapshotsAndTransactions(t *testing.T) {
	path := file(t)
	d := open(t, path, Options{})
	reader := open(t, path, Options{ReadOnly: true})
	var id int64
	write(t, d, func(w *Conn) (err error) {
		id, err = w.Insert("INSERT INTO note(text) VALUES(?)", "one")
		return err
	})
	if id != 1 {
		t.Errorf("row %d", id)
	}
	read(t, reader, func(r *Conn) error {
		write(t, d, func(w *Conn) error { return w.Exec("INSERT INTO note(text) VALUES('two')") })
		if all, err := notes(r); err != nil || !reflect.DeepEqual(all, []string{"one"}) {
			t.Errorf("a snapshot changed: %v, %v", all, err)
		}
		return nil
	})
	failed := errors.New("no")
	if err := d.Write(t.Context(), "test", func(w *Conn) error {
		return errors.Join(w.Exec("DELETE FROM note"), failed)
	}); !errors.Is(err, failed) {
		t.Error(err)
	}
	read(t, reader, func(r *Conn) error {
		if all, err := notes(r); err != nil || len(all) != 2 {
			t.Errorf("after a transaction that failed: %v, %v", all, err)
		}
		if found, err := r.RowFound("SELECT text FROM note WHERE id=9", nil, new(string)); found || err != nil {
			t.Errorf("%v, %v", found, err)
		}
		return nil
	})
	if err := reader.Write(t.Context(), "test", func(*Conn) error { return nil }); !disk.IsKind(err, disk.ReadOnly) {
		t.Error(err)
	}
	if err := reader.Read(t.Context(), "test", func(r *Conn) error { return r.Exec("nonsense") }); err == nil {
		t.Error("a statement that fails was not noticed")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for range 20 {
		if r, err := reader.Borrow(ctx); err != context.Canceled {
			t.Fatalf("cancelled: got connection %v and error %v, want %v", r, err, context.Canceled)
		}
	}
	for range cap(reader.slots) {
		reader.slots <- struct{}{}
	}
	if _, err := reader.Borrow(ctx); err != context.Canceled {
		t.Error(err)
	}
	for range cap(reader.slots) {
		<-reader.slots
	}
}

// A read connection that is used often caches more pages than that of a process that answers once.
func TestCacheOfAReader(t *testing.T) {
	d := open(t, file(t), Options{})
	for use := range largerCacheUses + 2 {
		want := -1024
		if use >= largerCacheUses-1 { // Open was the first use
			want = -16384
		}
		read(t, d, func(r *Conn) error {
			var got int
			if err := r.Row("PRAGMA cache_size", nil, &got); err != nil || got != want {
				t.Errorf("use %d: %d pages, %v", use, got, err)
			}
			return nil
		})
	}
}

// A damaged row is detected, and the copy of a small table is read instead.
func TestRowsAreCheckedAndCopied(t *testing.T) {
	d := open(t, file(t), Options{})
	write(t, d, func(w *Conn) error {
		return errors.Join(w.SetMeta("generation", 7), w.Exec("INSERT INTO page(id,data) VALUES(5,x'010203'),(7,'abc')"))
	})
	pages := NewBlobs("page", "data")
	read(t, d, func(r *Conn) error {
		b, err := pages.Read(r, 5)
		if text, err := pages.Read(r, 7); err != nil || string(text) != "abc" {
			t.Errorf("a text of the right sum: %q, %v", text, err)
		}
		if err != nil || string(b) != "\x01\x02\x03" {
			t.Errorf("after another was read: %x, %v", b, err)
		}
		if b, err := pages.Read(r, 6); err != nil || b != nil {
			t.Errorf("no page: %x, %v", b, err)
		}
		var sum int64
		if err := r.Row("SELECT sum FROM meta WHERE key='generation'", nil, &sum); err != nil || CheckSum(sum, "meta", "generation", int64(7)) != nil {
			t.Errorf("the sum of SQLite and of this package differ: %v", err)
		}
		if CheckSum(sum, "meta", "generation", int64(8)) != ErrDamaged || CheckSum(sum, "meta", "generation", 7.5) != ErrDamaged {
			t.Error("another value has the same sum")
		}
		return pages.Check(sumOf[any]("page", int64(5), []byte{1, 2, 3}), 5, []byte{1, 2, 3})
	})
	for _, damage := range []string{
		"PRAGMA writable_schema=ON",
		"UPDATE sqlite_schema SET sql=replace(replace(sql,' AS (crc32c(''meta'',key,value)) STORED',''),' AS (crc32c(''page'',id,data)) STORED','')",
		"PRAGMA writable_schema=RESET",
		"UPDATE meta SET value=8", "UPDATE page SET data=x'010204' WHERE id=5",
	} {
		if _, err := d.Writer.Exec(damage); err != nil {
			t.Fatal(err)
		}
	}
	read(t, d, func(r *Conn) error {
		if _, err := pages.Read(r, 5); !IsDamaged(err) {
			t.Errorf("a changed page: %v", err)
		}
		var values, again []int64
		err := r.EachCopied("meta", "SELECT value, sum FROM %s WHERE key='generation'", func() { again = append(again, 1) }, func(scan func(...any) error) error {
			var value, sum int64
			if err := scan(&value, &sum); err != nil {
				return err
			}
			values = append(values, value)
			return CheckSum(sum, "meta", "generation", value)
		})
		if err != nil || !reflect.DeepEqual(values, []int64{8, 7}) || len(again) != 1 {
			t.Errorf("%v, %v, %v", values, again, err)
		}
		return nil
	})
	for _, q := range []string{"INSERT OR REPLACE INTO meta VALUES('documents',3)", "INSERT INTO page(id,data) VALUES(8,x'00')"} {
		if err := d.Exec(t.Context(), "test", q); !disk.IsKind(err, disk.Corrupt) {
			t.Errorf("%s: the copy was written over: %v", q, err)
		}
	}
	read(t, d, func(r *Conn) error {
		var value int64
		if err := r.Row("SELECT value FROM "+CopySubquery("meta")+" WHERE key='generation'", nil, &value); err != nil || value != 7 {
			t.Errorf("the copy has %d, %v", value, err)
		}
		return nil
	})
}

// Any statement that changes one of the small tables also updates its copy.
func TestStatementsThatChangeCopiedTables(t *testing.T) {
	for query, want := range map[string]bool{
		"SELECT value FROM meta": false, "BEGIN": false, "INSERT INTO page(id,data) VALUES(1,?)": false,
		"INSERT OR REPLACE INTO meta VALUES(?,?)": true, "UPDATE segment SET state=1": true, "DELETE FROM checkpoint": true,
		"WITH old AS (SELECT 1) UPDATE model SET state=2": true, "REPLACE INTO meta VALUES('a',1) RETURNING value": true,
	} {
		t.Run(query, func(t *testing.T) {
			if got := changesCopied(query); got != want {
				t.Errorf("%v, want %v", got, want)
			}
		})
	}
}

// A file that does not have the layout of this program is rejected.
func TestLayouts(t *testing.T) {
	later := []string{small, "ALTER TABLE note ADD COLUMN who TEXT"}
	for name, c := range map[string]struct {
		pragma  string
		o       Options
		refused disk.Kind
		says    string
	}{
		"a later program":             {"", Options{Layouts: later}, "", ""},
		"a later one that only reads": {"", Options{Layouts: later, ReadOnly: true}, disk.OtherLayout, "the next sync"},
		"an earlier program":          {"ALTER TABLE note ADD COLUMN who TEXT; PRAGMA user_version=2", Options{}, disk.OtherLayout, "update biomcp"},
		"a damaged number":            {"PRAGMA user_version=2", Options{}, disk.Corrupt, "damaged"},
		"a number greater by far":     {"ALTER TABLE note ADD COLUMN who TEXT; PRAGMA user_version=200", Options{ReadOnly: true}, disk.Corrupt, "damaged"},
		"no number":                   {"PRAGMA user_version=0", Options{ReadOnly: true}, disk.Corrupt, "damaged"},
	} {
		t.Run(name, func(t *testing.T) {
			path := file(t)
			d := open(t, path, Options{})
			if _, err := d.Writer.Exec(c.pragma); err != nil {
				t.Fatal(err)
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			if c.o.Layouts == nil {
				c.o.Layouts = []string{small}
			}
			again, err := Open(t.Context(), path, c.o)
			if err == nil {
				again.Close()
			}
			if c.says == "" && err != nil || c.says != "" && (!disk.IsKind(err, c.refused) || !strings.Contains(fmt.Sprint(err), c.says)) {
				t.Error(err)
			}
		})
	}
	if _, err := Open(t.Context(), file(t), Options{ReadOnly: true, Layouts: later}); err == nil {
		t.Error("a file that is not there was opened")
	}
	if err := CheckLayout(0, 1); !disk.IsKind(err, disk.NotFound) {
		t.Error(err)
	}
}

// A process that has the file open stops using it when a newer program changes its layout.
func TestTheLayoutChangesUnderAProcess(t *testing.T) {
	path := file(t)
	d := open(t, path, Options{})
	open(t, path, Options{Layouts: []string{small, "DROP TABLE note"}})
	for name, err := range map[string]error{
		"read":  d.Read(t.Context(), "test", func(*Conn) error { return nil }),
		"write": d.Write(t.Context(), "test", func(*Conn) error { return nil }),
	} {
		if !disk.IsKind(err, disk.OtherLayout) || !strings.Contains(err.Error(), "restart") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSweep(t *testing.T) {
	d := open(t, file(t), Options{})
	write(t, d, func(w *Conn) error {
		return w.Exec("INSERT INTO note(text) VALUES('keep'),('old'),('old')")
	})
	if err := d.Sweep(t.Context(), "test", "SELECT id FROM note WHERE text='old'", "DELETE FROM page WHERE id=?", "DELETE FROM note WHERE id=?"); err != nil {
		t.Fatal(err)
	}
	read(t, d, func(r *Conn) error {
		if all, err := notes(r); err != nil || !reflect.DeepEqual(all, []string{"keep"}) {
			t.Errorf("%v, %v", all, err)
		}
		return nil
	})
	if err := d.Sweep(t.Context(), "test", "SELECT id FROM nothing"); err == nil {
		t.Error("a table that is not there was swept")
	}
}

// The cache keeps the most recently used values within its size.
func TestCache(t *testing.T) {
	m := NewCache(1000)
	for n := range int64(4) { // 300 bytes each, including the overhead
		m.Put(CacheKey{Page: n}, n, 100)
		m.Get(CacheKey{Page: 0})
	}
	m.Put(CacheKey{Page: 0}, "another", 100)
	for n, want := range []bool{true, false, true, true} {
		if v, ok := m.Get(CacheKey{Page: int64(n)}); ok != want || ok && v != int64(n) {
			t.Errorf("page %d: %v, %v", n, v, ok)
		}
	}
}

func TestLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "locks")
	shared, err := Lock(dir, "a", true)
	if err != nil || shared == nil {
		t.Fatal(shared, err)
	}
	if other, err := Lock(dir, "a", true); err != nil || other == nil {
		t.Error("a shared lock shuts others out", err)
	} else {
		other.Close()
	}
	if alone, err := Lock(dir, "a", false); alone != nil || err != nil {
		t.Error("two have it, one of them alone", err)
	}
	shared.Close()
	if alone, err := Lock(dir, "a", false); alone == nil || err != nil {
		t.Errorf("Lock of a file that no process holds: got %v, %v; want a lock", alone, err)
	} else {
		alone.Close()
	}
	if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Lock(filepath.Join(dir, "file"), "a", false); err == nil {
		t.Error("a file was taken for a folder")
	}
}
