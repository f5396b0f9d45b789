package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"biomcp/entrez/record"
	"biomcp/store/rows"
)

func TestAWriterWaitsForAnother(t *testing.T) {
	dir := t.TempDir()
	a := openTest(t, dir, Options{})
	b := openTest(t, dir, Options{Wait: time.Millisecond})
	conn, err := a.db.Writer.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	batch := b.Begin("q")
	if err := batch.Put(synthetic(1)); err != nil {
		t.Fatal(err)
	}
	if _, err := batch.Commit(t.Context()); !IsKind(err, Locked) {
		t.Errorf("while another writes: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := batch.Commit(ctx); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := b.Search(t.Context(), All{}, Filter{}, 1); err != nil {
		t.Errorf("reading while another writes: %v", err)
	}
	if _, err := conn.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if done, err := batch.Commit(t.Context()); err != nil || done.Inserted != 1 {
		t.Errorf("a batch that failed may be committed again: %+v %v", done, err)
	}
}

func TestAFullDiskLosesNothingThatWasStored(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	commitTest(t, s, "q", synthetic(1))
	limit := func(pages string) { // SQLite reacts as it does on a full disk
		set := func(w *rows.Conn) error { return w.Row("PRAGMA max_page_count="+pages, nil, new(int)) }
		if err := s.db.UseWriter(t.Context(), set); err != nil {
			t.Fatal(err)
		}
	}
	limit("45")
	b := s.Begin("q")
	for pmid := record.PMID(2); pmid < 400; pmid++ {
		d := synthetic(pmid)
		d.Abstract = strings.Repeat(d.Title, int(pmid))
		if err := b.Put(d); err != nil {
			t.Fatal(err)
		}
	}
	_, err := b.Commit(t.Context())
	if !IsKind(err, Full) {
		t.Fatalf("a full disk: %v", err)
	}
	checkIntegrity(t, s)
	if st, err := s.Stats(t.Context()); err != nil || st.Documents != 1 {
		t.Errorf("%+v %v", st, err)
	}
	limit("1000000")
	if done, err := b.Commit(t.Context()); err != nil || done.Inserted != 398 {
		t.Errorf("when there is room again: %+v %v", done, err)
	}
	checkIntegrity(t, s)
}

// A corpus in a folder that is not writable, such as a read-only mount, can be read.
func TestReadingAFolderThatMayNotBeWritten(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	commitTest(t, s, "q", synthetic(1))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o755)
	if f, err := os.Create(filepath.Join(dir, "probe")); err == nil {
		f.Close()
		os.Remove(f.Name())
		t.Skip("this user may write everywhere: run it as another than root")
	}
	w, err := Open(t.Context(), Options{Dir: dir})
	if err == nil {
		b := w.Begin("q")
		b.Put(synthetic(2))
		_, err = b.Commit(t.Context())
		w.Close()
	}
	if !IsKind(err, ReadOnly) {
		t.Errorf("for writing: %v", err)
	}
	r, err := Open(t.Context(), Options{Dir: dir, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if _, err := r.Document(t.Context(), 1); err != nil {
		t.Error(err)
	}
}

func TestDamageIsAnErrorNotAPanic(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	var docs []*Document
	for pmid := record.PMID(1); pmid < 300; pmid++ {
		d := synthetic(pmid)
		d.Chunks[0].Tokens = sentence("one two three one")
		docs = append(docs, d)
	}
	commitTest(t, s, "q", docs...)
	for _, harm := range []string{
		"UPDATE page SET data=zeroblob(length(data))",
		"UPDATE page SET data=substr(data,1,length(data)/2)",
		"DELETE FROM page WHERE (id>>26)&63 > 4",
		"UPDATE document SET body=x'00'",
		"UPDATE document SET body=zeroblob(100)",
	} {
		t.Run(harm, func(t *testing.T) {
			if _, err := s.db.Writer.Exec(harm); err != nil {
				t.Fatal(err)
			}
			fresh := openTest(t, dir, Options{ReadOnly: true})
			_, searched := fresh.Search(t.Context(), Or{Term{Text: "one"}, Term{Text: "two"}}, Filter{From: "2000"}, 10)
			_, read := fresh.Document(t.Context(), 7)
			if err := errors.Join(searched, read); !IsKind(err, Corrupt) {
				t.Errorf("%s: %v, %v", harm, searched, read)
			}
		})
	}
}
