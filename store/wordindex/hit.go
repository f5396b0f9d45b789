package wordindex

import (
	"encoding/binary"

	"biomcp/entrez/record"
	"biomcp/store/postings"
)

// hit holds the data of a chunk that searches show or rank by. It is one value of columnHit, whose
// pages fit into one page of the file: a search reads hundreds of chunks from all over the corpus,
// and the cost depends on the amount read for each.
type hit struct {
	date    uint32 // yyyymmdd
	facts   uint32 // Document.Facts
	chunk   uint32 // ID of the chunk (ChunkNumber)
	ordinal int    // index of the chunk in its document
}

// hitWidth is the encoded size: four bytes each for date, facts and chunk, three for ordinal, and
// an unused byte.
const hitWidth = 16

func (h *hit) append(dst []byte) []byte {
	for _, n := range [...]uint32{h.date, h.facts, h.chunk, uint32(h.ordinal) & (1<<24 - 1)} {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	return dst
}

func readHit(b []byte) hit {
	number := func(at int) uint32 { return binary.LittleEndian.Uint32(b[at:]) }
	return hit{number(0), number(4), number(8), int(number(12) & (1<<24 - 1))}
}

// describe converts chunks of segments to hits.
func describe(src Source, ix *Snapshot, found []postings.Hit) ([]Hit, error) {
	hits := make([]Hit, len(found))
	for i, f := range found {
		hits[i].PMID, hits[i].Score = record.PMID(f.ID), postings.Float(f.Score)
		if err := ix.Segments[f.Segment].describe(src, f.Chunk, &hits[i]); err != nil {
			return nil, err
		}
	}
	return hits, nil
}

// describe sets the fields of a hit that columnHit holds.
func (g *Segment) describe(src Source, chunk uint32, to *Hit) error {
	b, err := g.Value(src, columnHit, chunk)
	if err != nil {
		return err
	}
	h := readHit(b)
	to.Ordinal, to.ChunkID, to.Date, to.Facts = h.ordinal, chunkName(h.chunk), int(h.date), h.facts
	return nil
}
