package weaviate

import (
	"math"

	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/postings"
)

// A scorer computes BM25 scores as defined in package store.
type scorer struct {
	chunks, average float64            // number of chunks, and their average length
	terms, prefixes map[string]float64 // idf
}

// idf returns the idf of a term that occurs in n chunks.
func (s *scorer) idf(n float64) float64 { return math.Log(1 + (s.chunks-n+0.5)/(n+0.5)) }

// saturation returns the fraction of its idf that a term adds to the score of a chunk in which
// it occurs tf times.
func (s *scorer) saturation(tf int, length float64) float64 {
	return float64(tf) / (float64(tf) + postings.K1*(1-postings.B+postings.B*length/s.average))
}

// score returns the score of a chunk with this length for q, or zero if it does not match.
func (s *scorer) score(chunk rag.Bag, length float64, q store.Query) float64 {
	return chunk.Score(q, func(leaf store.Query) float64 {
		if prefix, ok := leaf.(store.Prefix); ok {
			return s.prefixes[prefix.Text]
		}
		return s.terms[leaf.(store.Term).Text]
	}, func(idf float64, at []uint32) float64 { return idf * s.saturation(len(at), length) })
}
