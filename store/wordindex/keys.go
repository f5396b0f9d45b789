package wordindex

import (
	"biomcp/entrez/record"
	"biomcp/store/postings"
	"cmp"
	"encoding/binary"
	"math"
	"slices"
)

// Key identifies a chunk permanently, unlike its segment and number there.
type Key struct {
	PMID    record.PMID
	Ordinal uint16
}

// Keys returns the live chunks of the PMIDs greater than after and up to until. It chooses until so
// that no segment contributes more than about a thousand.
func (ix *Snapshot) Keys(src Source, after record.PMID) (keys []Key, until record.PMID, err error) {
	const portion = 1024
	until = math.MaxUint32
	from := make([]uint32, len(ix.Segments))
	for i, g := range ix.Segments {
		if from[i], err = g.Find(src, after+1); err != nil {
			return nil, 0, err
		}
		if at := from[i] + portion; at < uint32(g.Chunks) {
			id, err := g.ChunkID(src, at)
			if err != nil {
				return nil, 0, err
			}
			until = min(until, record.PMID(id))
		}
	}
	for i, g := range ix.Segments {
		var last Key
		for at := from[i]; at < uint32(g.Chunks); at++ {
			id, err := g.ChunkID(src, at)
			if err != nil {
				return nil, 0, err
			}
			if record.PMID(id) > until {
				break
			}
			if record.PMID(id) == last.PMID {
				last.Ordinal++
			} else {
				last = Key{PMID: record.PMID(id)}
			}
			if !g.isRemoved(at) {
				keys = append(keys, last)
			}
		}
	}
	slices.SortFunc(keys, Key.Compare)
	return keys, until, nil
}

// PlacedKey is a chunk with its number in a segment.
type PlacedKey struct {
	Key
	Chunk uint32
}

// transposeChunks is the number of chunks of a segment whose terms are read together. Looking up each
// term is expensive, and the terms of a chunk occupy half a kilobyte.
const transposeChunks = 32 << 10

// Keys returns live chunks of a segment, ordered by PMID and ordinal. It starts at the chunk with
// number from, and stops at the border of a document after some 32,768 chunks. The chunk with number
// to is the first of the next document.
func (g *Segment) Keys(src Source, from uint32) (keys []PlacedKey, to uint32, err error) {
	ids := postings.ColumnReader{ColumnSpec: postings.IDColumn, Segment: g.Segment, Source: src}
	var last Key
	for to = from; to < uint32(g.Chunks); to++ {
		b, err := ids.At(to)
		if err != nil {
			return nil, 0, err
		}
		switch pmid := record.PMID(binary.LittleEndian.Uint32(b)); {
		case pmid == last.PMID:
			last.Ordinal++
		case to-from >= transposeChunks:
			return keys, to, nil
		default:
			last = Key{PMID: pmid}
		}
		if !g.isRemoved(to) {
			keys = append(keys, PlacedKey{last, to})
		}
	}
	return keys, to, nil
}

// Compare compares chunks by PMID, then ordinal.
func (a Key) Compare(b Key) int {
	return cmp.Or(cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
}
