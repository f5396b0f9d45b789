package library

import (
	"math"

	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/postings"
)

// A scorer has the statistics of the whole library for one query.
type scorer struct {
	docs    []*doc
	bags    []rag.Bag
	average [fields]float64 // average length of each field
	idfs    map[string]float64
}

func newScorer(docs []*doc, wanted map[uint32]string) *scorer {
	s := &scorer{docs: docs, idfs: map[string]float64{}}
	for _, d := range docs {
		s.bags = append(s.bags, d.bag(wanted))
		for f := range fields {
			s.average[f] += d.lengths[f] / float64(len(docs))
		}
	}
	return s
}

// score returns the sum of the scores of a query's leaves in file i, or zero if the file does
// not match.
func (s *scorer) score(i int, q store.Query) float64 {
	return s.bags[i].Score(q, s.idf, func(idf float64, at []uint32) float64 { return s.leaf(i, idf, at) })
}

// leaf returns the score of file i for a leaf with this idf that occurs at some positions.
func (s *scorer) leaf(i int, idf float64, at []uint32) float64 {
	var occurs [fields]float64
	for _, pos := range at {
		occurs[s.docs[i].field(pos)]++
	}
	tf := 0.0
	for f, n := range occurs {
		if n > 0 {
			tf += weights[f] * n / (1 - postings.B + postings.B*s.docs[i].lengths[f]/s.average[f])
		}
	}
	return idf * tf / (postings.K1 + tf)
}

// idf returns ln(1 + (N − n + 0.5)/(n + 0.5)), where n of the N files match a leaf.
func (s *scorer) idf(leaf store.Query) float64 {
	prefix, ok := leaf.(store.Prefix)
	name := prefix.Text + "*"
	if !ok {
		name = leaf.(store.Term).Text
	}
	if idf, ok := s.idfs[name]; ok {
		return idf
	}
	n := 0.0
	for _, bag := range s.bags {
		if bag.Matches(leaf) {
			n++
		}
	}
	s.idfs[name] = math.Log(1 + (float64(len(s.bags))-n+0.5)/(n+0.5))
	return s.idfs[name]
}
