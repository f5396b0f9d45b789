package postings

import (
	"slices"
	"strings"
)

// Vocabulary numbers terms in the order in which they are first seen.
type Vocabulary struct {
	numbers map[string]uint32
	terms   []string
}

// NewVocabulary returns an empty one.
func NewVocabulary() *Vocabulary { return &Vocabulary{numbers: map[string]uint32{}} }

// Number returns the number of a term. The text is copied when it is new.
func (v *Vocabulary) Number(term string) uint32 {
	n, ok := v.numbers[term]
	if !ok {
		n = uint32(len(v.terms))
		term = strings.Clone(term)
		v.numbers[term] = n
		v.terms = append(v.terms, term)
	}
	return n
}

// Occurrence is a term, by its number, at a place of a chunk.
type Occurrence struct{ Term, Pos uint32 }

// Inverted is a chunk to be written: its terms in any order, and the properties
// of its document, each once.
type Inverted struct {
	ID         uint32
	Length     uint16
	Terms      []Occurrence
	Properties []uint32
}

// Write writes a segment of chunks, which are ordered by ID, and returns its
// bytes. It takes eight bytes of memory for an occurrence.
func Write(sink Sink, v *Vocabulary, chunks []Inverted) (int64, error) {
	lengths, ids := make([]uint16, len(chunks)), make([]uint32, len(chunks))
	starts := make([]uint32, len(v.terms)) // first counts, then where a term's occurrences begin
	for i, c := range chunks {
		lengths[i], ids[i] = c.Length, c.ID
		for _, o := range c.Terms {
			starts[o.Term]++
		}
		for _, p := range c.Properties {
			starts[p]++
		}
	}
	order := make([]uint32, 0, len(v.terms))
	for t, n := range starts {
		if n > 0 {
			order = append(order, uint32(t))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return strings.Compare(v.terms[a], v.terms[b]) })
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
		term := v.terms[t]
		text := IsText(term)
		w.Begin([]byte(term))
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
