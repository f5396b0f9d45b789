package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store/replies"
	"biomcp/store/rows"
)

func TestOpenRefusesForeignDamagedAndNewerFiles(t *testing.T) {
	ctx := t.Context()
	if _, err := Open(ctx, Options{Dir: t.TempDir(), ReadOnly: true}); !IsKind(err, NotFound) {
		t.Errorf("no corpus: %v", err)
	}
	for name, content := range map[string][]byte{
		"text":  []byte(strings.Repeat("not a database\n", 1000)),
		"short": []byte("x"),
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			for _, readOnly := range []bool{true, false} {
				dir := t.TempDir()
				path := filepath.Join(dir, FileName)
				if err := os.WriteFile(path, content, 0o644); err != nil {
					t.Fatal(err)
				}
				_, err := Open(ctx, Options{Dir: dir, ReadOnly: readOnly})
				if !IsKind(err, Corrupt) || strings.Contains(err.Error(), dir) {
					t.Errorf("%s: %v", name, err)
				}
				if after, _ := os.ReadFile(path); !bytes.Equal(after, content) {
					t.Errorf("%s: the file was changed", name)
				}
			}
		})
	}
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	if _, err := s.db.Writer.Exec("CREATE TABLE later(x); PRAGMA user_version=3"); err != nil {
		t.Fatal(err)
	}
	s.Close()
	for _, readOnly := range []bool{true, false} {
		t.Run(fmt.Sprint(readOnly), func(t *testing.T) {
			if _, err := Open(ctx, Options{Dir: dir, ReadOnly: readOnly}); !IsKind(err, OtherLayout) {
				t.Errorf("a newer layout: %v", err)
			}
		})
	}
}

func TestManyProcessesCreateOneCorpus(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			s, err := Open(context.Background(), Options{Dir: dir})
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			b := s.Begin("q")
			b.Put(synthetic(record.PMID(i + 1)))
			if _, err := b.Commit(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	n := 0
	for _, err := range openTest(t, dir, Options{ReadOnly: true}).Documents(t.Context(), 0) {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	if n != 8 {
		t.Errorf("%d documents, want 8", n)
	}
}

// A corpus that no process has open is a single file.
func TestClosingLeavesOneFile(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	commitTest(t, s, "q", synthetic(1))
	if _, err := s.Search(t.Context(), All{}, Filter{}, 1); err != nil {
		t.Fatal(err)
	}
	var size, vacuum int
	if err := errors.Join(s.db.Writer.QueryRow("PRAGMA page_size").Scan(&size), s.db.Writer.QueryRow("PRAGMA auto_vacuum").Scan(&vacuum)); err != nil || size != 8192 || vacuum != 2 {
		t.Errorf("page size %d, auto_vacuum %d, %v", size, vacuum, err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, FileName+"*"))
	if err != nil || len(files) != 1 {
		t.Errorf("left behind: %v %v", files, err)
	}
}

// The file that the first migrations create must remain readable by later programs.
func TestMigrationsBuildTheDocumentedLayout(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	var tables string
	err := s.db.Writer.QueryRow("SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema WHERE type='table' AND name NOT LIKE 'sqlite_%' ORDER BY name)").Scan(&tables)
	want := "audit checkpoint code dead deletion document file job job_slice kept lease listed meta model model_row page provenance segment source vector vector_code vector_partition"
	if err != nil || tables != want {
		t.Errorf("tables: %s %v", tables, err)
	}
	var version int
	if err := s.db.Writer.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version != 2 || len(layouts()) != 2 {
		t.Errorf("version %d %v", version, err)
	}
	var pages int
	if err := s.db.Writer.QueryRow("SELECT count(*) FROM dbstat WHERE name='sqlite_schema'").Scan(&pages); err != nil || pages != 1 {
		t.Errorf("the definitions of the tables are on %d pages, which a repair cannot make again; %v", pages, err)
	}
	if err := s.SetMeta(t.Context(), "analysis", "3"); err != nil {
		t.Fatal(err)
	}
	if v, err := s.Meta(t.Context(), "analysis"); v != "3" || err != nil {
		t.Errorf("meta: %q %v", v, err)
	}
	err = s.db.Write(t.Context(), "test", func(*rows.Conn) error { return errors.New("x") })
	if err == nil {
		t.Error("a failed transaction must say so")
	}
	if err := s.SetMeta(t.Context(), "analysis", "4"); err != nil {
		t.Errorf("the writer must survive a failed transaction: %v", err)
	}
}

// A database of another program, including the response cache, is rejected and left unchanged.
func TestForeignFilesAreRefused(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, FileName)
	c, err := replies.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, readOnly := range []bool{false, true} {
		t.Run(fmt.Sprint(readOnly), func(t *testing.T) {
			if _, err := Open(t.Context(), Options{Dir: dir, ReadOnly: readOnly}); !IsKind(err, Foreign) {
				t.Errorf("read only %v: %v", readOnly, err)
			}
		})
	}
	if _, err := repairOf(dir).Run(t.Context()); !IsKind(err, Foreign) {
		t.Errorf("repair: %v", err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file has changed, %v", err)
	}
}
