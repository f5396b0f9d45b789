package wordindex

import (
	"context"
	"maps"
	"slices"

	"biomcp/store/postings"
	"biomcp/store/rows"
)

// Every commit writes a segment. When there are mergeWidth segments of about the same size, they
// are merged, so that a corpus has a few dozen segments and each chunk is rewritten only a few
// times. No merged segment exceeds mergeLimit chunks, which limits the memory of a merge to 80 MB.
const (
	mergeWidth = 8
	mergeSmall = 16_000
	mergeLimit = 4_000_000
)

// ChooseSegments chooses segments to merge: a group of small ones or else a single segment with many removed
// chunks.
func ChooseSegments(segments []*Segment) []*Segment {
	tiers := map[int][]*Segment{}
	for _, g := range segments {
		tier := 0
		for size := int64(mergeSmall); g.used() >= size; size *= mergeWidth {
			tier++
		}
		tiers[tier] = append(tiers[tier], g)
	}
	for tier := range 3 {
		if len(tiers[tier]) >= mergeWidth {
			return smallestFitting(tiers[tier])
		}
	}
	for _, g := range segments {
		if g.Dead*4 > int64(g.Chunks) {
			return []*Segment{g}
		}
	}
	return nil
}

// smallestFitting returns the smallest segments, at most 16, that together do not exceed mergeLimit.
func smallestFitting(segments []*Segment) []*Segment {
	list := slices.Clone(segments)
	slices.SortStableFunc(list, func(a, b *Segment) int { return int(a.used() - b.used()) })
	total := int64(0)
	for i, g := range list {
		if total += g.used(); total > mergeLimit || i == 16 {
			return list[:i]
		}
	}
	return list
}

func (g *Segment) used() int64 { return int64(g.Chunks) - g.Dead }

// Merge merges the segments that choose returns, until it returns none. Other processes may commit
// meanwhile: small transactions write the pages to a segment that is not in use yet, and a last one
// replaces the old segments with it. If the process dies in between, the next merge removes the
// remaining pages.
func (x *Index) Merge(ctx context.Context, choose func([]*Segment) []*Segment) error {
	const op = "merge index"
	locked := false
	for {
		var ix *Snapshot
		leftovers := 0
		err := x.db.Read(ctx, op, func(r *rows.Conn) (err error) {
			if ix, err = x.Load(r); err == nil {
				err = r.Row("SELECT count(*) FROM segment WHERE state<>1", nil, &leftovers)
			}
			return err
		})
		if err != nil {
			return err
		}
		chosen := choose(ix.Segments)
		if len(chosen) == 0 && leftovers == 0 {
			return nil
		}
		if !locked { // only one process merges at a time; it also cleans up after others
			lock, err := rows.Lock(x.locks, "merge.lock", false)
			if err != nil || lock == nil {
				return rows.Wrap(ctx, op, err)
			}
			defer lock.Close()
			locked = true
			if err := x.sweepSegments(ctx); err != nil {
				return err
			}
			continue // another process may have merged before we took the lock
		}
		// Nothing may be swept between Load and here: a commit may have removed the last chunks of a
		// chosen segment meanwhile, and its pages are still to be read.
		if len(chosen) > 0 {
			if err := x.mergeSegments(ctx, chosen); err != nil {
				return rows.Wrap(ctx, op, err)
			}
		}
		if err := x.sweepSegments(ctx); err != nil || len(chosen) == 0 {
			return err
		}
	}
}

// mergeSegments replaces several segments by one.
func (x *Index) mergeSegments(ctx context.Context, old []*Segment) (failed error) {
	r, err := x.db.Borrow(ctx)
	if err != nil {
		return err
	}
	defer func() { x.db.GiveBack(r, failed) }()
	parts := make([]postings.Part, len(old))
	for i, g := range old {
		// This needs no snapshot: the pages of a segment never change, and only this process, which
		// holds the merge lock, may remove them.
		parts[i] = postings.Part{Seg: g.Segment, Src: &mergeSource{r: r, pages: map[postings.Stream]mergePage{}},
			Dead: g.RemovedChunks}
	}
	plan, err := postings.NewPlan(ctx, parts)
	if err != nil {
		return err
	}
	sink := &mergeSink{ctx: ctx, db: x.db}
	if len(plan.IDs) > 0 {
		err = x.db.Write(ctx, "merge index", func(w *rows.Conn) (err error) {
			const insertSegment = "INSERT INTO segment(state,chunks,dead,length,lo,hi,bytes) VALUES(0,?,0,0,?,?,0)"
			sink.segment, err = w.Insert(insertSegment, len(plan.IDs), plan.IDs[0], plan.IDs[len(plan.IDs)-1])
			return err
		})
		if err != nil {
			return err
		}
		if sink.bytes, err = plan.Merge(ctx, sink); err != nil {
			return err
		}
		for _, c := range columns {
			n, err := plan.Column(ctx, c, sink)
			if err != nil {
				return err
			}
			sink.bytes += n
		}
		if err := sink.flush(); err != nil {
			return err
		}
	}
	return x.db.Write(ctx, "merge index", func(w *rows.Conn) error {
		return x.replaceSegments(w, plan, old, sink)
	})
}

// replaceSegments puts the merged segment into use, and marks its chunks that were removed while it was
// written.
func (x *Index) replaceSegments(w *rows.Conn, plan *postings.Plan, old []*Segment, sink *mergeSink) error {
	ix, err := x.Load(w)
	if err != nil {
		return err
	}
	generation := ix.Generation + 1
	now := map[int64]*Segment{}
	for _, g := range ix.Segments {
		now[g.ID] = g
	}
	removed := postings.NewBits(len(plan.IDs))
	var length, dead int64
	pages := map[int]bool{}
	for i, o := range plan.Origins {
		if g := now[old[o.Part].ID]; g == nil || g.isRemoved(o.Chunk) {
			removed.Set(uint32(i))
			pages[i/deadPage] = true
			dead++
		} else {
			length += int64(plan.Lengths[i])
		}
	}
	for _, g := range old {
		if err := w.Exec("UPDATE segment SET state=2 WHERE id=?", g.ID); err != nil {
			return err
		}
	}
	if len(plan.IDs) > 0 {
		if err := writeDead(w, sink.segment, removed, slices.Collect(maps.Keys(pages)), generation); err != nil {
			return err
		}
		const updateSegment = "UPDATE segment SET state=1, dead=?, length=?, bytes=? WHERE id=?"
		if err := w.Exec(updateSegment, dead, length, sink.bytes, sink.segment); err != nil {
			return err
		}
	}
	return w.SetMeta("generation", generation)
}

// sweepSegments deletes segments that are not in use, a few megabytes at a time, so that no commit
// waits long.
func (x *Index) sweepSegments(ctx context.Context) error {
	return x.db.Sweep(ctx, "merge index", "SELECT id FROM segment WHERE state<>1 LIMIT 1",
		"DELETE FROM page WHERE id IN (SELECT id FROM page WHERE id>=?1<<32 AND id<(?1+1)<<32 LIMIT 200)", // pageID
		"DELETE FROM dead WHERE segment=?1",
		"DELETE FROM segment WHERE id=?1")
}

// mergeSource reads a segment sequentially. It keeps one page of each stream, and does not use the
// cache that searches share.
type mergeSource struct {
	r     *rows.Conn
	pages map[postings.Stream]mergePage
}

type mergePage struct {
	n    int
	data []byte
}

// GetPage returns a page.
func (m *mergeSource) GetPage(segment int64, stream postings.Stream, n int) ([]byte, error) {
	if p, ok := m.pages[stream]; ok && p.n == n {
		return p.data, nil
	}
	data, err := PageRows.Read(m.r, pageID(segment, stream, n))
	m.pages[stream] = mergePage{n, data}
	return data, err
}

// Recall and Remember cache nothing.
func (m *mergeSource) Recall(string) any         { return nil }
func (m *mergeSource) Remember(string, any, int) {}

// mergeSink writes pages in transactions of a few megabytes.
type mergeSink struct {
	ctx     context.Context
	db      *rows.DB
	segment int64
	bytes   int64
	ids     []int64
	pages   [][]byte
	waiting int
}

// PutPage adds a page to the current transaction.
func (m *mergeSink) PutPage(stream postings.Stream, n int, data []byte) error {
	m.ids = append(m.ids, pageID(m.segment, stream, n))
	m.pages = append(m.pages, slices.Clone(data))
	if m.waiting += len(data); m.waiting < 8<<20 {
		return nil
	}
	return m.flush()
}

func (m *mergeSink) flush() error {
	err := m.db.Write(m.ctx, "merge index", func(w *rows.Conn) error {
		for i, id := range m.ids {
			if err := w.Exec("INSERT INTO page VALUES(?,?)", id, m.pages[i]); err != nil {
				return err
			}
		}
		return nil
	})
	m.ids, m.pages, m.waiting = nil, nil, 0
	return err
}
