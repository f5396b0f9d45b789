package wordindex

import (
	"encoding/binary"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
)

// The columns of a segment that this package adds.
const (
	streamDate = postings.Columns + iota
	streamFlags
	streamHit
)

var (
	columnDate  = postings.ColumnSpec{Stream: streamDate, Width: 4, PageLen: postings.ColumnLen}  // yyyymmdd
	columnFlags = postings.ColumnSpec{Stream: streamFlags, Width: 1, PageLen: postings.ColumnLen} // Flags
	columnHit   = postings.ColumnSpec{Stream: streamHit, Width: hitWidth, PageLen: 500}           // a hit

	columns = []postings.ColumnSpec{columnDate, columnFlags, columnHit}
)

// The parts of a page's number in the table page: segment, stream and index.
const (
	pageBits   = 26
	streamBits = 6
)

func pageID(segment int64, stream postings.Stream, n int) int64 {
	return segment<<(pageBits+streamBits) | int64(stream)<<pageBits | int64(n)
}

// SegmentOfPage returns the segment of a page.
func SegmentOfPage(page int64) int64 { return page >> (pageBits + streamBits) }

// Snapshot is the word index at one generation: the live segments, and their removed chunks. It is
// immutable; each commit makes a new one.
type Snapshot struct {
	Generation int64
	Segments   []*Segment
	Chunks     int64 // live chunks
	length     int64 // total length of the live chunks

	scores func() *postings.BM25 // scores for the current lengths
}

// Index is the word index of a corpus. Its methods are safe for concurrent use.
type Index struct {
	db      *rows.DB
	locks   string // folder of the lock files
	cache   *rows.Cache
	current atomic.Pointer[Snapshot]
}

// New returns the word index in a file. It caches at most bytes bytes of pages.
func New(db *rows.DB, locks string, bytes int64) *Index {
	return &Index{db: db, locks: locks, cache: rows.NewCache(bytes)}
}

// Segment is an immutable part of the index, with the set of its chunks that were removed since.
type Segment struct {
	*postings.Segment
	Dead              int64
	length            int64
	MinPMID, MaxPMID  record.PMID
	RemovedChunks     postings.Bits // nil if none are removed
	removedGeneration int64         // generation up to which RemovedChunks is current
}

// isRemoved reports whether a chunk was removed.
func (g *Segment) isRemoved(chunk uint32) bool {
	return g.RemovedChunks != nil && g.RemovedChunks.Has(chunk)
}

// live returns the set of live chunks, or nil for all.
func (g *Segment) live() postings.Bits {
	if g.RemovedChunks == nil {
		return nil
	}
	live := g.all()
	for i, w := range g.RemovedChunks {
		live[i] &^= w
	}
	return live
}

// all returns the set of all chunks.
func (g *Segment) all() postings.Bits {
	all := postings.NewBits(g.Chunks)
	for i := range all {
		all[i] = ^uint64(0)
	}
	if tail := g.Chunks % 64; tail != 0 {
		all[len(all)-1] = 1<<tail - 1
	}
	return all
}

const deadPage = 65536 // number of bits in a row of the table dead

// Load returns the index at the snapshot that r reads.
func (x *Index) Load(r *rows.Conn) (*Snapshot, error) {
	var generation int64
	const selectMeta = "SELECT value FROM %s WHERE key='generation'"
	err := r.EachCopied("meta", selectMeta, func() {}, func(scan func(...any) error) error { return scan(&generation) })
	if err != nil {
		return nil, err
	}
	old := x.current.Load()
	if old != nil && old.Generation == generation {
		return old, nil
	}
	was := map[int64]*Segment{}
	if old != nil && old.Generation < generation {
		for _, g := range old.Segments {
			was[g.ID] = g
		}
	}
	ix := &Snapshot{Generation: generation}
	again := func() { ix.Segments, ix.Chunks, ix.length = nil, 0, 0 }
	const selectSegments = "SELECT id, state, chunks, dead, length, lo, hi, bytes, sum FROM %s ORDER BY chunks DESC, id"
	err = r.EachCopied("segment", selectSegments, again, func(scan func(...any) error) error {
		var id, state, chunks, bytes, sum int64
		g := &Segment{removedGeneration: -1}
		if err := scan(&id, &state, &chunks, &g.Dead, &g.length, &g.MinPMID, &g.MaxPMID, &bytes, &sum); err != nil {
			return err
		}
		err := rows.CheckSum(sum, "segment", id, state, chunks, g.Dead, g.length, int64(g.MinPMID), int64(g.MaxPMID), bytes)
		if err != nil || state != 1 {
			return err
		}
		if before := was[id]; before != nil {
			g.Segment, g.RemovedChunks, g.removedGeneration = before.Segment, before.RemovedChunks, before.removedGeneration
		} else {
			g.Segment = postings.NewSegment(id, int(chunks))
		}
		ix.Segments = append(ix.Segments, g)
		ix.Chunks += chunks - g.Dead
		ix.length += g.length
		return nil
	})
	if err != nil {
		return nil, err
	}
	ix.scores = sync.OnceValue(func() *postings.BM25 { return postings.NewBM25(ix.Average()) })
	for _, g := range ix.Segments {
		if g.Dead > 0 {
			if err := g.loadRemoved(r); err != nil {
				return nil, err
			}
		}
		g.removedGeneration = generation
	}
	if old == nil || old.Generation < generation {
		x.current.CompareAndSwap(old, ix)
	}
	return ix, nil
}

// Average returns the average length of a chunk.
func (ix *Snapshot) Average() float64 { return float64(ix.length) / max(1, float64(ix.Chunks)) }

// loadRemoved updates g.Removed, replacing it by a copy.
func (g *Segment) loadRemoved(r *rows.Conn) error {
	removed := postings.NewBits(g.Chunks)
	copy(removed, g.RemovedChunks)
	const selectDead = "SELECT page, gen, sum, bits FROM dead WHERE segment=? AND gen>?"
	err := r.Each(selectDead, []any{g.ID, g.removedGeneration}, func(scan func(...any) error) error {
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
	g.RemovedChunks = removed
	return err
}

// PageRows accesses the rows of the table page.
var PageRows = rows.NewBlobs("page", "data")

// Source reads pages at the snapshot of one search.
type Source struct {
	x *Index
	r *rows.Conn
}

// Source returns a Source that reads at the snapshot of r.
func (x *Index) Source(r *rows.Conn) Source { return Source{x, r} }

// GetPage returns a page, from the cache if possible.
func (src Source) GetPage(segment int64, stream postings.Stream, n int) ([]byte, error) {
	id := pageID(segment, stream, n)
	if page, ok := src.x.cache.Get(rows.CacheKey{Page: id}); ok {
		return page.([]byte), nil
	}
	page, err := PageRows.Read(src.r, id)
	if err != nil {
		return nil, err
	}
	if page != nil {
		src.x.cache.Put(rows.CacheKey{Page: id}, page, len(page))
	}
	return page, nil
}

// Recall returns the value that Remember cached under a name, or nil if it is not cached.
func (src Source) Recall(name string) any {
	v, _ := src.x.cache.Get(rows.CacheKey{Name: name})
	return v
}

// Remember caches a value.
func (src Source) Remember(name string, value any, bytes int) {
	src.x.cache.Put(rows.CacheKey{Name: name}, value, bytes)
}

// ChunkNumber encodes the ID of a chunk. For s1_0 it has the letter in the top bit, the first
// number in 15 bits, and in 16 bits the second number plus one, or 0 if there is none.
func ChunkNumber(id string) (uint32, bool) {
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
	return code, chunkName(code) == id // rejects signs and leading zeros
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
