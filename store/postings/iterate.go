package postings

import (
	"context"
	"slices"
)

// Iterator iterates over the chunks of one segment that match a query, with their scores.
type Iterator interface {
	// next advances to the first matching chunk that is at least target and returns it, or none at
	// the end. target never decreases.
	next(target uint32) uint32
	// score returns the score of the chunk that next returned last.
	score() int64
	// cost estimates the number of matching chunks.
	cost() int
}

// Walk offers every chunk of v that it matches to top.
func Walk(ctx context.Context, v *View, it Iterator, seg int, top *Top) error {
	steps := 0
	for d := it.next(0); d != noChunk; d = it.next(d + 1) {
		if steps++; steps%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !v.Accept.Has(d) {
			continue
		}
		score := it.score()
		if score < top.minScore.Load() {
			continue
		}
		id, err := v.Seg.ChunkID(v.Src, d)
		if err != nil {
			return err
		}
		top.add(Hit{Score: score, ID: id, Chunk: d, Segment: seg})
	}
	return v.err
}

// NewTerm returns an iterator over the chunks of a list.
func NewTerm(v *View, w WeightedTerm, model *BM25) (Iterator, error) {
	c, err := newCursor(v, w.List, w.Weight, model)
	if err != nil {
		return nil, err
	}
	return &termIterator{c}, nil
}

type termIterator struct{ *cursor }

func (t *termIterator) next(target uint32) uint32 { return t.find(target) }
func (t *termIterator) cost() int                 { return int(t.l.DF) }

// NewAll returns an iterator over every chunk, with score 0.
func NewAll(v *View) Iterator { return &allIterator{n: uint32(v.Seg.Chunks)} }

type allIterator struct{ n uint32 }

func (a *allIterator) next(target uint32) uint32 {
	if target >= a.n {
		return noChunk
	}
	return target
}
func (a *allIterator) score() int64 { return 0 }
func (a *allIterator) cost() int    { return int(a.n) }

// NewOr returns an iterator over the chunks that any part matches. The score is the sum of theirs.
func NewOr(parts ...Iterator) Iterator {
	return &orIterator{parts: parts, at: make([]uint32, len(parts))}
}

type orIterator struct {
	parts   []Iterator
	at      []uint32 // current chunk of each part
	current uint32
	begun   bool
}

func (o *orIterator) next(target uint32) uint32 {
	o.current = noChunk
	for i, p := range o.parts {
		if !o.begun || o.at[i] < target {
			o.at[i] = p.next(target)
		}
		o.current = min(o.current, o.at[i])
	}
	o.begun = true
	return o.current
}

func (o *orIterator) score() int64 {
	var sum int64
	for i, p := range o.parts {
		if o.at[i] == o.current {
			sum += p.score()
		}
	}
	return sum
}

func (o *orIterator) cost() int {
	sum := 0
	for _, p := range o.parts {
		sum += p.cost()
	}
	return sum
}

// NewAnd returns an iterator over the chunks that all of parts match and none of not. The score is
// the sum of the parts' scores. parts must not be empty.
func NewAnd(parts, not []Iterator) Iterator {
	slices.SortStableFunc(parts, func(a, b Iterator) int { return a.cost() - b.cost() })
	return &andIterator{parts: parts, not: not, search: advancers(parts), notAt: make([]int64, len(not))}
}

// advancer is the part of an Iterator or of Documents that finds matches.
type advancer interface{ next(target uint32) uint32 }

// advancers returns a list as advancers.
func advancers[T advancer](list []T) []advancer {
	out := make([]advancer, len(list))
	for i, a := range list {
		out[i] = a
	}
	return out
}

// firstCommon returns the first match of all parts that is at least target, or noChunk.
func firstCommon(parts []advancer, target uint32) uint32 {
search:
	for {
		d := parts[0].next(target)
		if d == noChunk {
			return noChunk
		}
		for _, p := range parts[1:] {
			if other := p.next(d); other != d {
				if other == noChunk {
					return noChunk
				}
				target = other
				continue search
			}
		}
		return d
	}
}

type andIterator struct {
	parts, not []Iterator
	search     []advancer // parts
	notAt      []int64    // current chunk of each iterator in not, plus 1; 0 before its first
	last       uint32     // what next returned last
	begun      bool
}

// next remembers the last chunk, because parts that have passed it cannot test it or those before it
// again.
func (a *andIterator) next(target uint32) uint32 {
	if !a.begun || target > a.last {
		a.last, a.begun = a.find(target), true
	}
	return a.last
}

func (a *andIterator) find(target uint32) uint32 {
search:
	for {
		d := firstCommon(a.search, target)
		if d == noChunk {
			return noChunk
		}
		for i, n := range a.not {
			if a.notAt[i] <= int64(d) {
				a.notAt[i] = int64(n.next(d)) + 1
			}
			if a.notAt[i] == int64(d)+1 {
				target = d + 1
				continue search
			}
		}
		return d
	}
}

func (a *andIterator) score() int64 {
	var sum int64
	for _, p := range a.parts {
		sum += p.score()
	}
	return sum
}

func (a *andIterator) cost() int { return a.parts[0].cost() }

// SlotLists holds the lists of the terms that may be in one slot of a phrase, At words after its
// beginning.
type SlotLists struct {
	Lists []*List
	At    uint32
}

// NewPhrase returns an iterator over the chunks that contain the phrase. tf is the number of
// positions at which the phrase begins. No slot may be empty.
func NewPhrase(v *View, slots []SlotLists, weight float64, model *BM25) (Iterator, error) {
	p := &phraseIterator{v: v, weight: weight, model: model}
	var parts []Iterator
	for _, s := range slots {
		slot := phraseSlot{at: s.At}
		var alternatives []Iterator
		for _, l := range s.Lists {
			c, err := newCursor(v, l, 0, model)
			if err != nil {
				return nil, err
			}
			slot.cursors = append(slot.cursors, c)
			alternatives = append(alternatives, &termIterator{c})
		}
		or := NewOr(alternatives...).(*orIterator)
		slot.or = or
		p.slots = append(p.slots, slot)
		parts = append(parts, or)
	}
	p.and = NewAnd(parts, nil)
	return p, nil
}

type phraseSlot struct {
	at      uint32
	cursors []*cursor
	or      *orIterator
	begins  []uint32 // where the phrase would begin, for each position of the slot
}

type phraseIterator struct {
	v      *View
	slots  []phraseSlot
	and    Iterator
	weight float64
	model  *BM25
	at     uint32
	tf     uint32

	scope  Scope
	bounds *cursor  // of BoundsTerm, unless scope is Anywhere
	ends   []uint32 // its positions in the current chunk
}

func (p *phraseIterator) next(target uint32) uint32 {
	if p.tf > 0 && target <= p.at {
		return p.at
	}
	for {
		p.at = p.and.next(target)
		if p.at == noChunk || p.v.err != nil {
			return noChunk
		}
		if p.tf = p.count(); p.tf > 0 {
			return p.at
		}
		target = p.at + 1
	}
}

// count returns the number of positions at which the phrase begins.
func (p *phraseIterator) count() uint32 {
	var begins []uint32
	for i := range p.slots {
		s := &p.slots[i]
		s.begins = s.begins[:0]
		for j, c := range s.cursors {
			if s.or.at[j] == p.at {
				s.begins = c.positions(s.begins)
			}
		}
		kept := s.begins[:0]
		for _, pos := range s.begins {
			if pos >= s.at {
				kept = append(kept, pos-s.at)
			}
		}
		slices.Sort(kept)
		s.begins = slices.Compact(kept)
		if i == 0 {
			begins = s.begins
			continue
		}
		both := begins[:0]
		for _, b := range begins {
			if _, ok := slices.BinarySearch(s.begins, b); ok {
				both = append(both, b)
			}
		}
		if begins = both; len(begins) == 0 {
			return 0
		}
	}
	return uint32(len(p.within(begins)))
}

func (p *phraseIterator) score() int64 {
	return termScore(p.weight, p.model.saturation(p.tf, p.v.length(p.at)))
}
func (p *phraseIterator) cost() int { return p.and.cost() }
