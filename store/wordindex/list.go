package wordindex

import (
	"cmp"
	"context"
	"encoding/binary"
	"iter"
	"math/bits"
	"slices"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
)

// List returns the documents that pass the filter, without the first offset and at most limit of
// them, and the number of all. Newer publication dates precede older ones, greater PMIDs precede
// smaller ones of the same date, and documents without a date are last. A hit describes the first
// chunk of its document.
func (x *Index) List(ctx context.Context, f Filter, offset, limit int) (hits []Hit, total int, err error) {
	filter, err := f.Compile()
	if err != nil {
		return nil, 0, err
	}
	err = x.db.Read(ctx, "list", func(r *rows.Conn) error {
		ix, err := x.Load(r)
		if err != nil {
			return err
		}
		l := listing{ctx: ctx, src: x.Source(r), end: offset + max(limit, 0)}
		for i, g := range ix.Segments {
			if err := l.addSegment(g, i, filter); err != nil {
				return err
			}
		}
		l.cut()
		hits, total = make([]Hit, max(0, len(l.first)-offset)), l.total
		for i := range hits {
			d := l.first[offset+i]
			hits[i].PMID = d.pmid
			if err := ix.Segments[d.segment].describe(l.src, d.chunk, &hits[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return hits, total, err
}

// A listing holds the first documents of a list while segments are read.
type listing struct {
	ctx   context.Context
	src   Source
	end   int // number of documents to keep
	first []listedDocument
	total int
}

type listedDocument struct {
	pmid    record.PMID
	date    uint32 // yyyymmdd, or 0
	chunk   uint32 // first chunk
	segment int
}

// cut keeps the first documents in their order.
func (l *listing) cut() {
	slices.SortFunc(l.first, func(a, b listedDocument) int {
		return cmp.Or(cmp.Compare(b.date, a.date), cmp.Compare(b.pmid, a.pmid))
	})
	l.first = l.first[:min(len(l.first), l.end)]
}

// addSegment adds the documents of a segment that pass the filter.
func (l *listing) addSegment(g *Segment, segment int, f CompiledFilter) error {
	accepted, err := g.acceptedChunks(l.src, f)
	if err != nil {
		return err
	}
	if accepted == nil {
		accepted = g.all()
	}
	last := record.PMID(0) // the chunks of a document follow each other
	for n := 0; n*postings.ColumnLen < g.Chunks; n++ {
		from, to := n*postings.ColumnLen, min((n+1)*postings.ColumnLen, g.Chunks)
		if !accepted.Any(uint32(from), uint32(to-1)) {
			continue
		}
		ids, err := l.column(g, postings.IDs, n, to-from)
		if err != nil {
			return err
		}
		dates, err := l.column(g, streamDate, n, to-from)
		if err != nil {
			return err
		}
		for chunk := range setBits(accepted, from, to) {
			at := 4 * (chunk - from)
			pmid := record.PMID(binary.LittleEndian.Uint32(ids[at:]))
			if pmid == last {
				continue
			}
			last = pmid
			l.add(listedDocument{pmid, binary.LittleEndian.Uint32(dates[at:]), uint32(chunk), segment})
		}
	}
	return nil
}

// column returns page n of a column whose values have four bytes. It has at least size values.
func (l *listing) column(g *Segment, stream postings.Stream, n, size int) ([]byte, error) {
	if l.ctx.Err() != nil {
		return nil, context.Cause(l.ctx)
	}
	page, err := l.src.GetPage(g.ID, stream, n)
	if err == nil && len(page) < 4*size {
		err = postings.ErrDamaged
	}
	return page, err
}

// setBits yields the members of a set from number from to before number to.
func setBits(set postings.Bits, from, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := from; i < to; {
			w := set[i>>6] >> (i & 63)
			if w == 0 {
				i = (i>>6 + 1) << 6
				continue
			}
			if i += bits.TrailingZeros64(w); i >= to || !yield(i) {
				return
			}
			i++
		}
	}
}

// minKept is the minimum number of documents that a listing collects before it drops some.
const minKept = 4096

func (l *listing) add(d listedDocument) {
	l.total++
	if l.end == 0 {
		return
	}
	if l.first = append(l.first, d); len(l.first) >= max(minKept, 2*l.end) {
		l.cut()
	}
}
