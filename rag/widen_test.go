package rag_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"biomcp/entrez/record"
	"biomcp/rag"
)

// headings are those of a table in which these are the entry terms, in lower case.
func headings(table map[string]string) rag.EntryTerms {
	return func(_ context.Context, terms []string) (map[string]string, error) {
		found := map[string]string{}
		for _, t := range terms {
			if name := table[strings.ToLower(t)]; name != "" {
				found[t] = name
			}
		}
		return found, nil
	}
}

// The document has none of the words that were typed, and the one that has them stays
// the first.
func TestAnEntryTermFindsItsHeading(t *testing.T) {
	s := searcher(t, nil, "stents after myocardial infarction", "bees attack a heart surgeon", "infarction of the spleen", "kidney stones", "gout", "gout flares", "acute gout")
	for _, c := range []struct {
		query, widened string
		want           []record.PMID
	}{
		{"heart attack", "", []record.PMID{2}},
		{"a Heart  Attack?", "Heart Attack: Myocardial Infarction", []record.PMID{2, 1, 3}},
		{"heart attack, kidney stones", "heart attack: Myocardial Infarction; kidney stones: Nephrolithiasis", []record.PMID{4, 2, 1, 3}},
		{`"heart attack"`, "", []record.PMID{}},
		{"heart AND attack", "", []record.PMID{2}},
		{"myocardial infarctions", "", []record.PMID{1, 3}}, // the same words once more
		{"gout", "", []record.PMID{5, 6, 7}},                // they use the word themselves
		{strings.Repeat("splendid ", 59) + "heart attack", "", []record.PMID{2}},
	} {
		t.Run(fmt.Sprintf("%.60s", c.query), func(t *testing.T) {
			if s.Headings = nil; c.query != "heart attack" {
				s.Headings = headings(map[string]string{
					"heart attack": "Myocardial Infarction", "heart": "Cor", "kidney stones": "Nephrolithiasis", "gout": "Arthritis, Gouty", "myocardial infarctions": "Myocardial Infarction",
				})
			}
			answer, pmids := ask(t, s, c.query, rag.Options{})
			var widened []string
			for _, w := range answer.Query.Widened {
				widened = append(widened, w.Term+": "+w.Heading)
			}
			if got := strings.Join(widened, "; "); got != c.widened || !slices.Equal(pmids, c.want) {
				t.Errorf("%.40s: widened by %q, want %q; found %v, want %v", c.query, got, c.widened, pmids, c.want)
			}
		})
	}
}

// The words of a heading count half, and belong to what is compared by meaning.
func TestWordsOfAHeadingCountHalf(t *testing.T) {
	s := searcher(t, nil, "neoplasm", "tumor", "lens", "cornea", "iris")
	s.Headings = headings(map[string]string{"tumor": "Neoplasms"})
	answer, _ := ask(t, s, "tumor", rag.Options{})
	if got := fmt.Sprintf("%.3f", *answer.Results[1].BM25 / *answer.Results[0].BM25); answer.Results[0].PMID != 2 || got != "0.500" {
		t.Errorf("%+v, share %s", answer.Results, got)
	}
	if !slices.Equal(answer.Query.Terms, []string{"tumor", "neoplasm"}) || answer.Query.Text != "tumor" {
		t.Errorf("%+v", answer.Query)
	}
}

// A table that cannot be read costs no result.
func TestSearchWithoutItsHeadings(t *testing.T) {
	s := searcher(t, nil, "heart attack")
	damaged := errors.New("the table is damaged")
	s.Headings = func(context.Context, []string) (map[string]string, error) { return nil, damaged }
	answer, pmids := ask(t, s, "heart attack", rag.Options{})
	if !errors.Is(answer.WidenErr, damaged) || len(pmids) != 1 {
		t.Errorf("%v, %v", pmids, answer.WidenErr)
	}
}
