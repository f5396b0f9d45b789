package postings

import (
	"bytes"
	"context"
	"math/bits"
	"slices"
)

// Scope is a part of a chunk in which a phrase must be.
type Scope uint8

const (
	Anywhere Scope = iota
	InTitle
	InText // in the title, the passage or the keywords, but not in MeSH headings
)

// BoundsTerm is the term whose two positions in a chunk are the ends of its title and of its text. No
// text has it.
const BoundsTerm = "=#"

// Contains reports whether the part of a chunk with these bounds, the positions of BoundsTerm, contains
// the positions from first to last.
func (p Scope) Contains(bounds []uint32, last uint32) bool {
	return p == Anywhere || len(bounds) == 2 && last < bounds[p-InTitle]
}

// NewPhraseIn returns an iterator over the chunks that contain the phrase in a part. bounds is the list
// of BoundsTerm in the segment.
func NewPhraseIn(v *View, scope Scope, bounds *List, slots []SlotLists, weight float64, model *BM25) (Iterator, error) {
	it, err := NewPhrase(v, slots, weight, model)
	if err == nil && scope != Anywhere {
		p := it.(*phraseIterator)
		p.scope, p.bounds = scope, &cursor{v: v, l: bounds, loaded: -1, tfsOf: -1, posOf: -1}
	}
	return it, err
}

// within keeps the places in p.scope at which the phrase begins.
func (p *phraseIterator) within(begins []uint32) []uint32 {
	if p.scope == Anywhere || len(begins) == 0 {
		return begins
	}
	if p.bounds.find(p.at) != p.at {
		return nil
	}
	p.ends = p.bounds.positions(p.ends[:0])
	length := p.slots[len(p.slots)-1].at
	return slices.DeleteFunc(begins, func(at uint32) bool { return !p.scope.Contains(p.ends, at+length) })
}

// NewSet returns an iterator over the chunks of a set, with score 0.
func NewSet(set Bits) Iterator { return setIterator{set} }

type setIterator struct{ set Bits }

func (s setIterator) next(target uint32) uint32 {
	for i := int(target >> 6); target != noChunk && i < len(s.set); i++ {
		word := s.set[i]
		if i == int(target>>6) {
			word &= ^uint64(0) << (target & 63)
		}
		if word != 0 {
			return uint32(64*i + bits.TrailingZeros64(word))
		}
	}
	return noChunk
}

func (s setIterator) score() int64 { return 0 }

func (s setIterator) cost() (n int) {
	for _, word := range s.set {
		n += bits.OnesCount64(word)
	}
	return n
}

// AddPrefixTo adds the chunks of all lists whose term begins with prefix to set.
func (v *View) AddPrefixTo(set Bits, prefix []byte) error {
	r := listReader{seg: v.Seg, src: v.Src}
	return v.eachTerm(context.Background(), prefix, func(d *dictReader) error {
		if err := r.open(d.entry); err != nil {
			return err
		}
		for r.block() {
			for _, c := range r.docs[:r.n] {
				set.Set(c)
			}
		}
		return r.err
	})
}

// PrefixLists returns the lists of all text terms that begin with prefix.
func (v *View) PrefixLists(ctx context.Context, prefix []byte) (lists []*List, err error) {
	err = v.eachTerm(ctx, prefix, func(d *dictReader) error {
		if !IsText(d.term) {
			return nil
		}
		l, err := v.Seg.decode(v.Src, d.entry)
		lists = append(lists, l)
		return err
	})
	return lists, err
}

// eachTerm calls do for each term that begins with prefix.
func (v *View) eachTerm(ctx context.Context, prefix []byte, do func(*dictReader) error) error {
	d := dictReader{seg: v.Seg, src: v.Src}
	if err := d.seek(prefix); err != nil {
		return err
	}
	for steps := 0; ; steps++ {
		if steps%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		ok, err := d.advance()
		if err != nil || !ok || !bytes.HasPrefix(d.term, prefix) {
			return err
		}
		if err := do(&d); err != nil {
			return err
		}
	}
}
