package wordindex_test

import (
	"fmt"
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

// A document that was revised or deleted leaves no trace in the scores of others, in any order of merges.
func TestScoresDoNotDependOnHistory(t *testing.T) {
	text := func(i int) string { return fmt.Sprintf("heart %s %s", words[i%len(words)], words[i*i%len(words)]) }
	document := func(i int) *store.Document {
		return &store.Document{PMID: record.PMID(i), LR: "2000-01-01", Chunks: []store.Chunk{chunk(text(i))}}
	}
	changed, fresh := openCorpus(t, t.TempDir(), false), openCorpus(t, t.TempDir(), false)
	commit(t, changed, func(b *store.Batch) error {
		for i := 1; i <= 40; i++ {
			if err := b.Put(document(i)); err != nil {
				return err
			}
		}
		return nil
	})
	commit(t, changed, func(b *store.Batch) error {
		for i := 1; i <= 40; i += 16 {
			b.Delete(record.PMID(i), "")
		}
		return nil
	})
	commit(t, fresh, func(b *store.Batch) error {
		for i := 1; i <= 40; i++ {
			if i%16 == 1 {
				continue
			}
			if err := b.Put(document(i)); err != nil {
				return err
			}
		}
		return nil
	})
	for _, word := range append(slices.Clone(words), "hearts") {
		scores := func(s *store.Store) map[record.PMID]string {
			hits, err := s.Search(t.Context(), store.Or{store.Term{Text: word}, store.Term{Text: "mouse"}}, store.Filter{}, 100)
			if err != nil {
				t.Fatal(err)
			}
			scores := map[record.PMID]string{}
			for _, h := range hits {
				scores[h.PMID] = fmt.Sprintf("%.5f", h.Score)
			}
			return scores
		}
		if got, want := fmt.Sprint(scores(changed)), fmt.Sprint(scores(fresh)); got != want {
			t.Errorf("%s OR mouse: after changes %s, in a fresh corpus %s", word, got, want)
		}
	}
}
