package rag

import (
	"cmp"
	"slices"
	"strings"

	"biomcp/store"
)

// Score returns the sum of the scores of a query's leaves, as defined by store.Query, or zero
// if the text does not match. idf returns the weight of a Term or a Prefix. leaf returns the
// score of a leaf with this idf that occurs at some positions.
func (b Bag) Score(q store.Query, idf func(store.Query) float64, leaf func(idf float64, at []uint32) float64) float64 {
	if !b.Matches(q) {
		return 0
	}
	sum := 0.0
	switch q := q.(type) {
	case store.Term:
		return cmp.Or(q.Weight, 1) * leaf(idf(q), b[q.Text])
	case store.Prefix:
		var at []uint32
		for term, positions := range b {
			if strings.HasPrefix(term, q.Text) {
				at = append(at, positions...)
			}
		}
		return cmp.Or(q.Weight, 1) * leaf(idf(q), at)
	case store.Phrase:
		all := 0.0
		for _, slot := range q.Slots {
			rarest := 0.0
			for _, term := range slot.Terms {
				rarest = max(rarest, idf(store.Term{Text: term}))
			}
			all += rarest
		}
		return cmp.Or(q.Weight, 1) * leaf(all, b.starts(q.Slots))
	case store.And:
		for _, part := range q {
			sum += b.Score(part, idf, leaf)
		}
	case store.Or:
		for _, part := range q {
			sum += b.Score(part, idf, leaf)
		}
	}
	return sum
}

// starts returns the positions of the phrase with these slots in the text.
func (b Bag) starts(slots []store.Slot) (at []uint32) {
	for _, term := range slots[0].Terms {
		for _, pos := range b[term] {
			if start := pos - slots[0].At; b.PhraseAt(slots, start) {
				at = append(at, start)
			}
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}
