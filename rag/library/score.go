package library

import (
	"math"
	"strings"

	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/postings"
)

// scorer has the statistics of the whole library for one query.
type scorer struct {
	docs    []*doc
	bags    []rag.Bag
	average [fields]float64 // length of a field
	known   map[string]float64
}

func newScorer(docs []*doc, wanted map[uint32]string) *scorer {
	s := &scorer{docs: docs, known: map[string]float64{}}
	for _, d := range docs {
		s.bags = append(s.bags, d.bag(wanted))
		for f := range fields {
			s.average[f] += d.lengths[f] / float64(len(docs))
		}
	}
	return s
}

// score is the sum over the leaves of a query that a file matches, as store.Query
// has it; 0 if the file does not match.
func (s *scorer) score(i int, q store.Query) float64 {
	bag := s.bags[i]
	if !bag.Matches(q) {
		return 0
	}
	sum := 0.0
	switch q := q.(type) {
	case store.Term:
		return s.leaf(i, q.Weight, s.idf(q.Text, q), bag[q.Text])
	case store.Or:
		for _, part := range q {
			sum += s.score(i, part)
		}
	case store.And:
		for _, part := range q {
			sum += s.score(i, part)
		}
	case store.Prefix:
		var at []uint32
		for term, positions := range bag {
			if strings.HasPrefix(term, q.Text) {
				at = append(at, positions...)
			}
		}
		return s.leaf(i, q.Weight, s.idf(q.Text+"*", q), at)
	case store.Phrase:
		idf := 0.0
		for _, slot := range q.Slots {
			rarest := 0.0
			for _, term := range slot.Terms {
				rarest = max(rarest, s.idf(term, store.Term{Text: term}))
			}
			idf += rarest
		}
		var at []uint32
		for _, term := range q.Slots[0].Terms {
			for _, pos := range bag[term] {
				if start := pos - q.Slots[0].At; bag.PhraseAt(q.Slots, start) {
					at = append(at, start)
				}
			}
		}
		return s.leaf(i, q.Weight, idf, at)
	}
	return sum
}

// leaf is the score of a file for what occurs at some positions.
func (s *scorer) leaf(i int, weight, idf float64, at []uint32) float64 {
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
	if weight == 0 {
		weight = 1
	}
	return weight * idf * tf / (postings.K1 + tf)
}

// idf is ln(1 + (N − n + 0.5)/(n + 0.5)) of the n files among N that match a leaf.
func (s *scorer) idf(name string, leaf store.Query) float64 {
	if idf, ok := s.known[name]; ok {
		return idf
	}
	n := 0.0
	for _, bag := range s.bags {
		if bag.Matches(leaf) {
			n++
		}
	}
	s.known[name] = math.Log(1 + (float64(len(s.bags))-n+0.5)/(n+0.5))
	return s.known[name]
}
