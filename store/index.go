package store

import (
	"encoding/binary"
	"strconv"
	"strings"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
)

// The store's own columns of a segment.
const (
	streamDate = postings.Columns + iota
	streamFlags
	streamHit
)

var (
	columnDate  = postings.Column{Stream: streamDate, Width: 4, PageLen: postings.ColumnLen}  // yyyymmdd
	columnFlags = postings.Column{Stream: streamFlags, Width: 1, PageLen: postings.ColumnLen} // Flags
	columnHit   = postings.Column{Stream: streamHit, Width: hitWidth, PageLen: 500}           // a hit

	columns = []postings.Column{columnDate, columnFlags, columnHit}
)

// A page's number in the table: segment, stream and place.
const (
	pageBits   = 26
	streamBits = 6
)

func pageID(segment int64, stream postings.Stream, n int) int64 {
	return segment<<(pageBits+streamBits) | int64(stream)<<pageBits | int64(n)
}

// index is the word index as of one generation: the segments in use, and which
// of their chunks have been removed. It does not change; a commit makes another.
type index struct {
	generation int64
	segments   []*segment
	chunks     int64 // those in use
	length     int64 // their lengths
}

type segment struct {
	*postings.Segment
	dead    int64
	length  int64
	lo, hi  record.PMID
	removed postings.Bits // nil while none is
	known   int64         // the generation removed is as of
}

// live is the set of chunks in use, nil for all.
func (g *segment) live() postings.Bits {
	if g.removed == nil {
		return nil
	}
	live := postings.NewBits(g.Chunks)
	for i, w := range g.removed {
		live[i] = ^w
	}
	if tail := g.Chunks % 64; tail != 0 {
		live[len(live)-1] &= 1<<tail - 1
	}
	return live
}

const deadPage = 65536 // bits in a row of the table dead

// loadIndex returns the index of the snapshot that r reads.
func (s *Store) loadIndex(r *rows.Conn) (*index, error) {
	var generation int64
	err := r.EachCopied("meta", "SELECT value FROM %s WHERE key='generation'", func() {}, func(scan func(...any) error) error { return scan(&generation) })
	if err != nil {
		return nil, err
	}
	old := s.index.Load()
	if old != nil && old.generation == generation {
		return old, nil
	}
	was := map[int64]*segment{}
	if old != nil && old.generation < generation {
		for _, g := range old.segments {
			was[g.ID] = g
		}
	}
	ix := &index{generation: generation}
	again := func() { ix.segments, ix.chunks, ix.length = nil, 0, 0 }
	err = r.EachCopied("segment", "SELECT id, state, chunks, dead, length, lo, hi, bytes, sum FROM %s ORDER BY chunks DESC, id", again, func(scan func(...any) error) error {
		var id, state, chunks, bytes, sum int64
		g := &segment{known: -1}
		if err := scan(&id, &state, &chunks, &g.dead, &g.length, &g.lo, &g.hi, &bytes, &sum); err != nil {
			return err
		}
		err := rows.CheckSum(sum, "segment", id, state, chunks, g.dead, g.length, int64(g.lo), int64(g.hi), bytes)
		if err != nil || state != 1 {
			return err
		}
		if before := was[id]; before != nil {
			g.Segment, g.removed, g.known = before.Segment, before.removed, before.known
		} else {
			g.Segment = postings.NewSegment(id, int(chunks))
		}
		ix.segments = append(ix.segments, g)
		ix.chunks += chunks - g.dead
		ix.length += g.length
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, g := range ix.segments {
		if g.dead > 0 {
			if err := g.loadRemoved(r); err != nil {
				return nil, err
			}
		}
		g.known = generation
	}
	if old == nil || old.generation < generation {
		s.index.CompareAndSwap(old, ix)
	}
	return ix, nil
}

// loadRemoved brings removed up to date, on a copy.
func (g *segment) loadRemoved(r *rows.Conn) error {
	removed := postings.NewBits(g.Chunks)
	copy(removed, g.removed)
	err := r.Each("SELECT page, gen, sum, bits FROM dead WHERE segment=? AND gen>?", []any{g.ID, g.known}, func(scan func(...any) error) error {
		var page, gen, sum int64
		var bits []byte
		if err := scan(&page, &gen, &sum, &bits); err != nil {
			return err
		}
		if err := rows.CheckSum(sum, "dead", g.ID, page, gen, bits); err != nil {
			return err
		}
		at := int(page) * deadPage / 64
		if len(bits)%8 != 0 || at+len(bits)/8 > len(removed) {
			return postings.ErrDamaged
		}
		for i := 0; i < len(bits); i += 8 {
			removed[at+i/8] = binary.LittleEndian.Uint64(bits[i:])
		}
		return nil
	})
	g.removed = removed
	return err
}

var pageRows = rows.NewBlobs("page", "data")

// source reads pages for one search, on its snapshot.
type source struct {
	s *Store
	r *rows.Conn
}

func (src source) GetPage(segment int64, stream postings.Stream, n int) ([]byte, error) {
	id := pageID(segment, stream, n)
	if page, ok := src.s.memory.get(memoryKey{page: id}); ok {
		return page.([]byte), nil
	}
	page, err := pageRows.Read(src.r, id)
	if err != nil {
		return nil, err
	}
	if page != nil {
		src.s.memory.put(memoryKey{page: id}, page, len(page))
	}
	return page, nil
}

func (src source) Recall(name string) any {
	v, _ := src.s.memory.get(memoryKey{name: name})
	return v
}

func (src source) Remember(name string, value any, bytes int) {
	src.s.memory.put(memoryKey{name: name}, value, bytes)
}

// chunkNumber packs a chunk's ID: s1_0 is the letter in the top bit, the first
// number in 15 bits, and the second plus one, or 0, in 16.
func chunkNumber(id string) (uint32, bool) {
	if len(id) < 2 || id[0] != 's' && id[0] != 'w' {
		return 0, false
	}
	first, second, two := strings.Cut(id[1:], "_")
	i, err := strconv.ParseUint(first, 10, 15)
	if err != nil {
		return 0, false
	}
	code := uint32(i) << 16
	if two {
		j, err := strconv.ParseUint(second, 10, 16)
		if err != nil || j == 1<<16-1 {
			return 0, false
		}
		code |= uint32(j + 1)
	}
	if id[0] == 'w' {
		code |= 1 << 31
	}
	return code, chunkName(code) == id // no sign, no leading zero
}

func chunkName(code uint32) string {
	letter := byte('s')
	if code>>31 == 1 {
		letter = 'w'
	}
	name := append(make([]byte, 0, 8), letter)
	name = strconv.AppendUint(name, uint64(code>>16&0x7fff), 10)
	if j := code & 0xffff; j > 0 {
		name = strconv.AppendUint(append(name, '_'), uint64(j-1), 10)
	}
	return string(name)
}
