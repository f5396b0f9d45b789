package weaviate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"biomcp/rag"
)

// statistics requests the values that scores depend on: the number of chunks, their average
// length, and the idf of each term and prefix.
//
// It computes the idf of a term from the score of one chunk for this term alone, because the
// server would read every chunk to count them. For a prefix, it reads up to widePage chunks. If
// more contain the prefix, it estimates their number from the terms in these chunks, as if the
// terms occurred independently.
//
// It returns the terms for the server to rank by: those of the query, and those that begin with
// its prefixes. all is false if some of the latter are left out.
func (s *wordSearch) statistics() (ranking []string, all bool, err error) {
	terms := map[string]bool{}
	for _, t := range s.leaves.terms {
		terms[t.Text] = true
	}
	p := probe{slices.Sorted(maps.Keys(terms))}
	gets := p.query(s.x)
	for i, prefix := range s.leaves.prefixes {
		arguments := fmt.Sprintf("%slimit:%d", argument(superset(prefix, false)), widePage)
		gets += s.x.get(fmt.Sprint("p", i), arguments, propTerms) + " "
	}
	query := fmt.Sprintf("{Aggregate{all:%s{%s{count sum}}}", s.x.class, propLength)
	if gets != "" {
		query += " Get{" + gets + "}"
	}
	found, err := s.x.query(s.ctx, "search", query+"}")
	if err != nil {
		return nil, false, err
	}
	numbers := found["Aggregate"]["all"]
	if len(numbers) != 1 {
		return nil, false, newError(Failed, "search", "the reply lacks the number of chunks")
	}
	lengths := numbers[0].row(propLength)
	s.scorer = &scorer{chunks: lengths.number("count"), terms: map[string]float64{}, prefixes: map[string]float64{}}
	if s.scorer.chunks == 0 {
		return nil, false, nil
	}
	s.scorer.average = lengths.number("sum") / s.scorer.chunks
	p.read(found["Get"], s.scorer)
	ranking, all = p.terms, true
	for i, prefix := range s.leaves.prefixes {
		sample := found["Get"][fmt.Sprint("p", i)]
		terms := frequent(sample, prefix.Text)
		ranking = append(ranking, terms[:min(len(terms), expansions)]...)
		all = all && len(sample) < widePage && len(terms) <= expansions
		n := float64(len(sample))
		if len(sample) == widePage {
			if n, err = s.estimate(terms[:min(len(terms), expansions)], n); err != nil {
				return nil, false, err
			}
		}
		s.scorer.prefixes[prefix.Text] = s.scorer.idf(n)
	}
	return ranking, all, nil
}

// A probe is a query for the best chunk of each of some terms alone.
type probe struct{ terms []string }

func (p probe) query(x *Index) string {
	var b strings.Builder
	for i, term := range p.terms {
		fields := propTerms + " " + propLength + " _additional{score}"
		b.WriteString(x.get(fmt.Sprint("t", i), rankedBy([]string{term})+"limit:1", fields))
		b.WriteByte(' ')
	}
	return b.String()
}

// read computes the idf of the terms from the reply.
func (p probe) read(found map[string][]row, s *scorer) {
	for i, term := range p.terms {
		s.terms[term] = s.idf(0)
		for _, r := range found[fmt.Sprint("t", i)] {
			tf := len(rag.NewBag(decodeTokens(r.text(propTerms), ""))[term])
			if tf > 0 {
				s.terms[term] = r.score() / s.saturation(tf, r.number(propLength))
			}
		}
	}
}

// estimate returns the estimated number of chunks with any of some terms, but at least minimum.
func (s *wordSearch) estimate(terms []string, minimum float64) (float64, error) {
	p := probe{terms}
	found, err := s.x.query(s.ctx, "search", "{Get{"+p.query(s.x)+"}}")
	if err != nil {
		return 0, err
	}
	known := scorer{chunks: s.scorer.chunks, average: s.scorer.average, terms: map[string]float64{}}
	p.read(found["Get"], &known)
	without := 1.0
	for _, idf := range known.terms {
		n := (known.chunks+1)/math.Exp(idf) - 0.5
		without *= 1 - min(max(n/known.chunks, 0), 1)
	}
	return max(known.chunks*(1-without), minimum), nil
}

// frequent returns the terms in a sample that begin with a prefix, most frequent first.
func frequent(sample []row, prefix string) []string {
	in := map[string]int{}
	for _, r := range sample {
		for term := range rag.NewBag(decodeTokens(r.text(propTerms), "")) {
			if strings.HasPrefix(term, prefix) {
				in[term]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(in), func(a, b string) int {
		return cmp.Or(cmp.Compare(in[b], in[a]), strings.Compare(a, b))
	})
}
