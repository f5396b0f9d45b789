package rag

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// EntryTerms finds headings of MeSH: it returns the name of the heading of each of the
// terms that is an entry term of one heading, and of no other.
type EntryTerms func(ctx context.Context, terms []string) (map[string]string, error)

// Widening is a term of a query that is an entry term of a heading of MeSH, by whose
// words the query was widened.
type Widening struct {
	Term    string `json:"term"`
	Heading string `json:"heading"`
}

const (
	// headingWeight is the weight of the words of a heading in the search by words, next
	// to 1 of those of the query.
	headingWeight = 0.5
	// termWords is the most words of an entry term, and widenWords of a query that is
	// widened: a longer one says enough itself.
	termWords, widenWords = 6, 60
	// inUse is the number of chunks with an entry term from which a query is not widened
	// by its heading: in this corpus people write the term itself.
	inUse = 3
)

// widen adds the words of headings to a query that has an entry term of theirs: "heart
// attack" is then also a search for "Myocardial Infarction". The longest terms count,
// the first of those that overlap; not those that many chunks of the index have
// themselves. A strict query is not widened.
func (q *Query) widen(ctx context.Context, a *analyze.Analyzer, find EntryTerms, index Index) error {
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
			if names[term] == "" {
				continue
			}
			hits, err := index.Words(ctx, ParseQuery(a, `"`+term+`"`).Lexical, store.Filter{}, inUse)
			if err != nil {
				return err
			}
			if len(hits) < inUse && q.addHeading(a, names[term]) {
				q.Widened = append(q.Widened, Widening{term, names[term]})
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

// addHeading adds the words of a heading that the query has not, and reports whether
// there are any.
func (q *Query) addHeading(a *analyze.Analyzer, name string) bool {
	p := &parser{a: a}
	var heading bag
	for _, u := range a.Query(name) {
		p.addUnit(&heading, u, headingWeight)
	}
	or, ok := q.Lexical.(store.Or)
	if !ok {
		or = store.Or{q.Lexical}
	}
	more := slices.Clone(or)
	for _, t := range heading.terms {
		if !slices.Contains(q.Terms, t.Text) {
			more, q.Terms = append(more, t), append(q.Terms, t.Text)
		}
	}
	q.Lexical = more
	return len(more) > len(or)
}
