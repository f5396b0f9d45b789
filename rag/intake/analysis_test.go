package intake

import (
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
)

// If the word index has terms of another version, vectors are made from the texts.
func TestVectorsOfACorpusWithOtherTerms(t *testing.T) {
	o := options(t)
	if err := o.Store.SetMeta(t.Context(), "analysis", "0"); err != nil {
		t.Fatal(err)
	}
	b := o.Store.Begin("test")
	for _, r := range topical(1, 2*LeastDocuments) {
		d := &store.Document{PMID: record.PMID(r.pmid), PMIDVersion: 1, LR: "2026-01-01T00:00:00Z", Title: r.title, Abstract: r.abstract}
		rag.NewCutter().Cut(d)
		for i := range d.Chunks[0].Tokens {
			d.Chunks[0].Tokens[i].Term, d.Chunks[0].Tokens[i].Entry = "x"+d.Chunks[0].Tokens[i].Term, nil
		}
		if err := b.Put(d); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if made, err := UpdateVectors(t.Context(), o, false); err != nil || made.NewVectors != 2*LeastDocuments {
		t.Fatal(made, err)
	}
	by, m := inUse(t, o)
	areOfTexts(t, o, by.(*rag.Local), m)
}
