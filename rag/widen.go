package rag

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// Thesaurus finds other names of what terms name; terms that it does not know are not in
// its answer.
type Thesaurus func(ctx context.Context, terms []string) (map[string]Names, error)

// Names are the names of one thing: of a heading of MeSH its name, of a gene its symbols.
type Names struct {
	Kind string   `json:"kind"` // Heading or Gene
	All  []string `json:"names"`
}

// The kinds of names.
const (
	Heading = "MeSH heading"
	Gene    = "gene"
)

// Widening is a term of a query by whose other names the query was widened.
type Widening struct {
	Term string `json:"term"`
	Names
}

const (
	// headingWeight is the weight of the words of a heading in the search by words, next
	// to 1 of those of the query. The symbols of a gene count like the one that was typed.
	headingWeight = 0.5
	// termWords is the most words of a term, and widenWords of a query that is widened: a
	// longer one says enough itself.
	termWords, widenWords = 6, 60
)

// widen adds other names of the terms of a query: "heart attack" is then also a search
// for "Myocardial Infarction", and p53 one for TP53. The longest terms count, the first of
// those that overlap. A strict query is not widened.
func (q *Query) widen(ctx context.Context, a *analyze.Analyzer, find Thesaurus) error {
	words := strings.Fields(q.Text)
	if find == nil || q.Strict || len(words) == 0 || len(words) > widenWords {
		return nil
	}
	var terms []string
	for i := range words {
		for n := 1; n <= min(termWords, len(words)-i); n++ {
			terms = append(terms, plainPhrase(words[i:i+n]))
		}
	}
	names, err := find(ctx, terms)
	if err != nil {
		return err
	}
	for i := 0; i < len(words); i++ {
		for n := min(termWords, len(words)-i); n > 0; n-- {
			term := plainPhrase(words[i : i+n])
			found, ok := names[term]
			if !ok {
				continue
			}
			if q.addNames(a, found) {
				q.Widened = append(q.Widened, Widening{term, found})
			}
			i += n - 1
			break
		}
	}
	return nil
}

// plainPhrase joins words without the punctuation around them.
func plainPhrase(words []string) string {
	return strings.TrimFunc(strings.Join(words, " "), func(r rune) bool { return unicode.IsPunct(r) })
}

// addNames adds the words of names that the query has not, and reports whether there are
// any. Of a gene it adds the symbols that are one word.
func (q *Query) addNames(a *analyze.Analyzer, names Names) bool {
	p, weight := &parser{a: a}, headingWeight
	if names.Kind == Gene {
		weight = 1
	}
	var more bag
	for _, name := range names.All {
		units := a.Query(name)
		if names.Kind == Gene && (len(units) != 1 || len(units[0].Parts) > 0) {
			continue
		}
		for _, u := range units {
			p.addUnit(&more, u, weight)
		}
	}
	or, ok := q.Lexical.(store.Or)
	if !ok {
		or = store.Or{q.Lexical}
	}
	all := slices.Clone(or)
	for _, t := range more.terms {
		if slices.Contains(q.Terms, t.Text) || slices.Contains(q.Added, t.Text) {
			continue
		}
		t.Weight = min(t.Weight, weight) // several symbols may have it
		if all = append(all, t); names.Kind == Gene {
			q.Terms = append(q.Terms, t.Text)
		} else {
			q.Added = append(q.Added, t.Text)
		}
	}
	q.Lexical = all
	return len(all) > len(or)
}
