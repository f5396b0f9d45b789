package rag_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"biomcp/rag"
	"biomcp/store"
)

func TestWiderQueries(t *testing.T) {
	for text, want := range map[string]string{
		`"weight loss" AND glp1`:                           `(weight AND loss) AND glp1; ("weight loss" OR glp1)`,
		`"weight loss"`:                                    `(weight AND loss)`,
		`"weight loss"[ti] NOT "old age"`:                  `(weight AND loss)[ti] NOT "old age"`,
		`weight loss AND glp1 AND 2020[dp] -rat`:           `(weight OR loss OR glp1) AND 2020[dp] NOT rat`,
		`title:"weight loss" AND glp*[tiab] AND smith[au]`: `title:(weight AND loss) AND glp*[tiab] AND smith[au]; (title:"weight loss" OR glp*[tiab]) AND smith[au]`,
		"weight loss":                                      "",
		"weight OR loss":                                   "",
		"smith[au] AND 2020[dp]":                           "",
	} {
		if got := strings.Join(read(text).Wider, "; "); got != want {
			t.Errorf("%s is made wider as %s, want %s", text, got, want)
		}
	}
}

// The number of documents of a wider query equals the length of its answer.
func TestWiderQueriesHaveTheirCount(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	corpus, index := corpusOf(t, drawDocuments(rng, 40))
	s := &rag.Searcher{Index: index, Corpus: corpus, Embedder: &compass{}}
	word := func() string { return fmt.Sprintf("zyx%dq", rng.IntN(8)) }
	offered := 0
	for range 150 {
		tag, _ := drawField(rng)
		text := fmt.Sprintf(`"%s %s" AND %s AND %s NOT %s`, word(), word(), word(), tag, word())
		for _, wider := range read(text).Wider {
			n, err := rag.CountDocuments(t.Context(), corpus, read(wider), store.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			answer, err := s.Search(t.Context(), wider, rag.Options{TopK: 100})
			if err != nil || len(answer.Results) != n {
				t.Fatalf("%s: %d documents, %v, but counted %d", wider, len(answer.Results), err, n)
			}
			offered += min(1, n)
		}
	}
	if offered < 50 {
		t.Errorf("only %d wider queries had hits", offered)
	}
}
