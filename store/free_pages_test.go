package store

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"biomcp/entrez/record"
)

// Unused space is returned to the disk even while others read, and the contents do not change. A
// file with little unused space is not shrunk.
func TestShrink(t *testing.T) {
	dir := t.TempDir()
	s := openTest(t, dir, Options{})
	rng := rand.New(rand.NewPCG(1, 61))
	for pmid := record.PMID(1); pmid <= 600; pmid++ {
		if pmid%100 == 1 { // so that documents follow it in the file and must be moved
			if _, err := s.db.Writer.Exec("INSERT INTO listed VALUES(?, zeroblob(4<<20))", pmid); err != nil {
				t.Fatal(err)
			}
		}
		if pmid%50 == 0 {
			var docs []*Document
			for i := range record.PMID(50) {
				docs = append(docs, randomDocument(rng, pmid-i, 2020))
			}
			commitTest(t, s, "test", docs...)
		}
	}
	if _, err := s.db.Writer.Exec("DELETE FROM listed"); err != nil {
		t.Fatal(err)
	}
	reader := openTest(t, dir, Options{ReadOnly: true})
	ask := func() []Hit {
		t.Helper()
		hits, err := reader.Search(t.Context(), All{}, Filter{}, 10_000)
		if err != nil {
			t.Fatal(err)
		}
		return hits
	}
	size := func() int64 {
		t.Helper()
		fi, err := os.Stat(filepath.Join(dir, FileName))
		if err != nil {
			t.Fatal(err)
		}
		return fi.Size()
	}
	want := ask()
	if len(want) < 600 {
		t.Fatalf("%d hits", len(want))
	}
	if _, err := s.db.Writer.Exec("PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
		t.Fatal(err)
	}
	before := size()
	if err := s.Shrink(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := size()
	if after > before-24<<20 {
		t.Errorf("%d bytes before, %d after", before, after)
	}
	if got := ask(); !reflect.DeepEqual(got, want) {
		t.Error("other hits than before")
	}
	var verdict string
	if err := s.db.Writer.QueryRow("PRAGMA quick_check(1)").Scan(&verdict); err != nil || verdict != "ok" {
		t.Error(verdict, err)
	}
	if _, err := s.db.Writer.Exec("DELETE FROM document WHERE pmid<=20"); err != nil {
		t.Fatal(err)
	}
	if err := s.Shrink(t.Context()); err != nil || size() != after {
		t.Errorf("%v; %d bytes, %d before 20 documents were removed", err, size(), after)
	}
	if err := reader.Shrink(t.Context()); !IsKind(err, ReadOnly) {
		t.Errorf("a reader shrinks: %v", err)
	}
}
