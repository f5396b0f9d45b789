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

// headings come from a table with these entry terms, in lower case.
func headings(table map[string]string) rag.Thesaurus {
	return func(_ context.Context, terms []string) (map[string]rag.Names, error) {
		found := map[string]rag.Names{}
		for _, t := range terms {
			if name := table[strings.ToLower(t)]; name != "" {
				found[t] = rag.Names{Kind: rag.Heading, All: []string{name}}
			}
		}
		return found, nil
	}
}

// A document without any typed word is found by its heading, and the one with the typed words
// stays first.
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
		{"gout", "gout: Arthritis, Gouty", []record.PMID{5, 6, 7}},
		{"Stones", "", []record.PMID{4}}, // its heading has the word, and another
		{strings.Repeat("splendid ", 59) + "heart attack", "", []record.PMID{2}},
	} {
		t.Run(fmt.Sprintf("%.60s", c.query), func(t *testing.T) {
			if s.Thesaurus = nil; c.query != "heart attack" {
				s.Thesaurus = headings(map[string]string{
					"heart attack": "Myocardial Infarction", "heart": "Cor", "kidney stones": "Nephrolithiasis", "gout": "Arthritis, Gouty", "stones": "Spleen Stones", "myocardial infarctions": "Myocardial Infarction",
				})
			}
			answer, pmids := ask(t, s, c.query, rag.Options{})
			var widened []string
			for _, w := range answer.Query.Widened {
				widened = append(widened, w.Term+": "+w.All[0])
			}
			if got := strings.Join(widened, "; "); got != c.widened || !slices.Equal(pmids, c.want) {
				t.Errorf("%.40s: widened by %q, want %q; found %v, want %v", c.query, got, c.widened, pmids, c.want)
			}
		})
	}
}

// The words of a heading have half weight, and are not embedded.
func TestWordsOfAHeadingCountHalf(t *testing.T) {
	s := searcher(t, nil, "neoplasm", "tumor", "lens", "cornea", "iris")
	s.Thesaurus = headings(map[string]string{"tumor": "Neoplasms"})
	answer, _ := ask(t, s, "tumor", rag.Options{})
	if got := fmt.Sprintf("%.3f", *answer.Results[1].BM25 / *answer.Results[0].BM25); answer.Results[0].PMID != 2 || got != "0.500" {
		t.Errorf("%+v, share %s", answer.Results, got)
	}
	if q := answer.Query; !slices.Equal(q.Terms, []string{"tumor"}) || !slices.Equal(q.Added, []string{"neoplasm"}) || q.Text != "tumor" {
		t.Errorf("%+v", answer.Query)
	}
}

// Each symbol of a gene finds the same, in the same order, by words and by meaning.
func TestSymbolsOfAGeneFindTheSame(t *testing.T) {
	s := searcher(t, nil, "p53 in mice", "a study of TP53 and TP53", "LFS1 of old", "kinases", "phosphoprotein p53")
	s.Thesaurus = func(_ context.Context, terms []string) (map[string]rag.Names, error) {
		found := map[string]rag.Names{}
		for _, t := range terms {
			if t == "p53" || t == "TP53" {
				found[t] = rag.Names{Kind: rag.Gene, All: []string{"TP53", "p53", "LFS1", "phosphoprotein p53"}}
			}
		}
		return found, nil
	}
	one, found := ask(t, s, "p53", rag.Options{})
	two, same := ask(t, s, "TP53", rag.Options{})
	if !slices.Equal(found, same) || len(found) != 4 || slices.ContainsFunc(found, func(p record.PMID) bool { return p == 4 }) {
		t.Errorf("p53 finds %v, TP53 %v", found, same)
	}
	slices.Sort(one.Query.Terms)
	slices.Sort(two.Query.Terms)
	if !slices.Equal(one.Query.Terms, two.Query.Terms) || *one.Results[0].BM25 != *two.Results[0].BM25 {
		t.Errorf("%v, %v", one.Query.Terms, two.Query.Terms)
	}
}

// A table that cannot be read costs no result.
func TestSearchWithoutItsHeadings(t *testing.T) {
	s := searcher(t, nil, "heart attack")
	damaged := errors.New("the table is damaged")
	s.Thesaurus = func(context.Context, []string) (map[string]rag.Names, error) { return nil, damaged }
	answer, pmids := ask(t, s, "heart attack", rag.Options{})
	if !errors.Is(answer.WidenErr, damaged) || len(pmids) != 1 {
		t.Errorf("%v, %v", pmids, answer.WidenErr)
	}
}

// A variant is found in each of its spellings, also without a thesaurus. An abbreviation that looks like a
// change is not read as one.
func TestAVariantIsFoundInEachSpelling(t *testing.T) {
	s := searcher(t, nil, "a tumour with Val600Glu", "another one with the V600E", "type 2 diabetes, T2D", "SCN5A c.5350G>A")
	for query, c := range map[string]struct {
		want    []record.PMID
		widened bool
	}{
		"V600E":       {[]record.PMID{1, 2}, true},
		"Val600Glu":   {[]record.PMID{1, 2}, true},
		"p.Val600Glu": {[]record.PMID{1, 2}, true},
		"BRAF V600E":  {[]record.PMID{1, 2}, true},
		`"V600E"`:     {[]record.PMID{2}, false},
		"T2D":         {[]record.PMID{3}, false},
		"SCN5A":       {[]record.PMID{4}, false},
	} {
		answer, pmids := ask(t, s, query, rag.Options{})
		if slices.Sort(pmids); !slices.Equal(pmids, c.want) {
			t.Errorf("%s: found %v, want %v", query, pmids, c.want)
		}
		if got := answer.Query.Widened; (len(got) > 0) != c.widened || c.widened && got[0].Kind != rag.Variant {
			t.Errorf("%s: widened by %+v, want a variant: %v", query, got, c.widened)
		}
	}
}
