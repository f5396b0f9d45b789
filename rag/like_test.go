package rag_test

import (
	"slices"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
)

// Documents similar to the seeds are found, but not the seeds. Documents similar to negative
// seeds rank lower. A seed that is not in the corpus is reported. Words of the query count
// beside the seeds.
func TestMoreLikeSeeds(t *testing.T) {
	s := searcher(t, nil, "asthma inhaler trial", "asthma inhaler children", "asthma steroid cohort", "statin myopathy cohort", "asthma steroid children", "inhaler technique children")
	find := func(text string, like, not []record.PMID) []record.PMID {
		t.Helper()
		answer, pmids := ask(t, s, text, rag.Options{Seeds: rag.Seeds{Positive: like, Negative: not}})
		if slices.Contains(like, 99) != slices.Equal(answer.MissingSeeds, []record.PMID{99}) {
			t.Errorf("missing: %v", answer.MissingSeeds)
		}
		return pmids
	}
	if got := find("", []record.PMID{1, 99}, nil); len(got) != 4 || got[0] != 2 || slices.Contains(got, 1) || slices.Contains(got, 4) {
		t.Errorf("like 1: %v", got)
	}
	if got := find("", []record.PMID{1, 3}, []record.PMID{2}); got[0] != 5 && got[0] != 6 || slices.Contains(got, 2) {
		t.Errorf("like 1 and 3, not 2: %v", got)
	}
	if got := find("myopathy", []record.PMID{1}, nil); !slices.Contains(got, 4) {
		t.Errorf("like 1, with a word: %v", got)
	}
	if got := find("", []record.PMID{99}, nil); len(got) != 0 {
		t.Errorf("like nothing: %v", got)
	}
}

// With the words of the best hits, documents that share no word with the query are found.
func TestRecallByTheWordsOfTheBestHits(t *testing.T) {
	s := searcher(t, nil, "asthma inhaler trial", "inhaler technique", "statin myopathy")
	if _, pmids := ask(t, s, "asthma", rag.Options{}); !slices.Equal(pmids, []record.PMID{1}) {
		t.Errorf("%v", pmids)
	}
	answer, pmids := ask(t, s, "asthma", rag.Options{Recall: true})
	if !slices.Equal(pmids, []record.PMID{1, 2}) || !slices.Contains(answer.Query.Added, "inhal") {
		t.Errorf("%v by %v", pmids, answer.Query.Added)
	}
}
