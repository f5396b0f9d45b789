package rag

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"biomcp/entrez/variantname"
	"biomcp/rag/analyze"
	"biomcp/store"
	"biomcp/store/study/symbols"
)

// A Thesaurus returns other names for terms. Its result leaves out unknown terms.
type Thesaurus func(ctx context.Context, terms []string) (map[string]Names, error)

// Headings returns the MeSH headings that terms name in a field of headings. Its result leaves out unknown
// terms.
type Headings func(ctx context.Context, terms []string) (map[string]string, error)

// Names holds the names of one thing: the name of a MeSH heading, the symbols of a gene, or the spellings
// of a variant.
type Names struct {
	Kind string   `json:"kind"` // Heading, Gene or Variant
	All  []string `json:"names"`
}

// Values of Names.Kind.
const (
	Heading = "MeSH heading"
	Gene    = "gene"
	Variant = "variant"
)

// A Widening is a term of a query to which other names were added.
type Widening struct {
	Term string `json:"term"`
	Names
}

const (
	// headingWeight is the weight of the words of a heading in the word search, relative to
	// those of the query. A heading with more words than the term has less for each, so that
	// they do not outweigh the rest of the query. The symbols of a gene and the spellings of a
	// variant have the weight of the typed one.
	headingWeight = 0.5
	// maxTermWords is the maximum number of words of a term. maxWidenWords is the maximum
	// number of words of a query that is widened: a longer one is specific enough.
	maxTermWords, maxWidenWords = 6, 60
)

// widen adds other names of the terms of a query: "heart attack" also searches for "Myocardial
// Infarction", p53 for TP53, and V600E for Val600Glu. If terms overlap, the first and longest is
// used. A strict query is not widened. Without a thesaurus, only variants have other names.
func (q *Query) widen(ctx context.Context, a *analyze.Analyzer, find Thesaurus) error {
	words := strings.Fields(q.Text)
	if q.Strict || len(words) == 0 || len(words) > maxWidenWords {
		return nil
	}
	var names map[string]Names
	var err error
	if find != nil {
		names, err = find(ctx, phrases(words))
	}
	for i := 0; i < len(words); i++ {
		for n := min(maxTermWords, len(words)-i); n > 0; n-- {
			term := plainPhrase(words[i : i+n])
			found, ok := names[term]
			if !ok && n == 1 {
				found, ok = variantNames(term)
			}
			if !ok {
				continue
			}
			if !narrows(a, term, found) && q.addNames(a, n, found) {
				q.Widened = append(q.Widened, Widening{term, found})
			}
			i += n - 1
			break
		}
	}
	return err
}

// variantNames returns the spellings of a variant. ok is false if term is not a change of a residue or base, or
// as short as T2D, which is rather an abbreviation.
func variantNames(term string) (names Names, ok bool) {
	if len(term) <= len("T2D") {
		return Names{}, false
	}
	_, spellings := variantname.Spellings(term)
	return Names{Variant, spellings}, len(spellings) > 1
}

// phrases returns the phrases of a query that may be names.
func phrases(words []string) (all []string) {
	for i := range words {
		for n := 1; n <= min(maxTermWords, len(words)-i); n++ {
			all = append(all, plainPhrase(words[i:i+n]))
		}
	}
	return all
}

// narrows reports whether the heading of a term has all its words and others, such as "Power,
// Psychological" for power. Documents with its words have those of the term anyway.
func narrows(a *analyze.Analyzer, term string, names Names) bool {
	if names.Kind != Heading {
		return false
	}
	heading, _ := a.Tokens(nil, names.All[0], 0)
	words, _ := a.Tokens(nil, term, 0)
	return !slices.ContainsFunc(words, func(w store.Token) bool {
		return !slices.ContainsFunc(heading, func(h store.Token) bool { return h.Term == w.Term })
	})
}

// plainPhrase joins words and removes the surrounding punctuation.
func plainPhrase(words []string) string {
	return strings.TrimFunc(strings.Join(words, " "), func(r rune) bool { return unicode.IsPunct(r) })
}

// addNames adds the words of the names of a term of n words that the query lacks, and reports
// whether it added any. For a gene it adds only symbols of one word that are not English words.
func (q *Query) addNames(a *analyze.Analyzer, n int, names Names) bool {
	p, weight := &parser{a: a}, 1.0
	if names.Kind == Heading {
		weight = headingWeight * min(1, float64(n)/float64(len(strings.Fields(names.All[0]))))
	}
	var more bag
	for _, name := range names.All {
		units := a.Query(name)
		if names.Kind == Gene && (len(units) != 1 || len(units[0].Parts) > 0 || symbols.IsWord(name)) {
			continue
		}
		for _, u := range units {
			p.addUnit(&more, u, weight)
		}
	}
	words := q.Lexical
	and, conditional := words.(store.And) // as withRequired returns it
	if conditional {
		words = and[0]
	}
	or, ok := words.(store.Or)
	if !ok {
		or = store.Or{words}
	}
	all := slices.Clone(or)
	for _, t := range more.terms {
		if slices.Contains(q.Terms, t.Text) || slices.Contains(q.Added, t.Text) {
			continue
		}
		t.Weight = min(t.Weight, weight) // several symbols may contain the term
		if all = append(all, t); names.Kind != Heading {
			q.Terms = append(q.Terms, t.Text)
		} else {
			q.Added = append(q.Added, t.Text)
		}
	}
	if q.Lexical = all; conditional {
		q.Lexical = store.And{all, and[1]}
	}
	return len(all) > len(or)
}
