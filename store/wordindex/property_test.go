package wordindex_test

import (
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
)

// A language is found by its name and by each of its codes, and no other is.
func TestLanguagesAreFound(t *testing.T) {
	s := openCorpus(t, t.TempDir(), false)
	var codes []string
	for row := range record.Languages() {
		codes = append(codes, row.Code)
	}
	commit(t, s, func(b *store.Batch) error {
		for i, code := range codes {
			d := &store.Document{PMID: record.PMID(1 + i), Languages: []string{code}, Chunks: []store.Chunk{chunk("heart")}}
			if err := b.Put(d); err != nil {
				return err
			}
		}
		return nil
	})
	for row := range record.Languages() {
		for _, typed := range []string{row.Name, row.Code, row.ISO} {
			hits, total, err := s.List(t.Context(), store.Filter{Languages: []string{typed}}, 0, 10)
			want := record.PMID(1 + slices.Index(codes, row.Code))
			if err != nil || total != 1 || hits[0].PMID != want {
				t.Errorf("%q lists %v of %d, %v, want [%d]", typed, hits, total, err, want)
			}
		}
	}
	for _, unknown := range []string{"Klingon", "engl", "fr-CA"} {
		if hits, _, err := s.List(t.Context(), store.Filter{Languages: []string{unknown}}, 0, 10); err != nil || len(hits) > 0 {
			t.Errorf("%q lists %v, %v, want none", unknown, hits, err)
		}
	}
}
