package rag

import (
	"math"
	"slices"
	"strings"

	"biomcp/rag/analyze"
	"biomcp/store"
)

// A bag adds up the weights of terms, and keeps the order of their first occurrences.
type bag struct {
	terms []store.Term
	at    map[string]int
	rest  store.Or
}

func (b *bag) add(term string, weight float64) {
	if b.at == nil {
		b.at = make(map[string]int)
	}
	if i, ok := b.at[term]; ok {
		b.terms[i].Weight += weight
		return
	}
	b.at[term] = len(b.terms)
	b.terms = append(b.terms, store.Term{Text: term, Weight: weight})
}

// query gives a term that occurs n times the weight 1 + ln n. In a pasted abstract, words that
// occur ten times would otherwise outweigh all others.
func (b *bag) query() (or store.Or) {
	for _, t := range b.terms {
		if t.Weight > 1 {
			t.Weight = 1 + math.Log(t.Weight)
		}
		or = append(or, t)
	}
	return append(or, b.rest...)
}

// endings holds endings of words. For example, inflammat* must match inflammation, whose stem
// is shorter than the prefix.
var endings = strings.Fields("s e es ed er ing ion ions ation ise ize ised ized " +
	"ic al y ity ive ly or ory ous ment ness sis")

// prefix returns a query for terms that begin with text, and for the stems of words that do.
func (p *parser) prefix(text string) store.Query {
	bare := analyze.Prefix(text)
	if len(bare) < 2 || p.used >= MaxQueryTerms {
		return nil
	}
	p.used++
	or := store.Or{store.Prefix{Text: bare, Weight: 1}}
	begins := []string{bare}
	for _, end := range append([]string{""}, endings...) {
		for _, u := range p.a.Query(bare + end) {
			covered := strings.HasPrefix(u.Term, bare) || slices.Contains(begins, u.Term)
			if !covered && len(u.Term) > 1 && len(u.Parts) == 0 {
				begins = append(begins, u.Term)
				or = append(or, store.Term{Text: u.Term, Weight: 1})
			}
		}
	}
	if !p.not {
		p.prefixes = append(p.prefixes, begins...)
	}
	return simplify(or)
}
