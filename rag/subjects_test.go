package rag_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/rag/ragtest"
	"biomcp/store"
)

// If hits are equally near to a long query, those with headings of the first document or of the
// seed rank first, and one without headings stays between.
func TestHitsAreComparedByHeadings(t *testing.T) {
	const long = "aspirin north north north north north north north north"
	for name, c := range map[string]struct {
		headings [][]string
		query    string
		like     []record.PMID
		want     []record.PMID
		by       bool
		sim      float64 // similarity of the first
	}{
		"of the first document": {[][]string{{"Humans", "Trial"}, {"Mice"}, nil, {"Humans", "Trial"}}, long, nil, []record.PMID{1, 4, 3, 2}, true, (2*0.8 + 1) / 3},
		"of the seed":           {[][]string{{"Mice"}, {"Humans"}, nil, {"Mice"}}, "", []record.PMID{1}, []record.PMID{4, 3, 2}, true, 0},
		"of few words":          {[][]string{{"Humans"}, {"Mice"}, nil, {"Humans"}}, "aspirin", nil, []record.PMID{1, 2, 3, 4}, false, 0.8},
		"unknown":               {make([][]string, 4), long, nil, []record.PMID{1, 2, 3, 4}, false, 0.8},
	} {
		t.Run(name, func(t *testing.T) {
			s := headingSearcher(t, []string{"Aspirin trial", "Placebo trial", "Statins trial", "Fibrates trial"}, c.headings)
			answer, pmids := ask(t, s, c.query, rag.Options{TopK: 4, Seeds: rag.Seeds{Positive: c.like}})
			if !slices.Equal(pmids, c.want) || answer.HeadingFeedback != c.by || c.query != "aspirin" && len(answer.Documents) != len(pmids) {
				t.Errorf("%v, by headings %t, of %+v", pmids, answer.HeadingFeedback, answer.Results)
			}
			if sim := *answer.Results[0].Sim; c.sim > 0 && math.Abs(sim-c.sim) > 0.001 {
				t.Errorf("similarity %v, not %v", sim, c.sim)
			}
		})
	}
}

// headingSearcher returns a searcher of documents with these titles and headings. The first is
// nearest to every query, and the others are equally near.
func headingSearcher(t *testing.T, titles []string, headings [][]string) *rag.Searcher {
	t.Helper()
	index := &ragtest.Memory{}
	cutter := rag.NewCutter()
	for i, title := range titles {
		d := &store.Document{PMID: record.PMID(i + 1), Title: title}
		for _, h := range headings[i] {
			d.Mesh = append(d.Mesh, store.Heading{Descriptor: h})
		}
		cutter.Cut(d)
		if d.Chunks[0].Vector = []float32{0.6, 0.8}; i == 0 {
			d.Chunks[0].Vector = []float32{0.8, 0.6}
		}
		if err := index.Put(t.Context(), []*store.Document{d}); err != nil {
			t.Fatal(err)
		}
	}
	stored := vectorSource{index, map[record.PMID][]float32{1: {0.8, 0.6}, 2: {0.6, 0.8}}, false}
	return &rag.Searcher{Index: stored, Corpus: index, Embedder: &compass{}}
}

// All hits are compared with the headings of seeds, however far down they are. Several seeds are
// compared with alone, and one together with the first documents.
func TestAllHitsAreComparedWithSeeds(t *testing.T) {
	const documents = 60
	titles, headings := make([]string, documents), make([][]string, documents)
	for i := range titles {
		titles[i], headings[i] = "Placebo trial", []string{"Mice"}
	}
	headings[0], headings[1], headings[documents-1] = []string{"Trial"}, []string{"Trial"}, []string{"Trial"}
	s := headingSearcher(t, titles, headings)
	for _, c := range []struct {
		like      []record.PMID
		low, high float64 // similarity of the last document; half of it is the cosine of the headings
	}{
		{[]record.PMID{1, 2}, 0.97, 1.001},
		{[]record.PMID{1}, 0.8, 0.95}, // the headings of the first documents are counted too
	} {
		answer, pmids := ask(t, s, "", rag.Options{TopK: 3, Seeds: rag.Seeds{Positive: c.like}})
		i := slices.Index(pmids[:2], documents)
		if i < 0 {
			t.Errorf("like %v: got %v first, want %d", c.like, pmids, documents)
		} else if sim := *answer.Results[i].Sim; sim < c.low || sim > c.high {
			t.Errorf("like %v: got similarity %.3f, want %g to %g", c.like, sim, c.low, c.high)
		}
	}
}

// The headings of at least twenty documents are read, and of more if the query has more terms.
func TestLongQueriesReadMoreHeadings(t *testing.T) {
	titles, headings := make([]string, 40), make([][]string, 40)
	for i := range titles {
		titles[i], headings[i] = fmt.Sprintf("Aspirin trial %d", i), []string{"Humans"}
	}
	s := headingSearcher(t, titles, headings)
	for n, want := range map[int]int{9: 20, 20: 20, 33: 33, 60: 40} {
		answer, _ := ask(t, s, strings.Repeat("aspirin ", n), rag.Options{TopK: 40})
		if terms := len(answer.Query.Terms); terms != n || len(answer.Documents) != want {
			t.Errorf("a query of %d terms: %d terms, and %d documents were read, want %d", n, terms, len(answer.Documents), want)
		}
	}
}
