package store

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math/bits"
	"runtime"
	"slices"
	"sync"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/vectors"

	"github.com/sourcegraph/conc"
	"github.com/sourcegraph/conc/panics"
	"gonum.org/v1/gonum/blas/blas32"
)

// Up to nearExact chunks, all or those that pass the filter, are compared in
// full. Of more, the signs choose nearCoarse and their codes of these nearFine,
// or three times as many as are asked for, which are then compared.
const (
	nearExact  = 2000
	nearCoarse = 4000
	nearFine   = 600
)

// Near returns the k chunks whose vectors under model have the greatest dot
// product with v, of length 1, and that pass the filter; Score is that product,
// equal ones in the order of PMID, then ordinal. exact says that every chunk that
// passes was compared in full, not chosen by its code first: always so up to
// 2,000 of them, or of documents under a filter.
func (s *Store) Near(ctx context.Context, model int64, v []float32, f Filter, k int) (hits []Hit, exact bool, err error) {
	const op = "search by meaning"
	hits = []Hit{}
	filter, err := f.compile()
	if err != nil || k <= 0 {
		return hits, true, err
	}
	err = s.read(ctx, op, func(r *reader) error {
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
		ix, err := s.loadIndex(r)
		if err != nil {
			return err
		}
		n := &near{ctx: ctx, s: s, src: source{s, r}, ix: ix, model: m, space: s.space(m.Dim)}
		if n.old, err = oldLayout(r); err != nil {
			return err
		}
		if n.pass, err = ix.pmids(n.src, filter); err != nil {
			return err
		}
		if exact = n.pass != nil && count(n.pass, nearExact) <= nearExact; exact {
			if hits, err = n.compareAll(v, k); err != nil {
				return err
			}
			return ix.locate(n.src, hits)
		}
		query := n.space.Query(v)
		candidates, all, err := n.candidates(query, max(nearCoarse, 20*k))
		if err != nil {
			return err
		}
		if exact = all && len(candidates) <= nearExact; !exact {
			candidates = refine(query, candidates, max(nearFine, 3*k))
		}
		if hits, err = n.compare(v, candidates, k); err != nil {
			return err
		}
		return ix.locate(n.src, hits)
	})
	return hits, exact, err
}

// near is one search by meaning.
type near struct {
	ctx   context.Context
	s     *Store
	src   source
	ix    *index
	model Model
	space *vectors.Space
	pass  postings.Bits // by PMID, nil for all
	old   bool          // the layout is of before there were partitions
}

// oldLayout reports whether a file that is read has not been opened for writing since
// there are partitions.
func oldLayout(r *reader) (bool, error) {
	var version int
	err := r.row("PRAGMA user_version", nil, &version)
	return version < 5, err
}

type candidate struct {
	estimate float32
	pmid     record.PMID
	ordinal  uint16
	leaf     *leaf
	at       int // in leaf
}

func closer(a, b candidate) int {
	if c := cmp.Compare(b.estimate, a.estimate); c != 0 {
		return c
	}
	if c := cmp.Compare(a.pmid, b.pmid); c != 0 {
		return c
	}
	return cmp.Compare(a.ordinal, b.ordinal)
}

// candidates returns the chunks with the greatest coarse estimates, as many as
// limit, of the ones in no partition and those in the nearest partitions, until
// sizes.scanned of these pass; all says that they are all that pass.
func (n *near) candidates(q *vectors.Query, limit int) (list []candidate, all bool, err error) {
	best := &chosen{limit: limit}
	loose, err := n.leaves(loosePart)
	if err == nil {
		err = n.scanAll(q, loose, best)
	}
	if err != nil {
		return nil, false, err
	}
	p, err := n.partitions()
	if err != nil {
		return nil, false, err
	}
	order := p.means.Order(q)
	for wanted := best.seen + int(n.s.sizes.scanned); len(order) > 0 && best.seen < wanted; {
		var list []leafAt
		for size := best.seen; len(order) > 0 && size < wanted; order = order[1:] {
			leaves, err := n.leaves(p.parts[order[0]])
			if err != nil {
				return nil, false, err
			}
			for _, at := range leaves {
				list = append(list, at)
				size += int(at.n)
			}
		}
		if err := n.scanAll(q, list, best); err != nil {
			return nil, false, err
		}
	}
	best.cut()
	return best.list, len(order) == 0 && best.seen <= limit, nil
}

// scanAll offers what passes of rows.
func (n *near) scanAll(q *vectors.Query, list []leafAt, best *chosen) (err error) {
	work := make(chan *leaf, 8)
	var mu sync.Mutex
	var wg conc.WaitGroup
	var caught panics.Catcher // the readers go on, or the leaves would not all be taken
	for range min(4, runtime.GOMAXPROCS(0), 1+len(list)/16) {
		wg.Go(func() {
			mine := &chosen{limit: best.limit}
			var estimates [leafFull]float32
			for l := range work {
				caught.Try(func() { n.scan(q, l, estimates[:], mine) })
			}
			mu.Lock()
			defer mu.Unlock()
			best.seen += mine.seen
			for _, c := range mine.list {
				best.offer(c)
			}
		})
	}
	for _, at := range list {
		var l *leaf
		if l, err = n.load(at); err != nil {
			break
		}
		if err = n.ctx.Err(); err != nil {
			break
		}
		work <- l
	}
	close(work)
	wg.Wait()
	caught.Repanic()
	return err
}

// refine keeps the candidates with the greatest fine estimates.
func refine(q *vectors.Query, candidates []candidate, limit int) []candidate {
	if len(candidates) <= limit {
		return candidates
	}
	for i := range candidates {
		c := &candidates[i]
		c.estimate = q.Refine(c.leaf.code(c.at))
	}
	selectClosest(candidates, limit)
	return candidates[:limit]
}

// scan offers what passes of a leaf.
func (n *near) scan(q *vectors.Query, l *leaf, estimates []float32, to *chosen) {
	if len(l.pmids) > len(estimates) { // a document of very many chunks
		estimates = make([]float32, len(l.pmids))
	}
	estimates = estimates[:len(l.pmids)]
	q.Estimate(estimates, l.signs, l.coarse)
	for i, e := range estimates {
		if e != e || n.pass != nil && !n.passes(l.pmids[i]) { // not a number: it has no vector
			continue
		}
		to.seen++
		if !to.full || e >= to.least {
			to.offer(candidate{e, l.pmids[i], l.ordinals[i], l, i})
		}
	}
}

// count is how many there are in a set, or some number above limit.
func count(set postings.Bits, limit int) (n int) {
	for i := 0; i < len(set) && n <= limit; i++ {
		n += bits.OnesCount64(set[i])
	}
	return n
}

func (n *near) passes(pmid record.PMID) bool {
	return int(pmid>>6) < len(n.pass) && n.pass.Has(uint32(pmid))
}

// chosen keeps the closest candidates.
type chosen struct {
	limit int
	list  []candidate
	full  bool
	least float32 // once full, what is below need not be offered
	seen  int
}

func (c *chosen) offer(x candidate) {
	if c.list = append(c.list, x); len(c.list) >= 2*c.limit {
		c.cut()
	}
}

// cut leaves the closest.
func (c *chosen) cut() {
	if len(c.list) <= c.limit {
		return
	}
	selectClosest(c.list, c.limit)
	c.list = c.list[:c.limit]
	c.full, c.least = true, slices.MaxFunc(c.list, closer).estimate
}

// selectClosest puts the n closest first, in no order (Hoare's quickselect).
func selectClosest(list []candidate, n int) {
	for len(list) > 1 {
		pivot := list[len(list)/2]
		i, j := 0, len(list)-1
		for i <= j {
			for closer(list[i], pivot) < 0 {
				i++
			}
			for closer(pivot, list[j]) < 0 {
				j--
			}
			if i <= j {
				list[i], list[j] = list[j], list[i]
				i++
				j--
			}
		}
		switch {
		case n <= j:
			list = list[:j+1]
		case n > i:
			list, n = list[i:], n-i
		default:
			return
		}
	}
}

// compare computes the dot products of candidates and returns the k greatest.
func (n *near) compare(v []float32, candidates []candidate, k int) ([]Hit, error) {
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Compare(a.pmid, b.pmid)
	})
	hits := make([]Hit, 0, len(candidates))
	for len(candidates) > 0 {
		pmid := candidates[0].pmid
		end := slices.IndexFunc(candidates, func(c candidate) bool { return c.pmid != pmid })
		if end < 0 {
			end = len(candidates)
		}
		of := map[uint16]bool{}
		for _, c := range candidates[:end] {
			of[c.ordinal] = of[c.ordinal] || c.leaf.loose
		}
		candidates = candidates[end:]
		found, err := n.scores(v, pmid)
		if err != nil {
			return nil, err
		}
		for _, h := range found {
			if _, ok := of[uint16(h.Ordinal)]; ok {
				hits = append(hits, h)
				delete(of, uint16(h.Ordinal))
			}
		}
		for _, loose := range of { // what is left in a partition may have been removed since
			if loose {
				return nil, fmt.Errorf("a vector is missing: %w", postings.ErrDamaged)
			}
		}
	}
	return greatest(hits, k), nil
}

// compareAll computes the dot products of all chunks that pass.
func (n *near) compareAll(v []float32, k int) ([]Hit, error) {
	hits := []Hit{}
	for i, word := range n.pass {
		for ; word != 0; word &= word - 1 {
			found, err := n.scores(v, record.PMID(64*i+bits.TrailingZeros64(word)))
			if err != nil {
				return nil, err
			}
			hits = append(hits, found...)
		}
	}
	return greatest(hits, k), nil
}

// scores are the dot products of the vectors of a document.
func (n *near) scores(v []float32, pmid record.PMID) (hits []Hit, err error) {
	err = vectorsOf(n.src.r, n.model, pmid, func(ordinal uint16, x []float32) {
		score := blas32.Dot(blas32.Vector{N: len(x), Data: x, Inc: 1}, blas32.Vector{N: len(v), Data: v, Inc: 1})
		hits = append(hits, Hit{PMID: pmid, Ordinal: int(ordinal), Score: float64(score)})
	})
	return hits, firstError(err, n.ctx.Err())
}

func greatest(hits []Hit, k int) []Hit {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return hits[:min(k, len(hits))]
}

// pmids is the set of the PMIDs of documents that pass a filter, nil for all.
func (ix *index) pmids(src source, f compiled) (postings.Bits, error) {
	if f.name == "" {
		return nil, nil
	}
	key := fmt.Sprint("pmids ", ix.generation, " ", f.name)
	if set, ok := src.Recall(key).(postings.Bits); ok {
		return set, nil
	}
	var hi record.PMID
	for _, g := range ix.segments {
		hi = max(hi, g.hi)
	}
	set := postings.NewBits(int(hi) + 1)
	for _, g := range ix.segments {
		accepted, err := g.accepted(src, f)
		if err != nil {
			return nil, err
		}
		for n := 0; n*postings.ColumnLen < g.Chunks; n++ {
			from := n * postings.ColumnLen
			to := min(from+postings.ColumnLen, g.Chunks)
			if !accepted.Any(uint32(from), uint32(to-1)) {
				continue
			}
			page, err := src.GetPage(g.ID, postings.IDs, n)
			if err != nil || len(page) < 4*(to-from) {
				return nil, firstError(err, postings.ErrDamaged)
			}
			for i := from; i < to; i++ {
				if accepted.Has(uint32(i)) {
					if id := binary.LittleEndian.Uint32(page[4*(i-from):]); record.PMID(id) <= hi {
						set.Set(id)
					}
				}
			}
		}
	}
	src.Remember(key, set, 8*len(set)+len(key))
	return set, nil
}

// locate fills in what the word index knows of hits given by PMID and ordinal.
func (ix *index) locate(src source, hits []Hit) error {
	for i := range hits {
		h := &hits[i]
		found := false
		for _, g := range ix.segments {
			if h.PMID < g.lo || h.PMID > g.hi {
				continue
			}
			chunk, err := g.find(src, h.PMID)
			if err != nil {
				return err
			}
			if chunk += uint32(h.Ordinal); chunk >= uint32(g.Chunks) || g.removed != nil && g.removed.Has(chunk) {
				continue
			}
			id, err := g.Column32(src, postings.IDs, chunk)
			if err != nil {
				return err
			}
			if record.PMID(id) != h.PMID {
				continue
			}
			if err := g.properties(src, chunk, h); err != nil {
				return err
			}
			found = true
			break
		}
		if !found {
			return fmt.Errorf("a vector belongs to no chunk: %w", postings.ErrDamaged)
		}
	}
	return nil
}
