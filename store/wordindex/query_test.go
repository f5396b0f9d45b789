package wordindex_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/store"
)

func openCorpus(t *testing.T, dir string, readOnly bool) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: dir, ReadOnly: readOnly})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func commit(t *testing.T, s *store.Store, change func(*store.Batch) error) {
	t.Helper()
	b := s.Begin("q")
	if err := change(b); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// chunk returns a chunk with the words of a text.
func chunk(text string) store.Chunk {
	c := store.Chunk{ID: "w0"}
	for i, w := range strings.Fields(text) {
		c.Tokens = append(c.Tokens, store.Token{Term: w, Pos: uint32(i)})
	}
	return c
}

func TestQueryOperators(t *testing.T) {
	s := openCorpus(t, t.TempDir(), false)
	texts := map[record.PMID]string{
		1: "heart attack in old mice",
		2: "attack of the heart",
		3: "heart failure heart attack heart attack",
		4: "old hearts fail",
		5: "nothing",
	}
	for pmid, text := range texts { // five segments
		commit(t, s, func(b *store.Batch) error {
			return b.Put(&store.Document{PMID: pmid, Chunks: []store.Chunk{chunk(text)}})
		})
	}
	heart, attack, old := store.Term{Text: "heart"}, store.Term{Text: "attack"}, store.Term{Text: "old"}
	phrase := func(words ...string) store.Phrase {
		var p store.Phrase
		for i, w := range words {
			p.Slots = append(p.Slots, store.Slot{Terms: strings.Split(w, "|"), At: uint32(i)})
		}
		return p
	}
	for _, c := range []struct {
		query store.Query
		want  string
	}{
		{heart, "[3 2 1]"},
		{store.Or{heart, old}, "[1 4 3 2]"},
		{store.Or{store.Term{Text: "heart", Weight: 0.01}, store.Term{Text: "old", Weight: 5}}, "[4 1 3 2]"},
		{store.And{heart, old}, "[1]"},
		{store.And{heart, store.Not{Query: old}}, "[3 2]"},
		{store.Not{Query: heart}, "[4 5]"},
		{store.And{store.Not{Query: heart}, store.Not{Query: old}}, "[5]"},
		{store.Or{old, store.Not{Query: store.Or{heart, old}}}, "[4 1 5]"},
		{phrase("heart", "attack"), "[3 1]"},
		{phrase("heart", "attack|failure"), "[3 1]"},
		{phrase("attack", "heart"), "[3]"},
		{phrase("old", "heart"), "[]"},
		{store.Phrase{Slots: []store.Slot{{Terms: []string{"attack"}}, {Terms: []string{"heart"}, At: 3}}}, "[2]"},
		{store.And{phrase("heart", "attack"), old}, "[1]"},
		{store.And{attack, store.Not{Query: phrase("heart", "attack")}}, "[2]"},
		{store.Prefix{Text: "heart"}, "[3 4 2 1]"},
		{store.And{store.Prefix{Text: "fail"}, store.Not{Query: store.Prefix{Text: "hearts"}}}, "[3]"},
		{store.Prefix{Text: "zzz"}, "[]"},
		{store.Term{Text: "zzz"}, "[]"},
		{store.Term{}, "[]"},
		{store.Prefix{}, "[]"},
		{store.Phrase{}, "[]"},
		{store.Or{}, "[]"},
		{store.And{}, "[1 2 3 4 5]"},
		{store.All{}, "[1 2 3 4 5]"},
		{store.Term{Text: "\x01pnothing"}, "[]"},
	} {
		t.Run(fmt.Sprintf("%.60s", c.want), func(t *testing.T) {
			hits, err := s.Search(t.Context(), c.query, store.Filter{}, 10)
			if err != nil {
				t.Fatal(err)
			}
			pmids := []record.PMID{}
			for _, h := range hits {
				pmids = append(pmids, h.PMID)
			}
			if fmt.Sprint(pmids) != c.want {
				t.Errorf("%+v: %v, want %s", c.query, pmids, c.want)
			}
		})
	}
	df, err := s.DocFreq(t.Context(), "heart", "old", "zzz", "")
	if err != nil || fmt.Sprint(df) != "[3 2 0 0]" {
		t.Errorf("document frequencies %v %v", df, err)
	}
	for _, f := range []store.Filter{{From: "20"}, {To: "2020-13"}, {From: "2020-01-32"}, {To: "last year"}} {
		if _, err := s.Search(t.Context(), heart, f, 1); !store.IsKind(err, store.Invalid) {
			t.Errorf("%+v: %v", f, err)
		}
	}
	if hits, err := s.Search(t.Context(), heart, store.Filter{}, 0); err != nil || hits == nil || len(hits) != 0 {
		t.Errorf("k 0: %v %v", hits, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Search(ctx, heart, store.Filter{}, 1); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

func TestPutRefusesWhatCannotBeIndexed(t *testing.T) {
	s := openCorpus(t, t.TempDir(), false)
	for name, c := range map[string]store.Chunk{
		"id":       {ID: "p0"},
		"term":     {ID: "s0", Tokens: []store.Token{{}}},
		"property": {ID: "s0", Tokens: []store.Token{{Term: "\x01pReview"}}},
		"long":     {ID: "s0", Tokens: make([]store.Token, 70000)},
	} {
		t.Run(fmt.Sprintf("%.60s", name), func(t *testing.T) {
			if err := s.Begin("q").Put(&store.Document{PMID: 1, Chunks: []store.Chunk{c}}); !store.IsKind(err, store.Invalid) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	long := strings.Repeat("x", 1000)
	commit(t, s, func(b *store.Batch) error {
		return b.Put(&store.Document{PMID: 1, Chunks: []store.Chunk{chunk(long)}})
	})
	if hits, err := s.Search(t.Context(), store.Term{Text: long}, store.Filter{}, 1); err != nil || len(hits) != 1 {
		t.Errorf("an over-long term is cut alike when stored and when sought: %v %v", hits, err)
	}
}
