package weaviate

import (
	"cmp"
	"math"
	"strings"

	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/postings"
)

// scorer computes BM25 scores by the definition in package store.
type scorer struct {
	chunks, average float64            // number of chunks, their average length
	terms, prefixes map[string]float64 // idf
}

// idf returns the idf of a term that n chunks have.
func (s *scorer) idf(n float64) float64 { return math.Log(1 + (s.chunks-n+0.5)/(n+0.5)) }

// saturation returns the share of its idf that a term adds to the score of a chunk
// in which it occurs tf times.
func (s *scorer) saturation(tf int, length float64) float64 {
	return float64(tf) / (float64(tf) + postings.K1*(1-postings.B+postings.B*length/s.average))
}

// score returns the score of a chunk of some length for q, 0 if it does not match.
func (s *scorer) score(chunk rag.Bag, length float64, q store.Query) float64 {
	if !chunk.Matches(q) {
		return 0
	}
	leaf := func(weight, idf float64, tf int) float64 { return cmp.Or(weight, 1) * idf * s.saturation(tf, length) }
	sum := 0.0
	switch q := q.(type) {
	case store.Term:
		return leaf(q.Weight, s.terms[q.Text], len(chunk[q.Text]))
	case store.Prefix:
		tf := 0
		for term, at := range chunk {
			if strings.HasPrefix(term, q.Text) {
				tf += len(at)
			}
		}
		return leaf(q.Weight, s.prefixes[q.Text], tf)
	case store.Phrase:
		idf := 0.0
		for _, slot := range q.Slots {
			rarest := 0.0
			for _, term := range slot.Terms {
				rarest = max(rarest, s.terms[term])
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
