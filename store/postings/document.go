package postings

import (
	"encoding/binary"
	"slices"
)

// Documents iterates over the documents of one segment that match a condition. A document is
// identified by its first chunk. The chunks of a document follow each other.
type Documents interface {
	// next advances to the first matching document whose first chunk is at least target, which is
	// itself the first chunk of a document, and returns it, or noChunk at the end. target never decreases.
	next(target uint32) uint32
	// cost estimates the number of matching chunks.
	cost() int
}

// NewAnyChunk returns an iterator over the documents of which it matches at least one chunk.
func NewAnyChunk(v *View, it Iterator) Documents { return &anyChunk{v, it} }

type anyChunk struct {
	v  *View
	it Iterator
}

func (a *anyChunk) next(target uint32) uint32 { return a.v.firstChunk(a.it.next(target)) }
func (a *anyChunk) cost() int                 { return a.it.cost() }

// NewSomeDocuments returns an iterator over the documents that any part matches.
func NewSomeDocuments(parts []Documents) Documents { return someDocuments(parts) }

type someDocuments []Documents

func (s someDocuments) next(target uint32) uint32 {
	first := uint32(noChunk)
	for _, p := range s {
		first = min(first, p.next(target))
	}
	return first
}

func (s someDocuments) cost() int {
	sum := 0
	for _, p := range s {
		sum += p.cost()
	}
	return sum
}

// NewCommonDocuments returns an iterator over the documents that all of parts match and none of
// not. parts must not be empty.
func NewCommonDocuments(v *View, parts, not []Documents) Documents {
	slices.SortStableFunc(parts, func(a, b Documents) int { return a.cost() - b.cost() })
	return &commonDocuments{v: v, matches: parts[0].cost(), search: advancers(parts), not: not}
}

type commonDocuments struct {
	v       *View
	matches int // cost of the part with the fewest matches
	search  []advancer
	not     []Documents
	last    uint32 // what next returned last
	begun   bool
}

// next remembers the last document, because parts that have passed it cannot test it or those before it
// again.
func (c *commonDocuments) next(target uint32) uint32 {
	if !c.begun || target > c.last {
		c.last, c.begun = c.find(target), true
	}
	return c.last
}

func (c *commonDocuments) find(target uint32) uint32 {
search:
	for {
		d := firstCommon(c.search, target)
		if d == noChunk {
			return noChunk
		}
		for _, n := range c.not {
			if n.next(d) == d {
				if target = c.v.chunkAfter(d); target == noChunk {
					return noChunk
				}
				continue search
			}
		}
		return d
	}
}

func (c *commonDocuments) cost() int { return c.matches }

// NewDocumentChunks returns an iterator over all chunks of some documents, with score 0.
func NewDocumentChunks(v *View, docs Documents) Iterator { return &documentChunks{v: v, docs: docs} }

type documentChunks struct {
	v          *View
	docs       Documents
	first, end uint32 // the current document has the chunks from first to before end
}

func (d *documentChunks) next(target uint32) uint32 {
	if target >= d.end {
		if target >= uint32(d.v.Seg.Chunks) {
			return noChunk
		}
		if d.first = d.docs.next(d.v.firstChunk(target)); d.first == noChunk {
			d.end = noChunk
			return noChunk
		}
		d.end = min(d.v.chunkAfter(d.first), uint32(d.v.Seg.Chunks))
	}
	return max(target, d.first)
}

func (d *documentChunks) score() int64 { return 0 }
func (d *documentChunks) cost() int    { return d.docs.cost() }

// firstChunk returns the first chunk of the document that has chunk i.
func (v *View) firstChunk(i uint32) uint32 {
	if i == noChunk {
		return noChunk
	}
	for id := v.id(i); i > 0 && v.id(i-1) == id; {
		i--
	}
	return i
}

// chunkAfter returns the first chunk of the document after the one that has chunk i, or noChunk if
// that is the last of the segment.
func (v *View) chunkAfter(i uint32) uint32 {
	for id := v.id(i); v.err == nil; {
		if i++; i >= uint32(v.Seg.Chunks) {
			break
		}
		if v.id(i) != id {
			return i
		}
	}
	return noChunk
}

// id returns the ID of the document of chunk i.
func (v *View) id(i uint32) uint32 {
	return binary.LittleEndian.Uint32(v.columnPage(&v.ids, IDColumn, i)[4*(i%ColumnLen):])
}
