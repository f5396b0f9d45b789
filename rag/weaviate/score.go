package weaviate

import (
	"cmp"
	"math"
	"strings"

	"biomcp/rag"
	"biomcp/store"
)

// scorer reckons scores by the definition in package store.
type scorer struct {
	chunks, average float64
	terms, prefixes map[string]float64 // how many chunks hold them
}

func (s *scorer) idf(n float64) float64 { return math.Log(1 + (s.chunks-n+0.5)/(n+0.5)) }

// score is that of a chunk of some length for q, 0 where it does not match.
func (s *scorer) score(chunk rag.Bag, length float64, q store.Query) float64 {
	if !chunk.Matches(q) {
		return 0
	}
	leaf := func(weight, idf float64, tf int) float64 {
		return cmp.Or(weight, 1) * idf * float64(tf) / (float64(tf) + k1*(1-b+b*length/s.average))
	}
	sum := 0.0
	switch q := q.(type) {
	case store.Term:
		return leaf(q.Weight, s.idf(s.terms[q.Text]), len(chunk[q.Text]))
	case store.Prefix:
		tf := 0
		for term, at := range chunk {
			if strings.HasPrefix(term, q.Text) {
				tf += len(at)
			}
		}
		return leaf(q.Weight, s.idf(s.prefixes[q.Text]), tf)
	case store.Phrase:
		idf := 0.0
		for _, slot := range q.Slots {
			rarest := 0.0
			for _, term := range slot.Terms {
				rarest = max(rarest, s.idf(s.terms[term]))
			}
			idf += rarest
		}
		tf := 0
		for start := range chunk.End() {
			if chunk.PhraseAt(q.Slots, start) {
				tf++
			}
		}
		return leaf(q.Weight, idf, tf)
	case store.And:
		for _, part := range q {
			sum += s.score(chunk, length, part)
		}
	case store.Or:
		for _, part := range q {
			sum += s.score(chunk, length, part)
		}
	}
	return sum
}
