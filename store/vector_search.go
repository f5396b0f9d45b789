package store

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"sync"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
	"biomcp/store/vectors"
	"biomcp/store/wordindex"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/panics"
)

// Up to nearExact chunks that pass the filter are all compared in full. Otherwise the signs choose
// nearCoarse candidates, or 20 per requested hit if that is more. The full codes choose nearFine of
// these, or three per requested hit, which are then compared. These numbers suit nearMany chunks;
// [scaleCandidates] increases them for larger models.
const (
	nearExact  = 2000
	nearCoarse = 4000
	nearFine   = 600
	nearMany   = 100_000
)

// scaleCandidates returns the number of candidates that, for n chunks, finds as many of the nearest as
// candidates does for nearMany. The more chunks there are, the more are nearly as close to a query
// as its nearest, and codes tell them apart no better. The number grows with the square root of n,
// at most by maxFactor.
func scaleCandidates(candidates int, n int64, maxFactor float64) int {
	return int(float64(candidates) * min(maxFactor, max(1, math.Sqrt(float64(n)/nearMany))))
}

// NearestChunks returns the k chunks that pass the filter and whose vectors under model have the greatest
// dot product with the unit vector v. Score is the dot product; equal ones are ordered by PMID,
// then ordinal. exact reports whether every chunk that passes was compared in full, rather than
// chosen by its code. That is so for up to 2,000 chunks, or documents that pass a filter.
func (s *Store) NearestChunks(
	ctx context.Context, model int64, v []float32, f Filter, k int,
) (hits []Hit, exact bool, err error) {
	const op = "search by meaning"
	hits = []Hit{}
	filter, err := f.Compile()
	if err != nil || k <= 0 {
		return hits, true, err
	}
	err = s.db.Read(ctx, op, func(r *rows.Conn) error {
		m, err := s.modelOf(r, model)
		if err != nil {
			return err
		}
		if err := m.checkVector(op, v); err != nil {
			return err
		}
		if len(v) == 0 {
			exact = true
			return nil
		}
		ix, err := s.words.Load(r)
		if err != nil {
			return err
		}
		n := &vectorSearch{ctx: ctx, s: s, r: r, src: s.words.Source(r), ix: ix, model: m, space: s.space(m.Dim)}
		n.query = n.space.Query(v)
		if n.pass, err = ix.PMIDs(n.src, filter); err != nil {
			return err
		}
		if exact = n.pass != nil && count(n.pass, nearExact) <= nearExact; exact {
			if hits, err = n.compareAll(k); err != nil {
				return err
			}
			return ix.Locate(n.src, hits)
		}
		candidates, all, err := n.candidates(scaleCandidates(max(nearCoarse, 20*k), m.Vectors, 4))
		if err != nil {
			return err
		}
		if exact = all && len(candidates) <= nearExact; !exact {
			candidates = n.refine(candidates, scaleCandidates(max(nearFine, 3*k), m.Vectors, 8))
		}
		if hits, err = n.compare(candidates, k, exact); err != nil {
			return err
		}
		return ix.Locate(n.src, hits)
	})
	if err != nil {
		return nil, false, err // some hits may be incomplete
	}
	return hits, exact, nil
}

// vectorSearch is one search by meaning.
type vectorSearch struct {
	ctx   context.Context
	s     *Store
	r     *rows.Conn
	src   wordindex.Source
	ix    *wordindex.Snapshot
	model Model
	space *vectors.Space
	query *vectors.Query
	pass  postings.Bits // set of PMIDs that pass the filter; nil means all
	rows  []scannedRow
}

// scannedRow is a row of codes. codes is nil until the row is read. base is the dot product of the
// query and the mean of the row's partition.
type scannedRow struct {
	leafRow
	base  float32
	codes *leaf
}

// candidates returns the limit chunks with the greatest coarse estimates. It scans the chunks
// outside partitions, then the nearest partitions, until sizes.scanned chunks of these pass. For a
// small model it stops at half of the chunks, but not below sizes.least: half of 100,000 synthetic
// records contain .995 of the 200 nearest, as all do. all reports whether the result holds every
// chunk that passes.
func (n *vectorSearch) candidates(limit int) (list []candidate, all bool, err error) {
	best := newTopCandidates(limit, float32(math.Inf(-1)))
	if _, err = n.addRows(loosePart, 0); err == nil {
		err = n.scanFrom(0, best)
	}
	if err != nil {
		return nil, false, err
	}
	p, err := n.partitions()
	if err != nil {
		return nil, false, err
	}
	order := p.means.Order(n.query)
	wanted := best.seen + int(min(n.s.sizes.maxScanned, max(n.s.sizes.minScanned, n.model.Vectors/2)))
	for len(order) > 0 && best.seen < wanted {
		from := len(n.rows)
		for size := best.seen; len(order) > 0 && size < wanted; order = order[1:] {
			more, err := n.addRows(p.parts[order[0]], n.query.DotRotated(p.means.Mean(order[0])))
			if err != nil {
				return nil, false, err
			}
			size += more
		}
		if err := n.scanFrom(from, best); err != nil {
			return nil, false, err
		}
	}
	best.cut()
	return best.list, len(order) == 0 && best.seen <= limit, nil
}

// addRows appends the rows of a part to n.rows and returns the number of their chunks.
func (n *vectorSearch) addRows(part int64, base float32) (chunks int, err error) {
	list, err := n.leaves(part)
	for _, at := range list {
		n.rows = append(n.rows, scannedRow{leafRow: at, base: base})
		chunks += int(at.n)
	}
	return chunks, err
}

// scanFrom reads the rows of n.rows from index from on, and offers the chunks that pass to best.
func (n *vectorSearch) scanFrom(from int, best *topCandidates) (err error) {
	work := make(chan int, 8)
	var mu sync.Mutex
	var wg conc.WaitGroup
	var caught panics.Catcher // the workers continue after a panic, or the sender would block
	least := best.minEstimate
	for range min(4, runtime.GOMAXPROCS(0), 1+(len(n.rows)-from)/16) {
		wg.Go(func() {
			mine := newTopCandidates(best.limit, least)
			var estimates [leafFull]float32
			for i := range work {
				caught.Try(func() { n.scan(i, estimates[:], mine) })
			}
			mu.Lock()
			defer mu.Unlock()
			best.seen += mine.seen
			for _, c := range mine.list {
				best.offer(c)
			}
		})
	}
	for i := from; i < len(n.rows) && err == nil; i++ {
		if n.rows[i].codes, err = n.load(n.rows[i].leafRow); err == nil {
			err = n.ctx.Err()
		}
		if err == nil {
			work <- i
		}
	}
	close(work)
	wg.Wait()
	caught.Repanic()
	return err
}

// scan offers the chunks of row at of n.rows that pass the filter to top.
func (n *vectorSearch) scan(at int, estimates []float32, top *topCandidates) {
	l, base := n.rows[at].codes, n.rows[at].base
	if len(l.pmids) > len(estimates) { // a document with very many chunks
		estimates = make([]float32, len(l.pmids))
	}
	estimates = estimates[:len(l.pmids)]
	n.query.Estimate(estimates, l.signs, l.coarse)
	for i, e := range estimates {
		if e != e || n.pass != nil && !n.passes(l.pmids[i]) { // NaN: it has no vector
			continue
		}
		top.seen++
		if e += base; e >= top.minEstimate {
			top.offer(candidate{rankOf(e, l.pmids[i]), uint32(at), uint32(i)})
		}
	}
}

// count returns the size of a set, or some number above limit if it is larger than limit.
func count(set postings.Bits, limit int) (n int) {
	for i := 0; i < len(set) && n <= limit; i++ {
		n += bits.OnesCount64(set[i])
	}
	return n
}

func (n *vectorSearch) passes(pmid record.PMID) bool {
	return int(pmid>>6) < len(n.pass) && n.pass.Has(uint32(pmid))
}
