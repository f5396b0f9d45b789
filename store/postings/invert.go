package postings

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"sync/atomic"

	"biomcp/store/intern"
)

// Vocabulary numbers terms in the order in which they are first seen.
type Vocabulary struct {
	id    uint32
	terms intern.Table
}

var vocabularies atomic.Uint32

// NewVocabulary returns an empty Vocabulary.
func NewVocabulary() *Vocabulary {
	return &Vocabulary{id: vocabularies.Add(1)}
}

// Reset empties the Vocabulary but keeps its memory.
func (v *Vocabulary) Reset() {
	v.id = vocabularies.Add(1)
	v.terms.Reset()
}

// Entry caches the number of one term in the Vocabulary that last numbered it. The zero value
// caches nothing.
type Entry struct{ last atomic.Uint64 } // the vocabulary's id and the number, 32 bits each

// Number returns the number of a term, which it adds if it is new. entry, if not nil, must belong
// to the term.
func (v *Vocabulary) Number(term string, entry *Entry) uint32 {
	if entry == nil {
		entry = new(Entry)
	}
	if last := entry.last.Load(); last>>32 == uint64(v.id) {
		return uint32(last)
	}
	n, _ := intern.Add(&v.terms, term)
	entry.last.Store(uint64(v.id)<<32 | uint64(n))
	return n
}

// sortedTerms returns the numbers of the terms in use, in the order of the terms.
func (v *Vocabulary) sortedTerms(uses []uint32) []uint32 {
	type key struct {
		head uint64 // first eight bytes: most terms differ in them, and comparing them avoids a cache miss
		term uint32
	}
	keys := make([]key, 0, v.terms.Len())
	for t, n := range uses {
		if n > 0 {
			var head [8]byte
			copy(head[:], v.terms.Word(uint32(t)))
			keys = append(keys, key{binary.BigEndian.Uint64(head[:]), uint32(t)})
		}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if a.head != b.head {
			return cmp.Compare(a.head, b.head)
		}
		return bytes.Compare(v.terms.Word(a.term), v.terms.Word(b.term))
	})
	order := make([]uint32, len(keys))
	for i, k := range keys {
		order[i] = k.term
	}
	return order
}

// Occurrence is a term, by number, at a position of a chunk.
type Occurrence struct{ Term, Pos uint32 }

// ChunkPostings is a chunk to be written: its terms in any order, and the properties of its document
// without duplicates.
type ChunkPostings struct {
	ID         uint32
	Length     uint16
	Terms      []Occurrence
	Properties []uint32
}

// Write writes a segment of chunks, which must be sorted by ID, and returns its size in bytes. It
// needs eight bytes of memory per occurrence.
func Write(sink Sink, v *Vocabulary, chunks []ChunkPostings) (int64, error) {
	lengths, ids := make([]uint16, len(chunks)), make([]uint32, len(chunks))
	starts := make([]uint32, v.terms.Len()) // first the counts, then the index of a term's first occurrence
	for i, c := range chunks {
		lengths[i], ids[i] = c.Length, c.ID
		for _, o := range c.Terms {
			starts[o.Term]++
		}
		for _, p := range c.Properties {
			starts[p]++
		}
	}
	order := v.sortedTerms(starts)
	total := uint32(0)
	for _, t := range order {
		starts[t], total = total, total+starts[t]
	}
	type place struct{ chunk, pos uint32 }
	places := make([]place, total)
	for i, c := range chunks {
		for _, o := range c.Terms {
			places[starts[o.Term]] = place{uint32(i), o.Pos}
			starts[o.Term]++
		}
		for _, p := range c.Properties {
			places[starts[p]].chunk = uint32(i)
			starts[p]++
		}
	}

	w := NewWriter(sink, lengths, ids)
	var positions []uint32
	var encoded []byte
	from := uint32(0)
	for _, t := range order {
		term := v.terms.Word(t)
		text := IsText(term)
		w.Begin(term)
		for until := starts[t]; from < until; {
			chunk := places[from].chunk
			positions = positions[:0]
			for ; from < until && places[from].chunk == chunk; from++ {
				positions = append(positions, places[from].pos)
			}
			if !text {
				w.Add(chunk, 1, nil)
				continue
			}
			if !slices.IsSorted(positions) {
				slices.Sort(positions)
			}
			encoded = AppendPositions(encoded[:0], positions)
			w.Add(chunk, uint32(len(positions)), encoded)
		}
		w.End()
	}
	return w.Close()
}
