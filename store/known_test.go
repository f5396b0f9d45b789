package store

import (
	"testing"

	"biomcp/entrez/record"
)

// A document that the corpus has is not indexed again, unless it was removed or replaced by an
// older one in the meantime.
func TestKnownDocumentIsIndexedOnlyWhereTheCorpusChanged(t *testing.T) {
	s := openTest(t, t.TempDir(), Options{})
	doc := func(title string) *Document {
		return &Document{PMID: 7, LR: "2024-05-02", Title: title, Chunks: []Chunk{{ID: "w0", Tokens: sentence(title)}}}
	}
	commitTest(t, s, "first", doc("mushroom"))
	again := func(file FileNumber) (done CommitResult, calls int) {
		t.Helper()
		d := doc("mushroom")
		d.Chunks = nil
		b := s.Begin("second").FromFile(file)
		if err := b.PutKnown(d, func(d *Document) { calls++; d.Chunks = doc("mushroom").Chunks }); err != nil {
			t.Fatal(err)
		}
		done, err := b.Commit(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return done, calls
	}
	if done, calls := again(270001); done != (CommitResult{Skipped: 1}) || calls != 0 {
		t.Errorf("the same document: %+v, indexed %d times", done, calls)
	}
	states, err := s.States(t.Context(), []record.PMID{7})
	if err != nil || states[7].File != 270001 {
		t.Errorf("it is from file %d, %v", states[7].File, err)
	}
	if list, err := s.provenance(t.Context(), 7); err != nil || len(list) != 2 {
		t.Errorf("it was brought by %v, %v", list, err)
	}
	commitTest(t, s, "third", doc("toadstool"))
	if done, calls := again(270002); done != (CommitResult{Updated: 1}) || calls != 1 {
		t.Errorf("another text of the same date: %+v, indexed %d times", done, calls)
	}
	hits, err := s.Search(t.Context(), Term{Text: "mushroom"}, Filter{}, 10)
	if err != nil || len(hits) != 1 {
		t.Errorf("found %v, %v", hits, err)
	}
	if d, err := s.Document(t.Context(), 7); err != nil || d.Title != "mushroom" || len(d.Chunks) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
}
