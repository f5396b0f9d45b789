package rag

import (
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"

	"biomcp/rag/analyze"
	"biomcp/rag/lsa"
	"biomcp/rag/lsa/lsatest"
	"biomcp/store"
	"biomcp/store/postings"
)

// localOf returns the local embedder fitted on texts.
func localOf(t testing.TB, texts []string) *Local {
	t.Helper()
	f, a := lsa.NewFitter(len(texts)), analyze.New()
	for _, text := range texts {
		tokens, _ := a.Tokens(nil, text, 0)
		f.Add(tokens)
	}
	m, err := f.Fit(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	space, err := lsa.Open(context.Background(), lsatest.Copy(m.Rows()))
	if err != nil {
		t.Fatal(err)
	}
	return NewLocal(m.Name(), space, nil)
}

func TestLocalVectorsAreNearForOneTopic(t *testing.T) {
	texts := []string{
		"Insulin lowers blood glucose in diabetes.", "Metformin lowers glucose in type 2 diabetes.", "Diabetes and insulin resistance.",
		"Lens opacity and cataract surgery.", "Cataract of the lens in the aged.", "Surgery of the lens.",
	}
	l := localOf(t, texts)
	if l.Dim() < 2 || l.FittedDocuments() != len(texts) {
		t.Fatalf("%d dimensions, fitted on %d", l.Dim(), l.FittedDocuments())
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			v, err := l.Embed(context.Background(), []string{texts[0], "the cataracts", "xyzzy", texts[4], ""})
			if err != nil {
				t.Error(err)
				return
			}
			if v[2] != nil || v[4] != nil {
				t.Error("words that the model does not know have a vector")
			}
			if near, far := product(v[1], v[3]), product(v[1], v[0]); near < 0.5 || far > 0.2 {
				t.Errorf("cataract is %.2f from a text on it and %.2f from one on diabetes", near, far)
			}
		})
	}
	wg.Wait()
}

func product(a, b []float32) (sum float32) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// A chunk has one vector, with the terms of a Cutter or without, and by their numbers:
// that of its text with the title twice.
func TestVectorsOfChunksAreThoseOfTheirTexts(t *testing.T) {
	docs := []*store.Document{
		{Title: "Insulin lowers blood glucose (a trial).", Abstract: "Type 2 diabetes was treated. IL-6 and TGF-beta fell.", Keywords: []string{"insulin resistance", "IL-6"}},
		{Title: "Lens opacity and cataract surgery -", Abstract: "- of the aged. P < 0.05; glucose was 5.5 mmol/L"},
		{Title: "[Cataract", Mesh: []store.Heading{{Descriptor: "Lens, Crystalline"}, {Descriptor: "Aged"}}},
		{Abstract: "Surgery of the lens."},
		{Title: "xyzzy"},
	}
	var fit []string
	for _, d := range docs[:4] {
		fit = append(fit, EmbeddingText(d.Title, d.Abstract, Subjects(d)), d.Title+" of insulin, glucose and the lens")
	}
	l := localOf(t, fit)
	var chunks []store.DocumentChunk
	var whole []string
	for _, d := range docs {
		NewCutter().Cut(d)
		for i, c := range d.Chunks {
			chunks = append(chunks, store.DocumentChunk{Document: d, Ordinal: i})
			whole = append(whole, d.Title+"\n"+EmbeddingText(d.Title, c.Text, Subjects(d)))
		}
	}
	want, err := l.Embed(t.Context(), whole)
	if err != nil || want[0] == nil || want[len(want)-1] != nil {
		t.Fatal(want, err)
	}
	for _, cut := range []bool{true, false} {
		if !cut {
			for _, c := range chunks {
				c.Chunk().Tokens = nil
			}
		}
		if got, err := l.EmbedChunks(t.Context(), chunks); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("with terms %v: %v, %v", cut, got, err)
		}
	}
	known, ok, err := l.Terms(t.Context())
	if !ok || err != nil || !slices.IsSorted(known) {
		t.Fatal(known, err)
	}
	counts := make([][]postings.TermCount, len(chunks))
	for i, c := range chunks {
		bag := map[string]uint32{}
		for _, term := range NewCutter().Tokens(c.Title, c.Chunk().Text, Subjects(c.Document)) {
			bag[term.Term]++
		}
		for n, term := range known {
			if bag[term] > 0 {
				counts[i] = append(counts[i], postings.NewTermCount(uint32(n), bag[term]))
			}
		}
	}
	if got, err := l.EmbedCounts(t.Context(), counts); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("by numbers: %v, %v", got, err)
	}
}
