package rag_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

// drawn is a query in text, and whether a document with some words matches it.
type drawn struct {
	text    string
	matches func(words []string) bool
}

func drawBoolean(rng *rand.Rand, depth int) drawn {
	if depth == 0 || rng.IntN(4) == 0 {
		word := fmt.Sprintf("zyx%dq", rng.IntN(12))
		return drawn{word, func(words []string) bool { return slices.Contains(words, word) }}
	}
	a, b := drawBoolean(rng, depth-1), drawBoolean(rng, depth-1)
	switch rng.IntN(4) {
	case 3:
		return drawn{"(NOT " + a.text + ")", func(w []string) bool { return !a.matches(w) }}
	case 0:
		return drawn{"(" + a.text + " AND " + b.text + ")", func(w []string) bool { return a.matches(w) && b.matches(w) }}
	case 1:
		return drawn{"(" + a.text + " OR " + b.text + ")", func(w []string) bool { return a.matches(w) || b.matches(w) }}
	}
	return drawn{"(" + a.text + " NOT " + b.text + ")", func(w []string) bool { return a.matches(w) && !b.matches(w) }}
}

// A boolean query finds exactly the documents that match it, in whichever passages their words are.
func TestBooleanQueriesFindWholeDocuments(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	index, cutter := &ragtest.Memory{}, rag.NewCutter()
	words := map[record.PMID][]string{}
	var docs []*store.Document
	for i := range 80 {
		d := &store.Document{PMID: record.PMID(i + 1), PMIDVersion: 1}
		for j := range 1 + rng.IntN(4) {
			var passage []string
			for range rng.IntN(4) {
				passage = append(passage, fmt.Sprintf("zyx%dq", rng.IntN(12)))
			}
			words[d.PMID] = append(words[d.PMID], passage...)
			d.Chunks = append(d.Chunks, store.Chunk{
				ID: fmt.Sprint("w", j), Text: "passage " + strings.Join(passage, " "), Vector: []float32{1, 0},
			})
		}
		cutter.Tokenize(d)
		docs = append(docs, d)
	}
	if err := index.Put(t.Context(), docs); err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, embedder := range []rag.Embedder{nil, &compass{}} {
		s := &rag.Searcher{Index: index, Corpus: index, Embedder: embedder}
		for range 150 {
			q := drawBoolean(rng, 3)
			if !strings.Contains(q.text, "AND") && !strings.Contains(q.text, "NOT") {
				continue
			}
			var want, got []record.PMID
			for _, d := range docs {
				if q.matches(words[d.PMID]) {
					want = append(want, d.PMID)
				}
			}
			answer, err := s.Search(t.Context(), q.text, rag.Options{TopK: 100})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range answer.Results {
				got = append(got, r.PMID)
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%s, by meaning too: %v: found %v, want %v", q.text, embedder != nil, got, want)
			}
			found += len(want)
		}
	}
	if found < 1000 {
		t.Errorf("the queries match %d documents, too few to say anything", found)
	}
}
