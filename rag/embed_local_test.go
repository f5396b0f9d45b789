package rag

import (
	"context"
	"slices"
	"sync"
	"testing"

	"biomcp/rag/analyze"
	"biomcp/rag/lsa"
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
	rows := map[string][]byte{}
	for term, row := range m.Rows() {
		rows[term] = slices.Clone(row)
	}
	space, err := lsa.Open(context.Background(), func(_ context.Context, terms []string) (map[string][]byte, error) {
		found := map[string][]byte{}
		for _, term := range terms {
			if row, ok := rows[term]; ok {
				found[term] = row
			}
		}
		return found, nil
	})
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
	if l.Dim() < 2 || l.Fitted() != len(texts) {
		t.Fatalf("%d dimensions, fitted on %d", l.Dim(), l.Fitted())
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
