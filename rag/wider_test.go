package rag_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"biomcp/rag"
	"biomcp/store"
)

// Each form of a query without hits is made wider: groups are separated by "; ", queries of a group by " | ".
func TestWiderQueries(t *testing.T) {
	for text, want := range map[string]string{
		`"weight loss" AND glp1`: `weight AND loss AND glp1; "weight loss" OR glp1; weight OR loss OR glp1`,
		`"weight loss"`:          `weight AND loss; weight OR loss`,
		`"weight loss"[ti] NOT "old age"`: `weight[ti] AND loss[ti] NOT "old age"; "weight loss"[ti]; ` +
			`"weight loss"[tiab] NOT "old age"; "weight loss" NOT "old age"; (weight[ti] OR loss[ti]) NOT "old age"; ` +
			`weight[ti] OR loss[ti]; weight OR loss`,
		`weight loss AND glp1 AND 2020[dp] -rat`: `weight loss AND glp1 AND 2020[dp]; weight loss AND glp1 NOT rat; ` +
			`(weight OR loss OR glp1) AND 2020[dp] NOT rat; weight OR loss OR glp1; 2020[dp]`,
		"smith[au] AND 2020[dp]": "2020[dp] | smith[au]",
		"cancer[mh]":             "cancer",
		`"lung cancer/genetics"[majr] AND 2020[dp]`: `"lung cancer/genetics"[mh] AND 2020[dp]; lung cancer AND 2020[dp]; ` +
			`2020[dp] | "lung cancer/genetics"[majr]; (lung OR cancer) AND 2020[dp]; lung OR cancer`,
		"weight OR (loss AND glp1)": "weight OR loss OR glp1",
		`(weight OR diet) AND (loss OR "old age")`: `(weight OR diet) AND (loss OR (old AND age)); loss OR "old age" | weight OR diet; ` +
			`weight OR diet OR loss OR "old age"; weight OR diet OR loss OR old OR age`,
		"(weight AND loss) OR (glp1 AND 2020[dp])": "weight OR loss OR (glp1 AND 2020[dp]); weight OR loss OR glp1; 2020[dp]",
		"weight loss smith[au] title:diet": "smith[au] diet[tiab] weight loss; smith[au] weight loss diet; " +
			"weight loss title:diet | smith[au] weight loss; (weight OR loss OR title:diet) AND smith[au]; " +
			"(weight OR loss OR diet) AND smith[au]; weight OR loss OR title:diet; smith[au]; weight OR loss OR diet",
		"weight AND (loss NOT loss)": "weight AND loss; (weight OR loss) NOT loss; weight OR loss",
		"weight*[ti] AND glp*":       "weight*[tiab] AND glp*; weight* AND glp*; glp*; weight*[ti] OR glp*; weight* OR glp*",
		"weight loss":                "",
		"weight OR loss":             "",
		"(weight OR loss)":           "",
		"NOT weight":                 "",
		`""`:                         "",
	} {
		var groups []string
		for _, group := range read(text).Wider {
			groups = append(groups, strings.Join(group, " | "))
		}
		if got := strings.Join(groups, "; "); got != want {
			t.Errorf("%s is made wider as %s, want %s", text, got, want)
		}
	}
}

// If an operand of a query without hits has hits alone, a wider query has hits.
func TestQueriesWithoutHitsHaveAWayOut(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 8))
	corpus, index := corpusOf(t, drawDocuments(rng, 30))
	s := &rag.Searcher{Index: index, Corpus: corpus}
	find := func(text string) int {
		answer, err := s.Search(t.Context(), text, rag.Options{TopK: 100})
		if err != nil {
			t.Fatal(err)
		}
		return len(answer.Results)
	}
	empty := 0
	for range 120 {
		var parts [3]string
		for i := range parts {
			word := fmt.Sprintf("zyx%dq", rng.IntN(9))
			field, _ := drawField(rng)
			parts[i] = []string{word, field, field, `"` + word + ` passage"`, word + "[majr]", "zyx*"}[rng.IntN(6)]
		}
		a, b, c := parts[0], parts[1], parts[2]
		for _, text := range []string{
			a, a + " AND " + b, a + " AND " + b + " AND " + c, a + " AND (" + b + " OR absentword) AND " + c, a + " NOT " + a,
			"(" + a + " AND " + b + ") OR (" + b + " AND " + c + ")", a + " absentword", a + " AND (absentword OR unknownword)",
		} {
			if find(text) > 0 || find(a)+find(b)*strings.Count(text, b) == 0 {
				continue
			}
			empty++
			wider := slices.Concat(read(text).Wider...)
			if !slices.ContainsFunc(wider, func(text string) bool { return find(text) > 0 }) {
				t.Fatalf("%s has no hits, and none of its wider queries has: %q", text, wider)
			}
		}
	}
	if empty < 60 {
		t.Errorf("only %d queries had no hits", empty)
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
		for _, wider := range slices.Concat(read(text).Wider...) {
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
