package store

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"

	"biomcp/entrez/record"
	"biomcp/store/postings"
	"biomcp/store/rows"
	"biomcp/store/wordindex"
)

var errVectorMissing = fmt.Errorf("a vector is missing: %w", postings.ErrDamaged)

// compareAtOnce is how many candidates are compared before the estimates of the rest are looked at.
const compareAtOnce = 1200

// unlikely is by how many standard deviations an error of an estimate is above the mean if
// it is not reckoned with. Of ten million made-up records with it two thirds of the
// candidates are compared, and 5 of the 10,000 nearest among them missed; with 2.5, half of
// the candidates, and 100 missed.
const unlikely = 3

// compare computes the dot products of candidates and returns the k greatest. It begins with
// the greatest estimates, and unless it is to compare all it ends when the greatest one left
// would need an unlikely error, by the errors of those compared last.
func (n *near) compare(candidates []candidate, k int, all bool) ([]Hit, error) {
	size := compareAtOnce
	if all {
		size = len(candidates)
	}
	best, reach := products{}, 0.0
	for len(candidates) > 0 {
		some := candidates[:min(size, len(candidates))]
		selectClosest(candidates, len(some))
		next := slices.MaxFunc(some, func(a, b candidate) int { return cmp.Compare(a.rank, b.rank) }).estimate()
		if len(best.list) == k && float64(best.list[k-1].score-next) > reach {
			break
		}
		found, errs, err := n.compareSome(some)
		if err != nil {
			return nil, err
		}
		best.add(found, k)
		reach = reachOf(errs)
		candidates = candidates[len(some):]
	}
	return best.hits(), nil
}

// reachOf returns what errors are likely to be below, not a number of none.
func reachOf(errs []float64) float64 {
	var sum, squares float64
	for _, e := range errs {
		sum, squares = sum+e, squares+e*e
	}
	count := float64(len(errs))
	mean := sum / count
	return mean + unlikely*math.Sqrt(max(0, squares/count-mean*mean))
}

// compareSome computes the dot products of candidates, and by how much each is above its estimate.
func (n *near) compareSome(candidates []candidate) (found products, errs []float64, err error) {
	type wanted struct {
		estimate float32
		loose    bool // or in a partition
	}
	left := make(map[wordindex.Key]wanted, len(candidates))
	pmids := make([]record.PMID, len(candidates))
	for i, c := range candidates {
		row := &n.scanned[c.leaf]
		at := wordindex.Key{PMID: c.pmid(), Ordinal: row.codes.ordinals[c.at]}
		left[at] = wanted{c.estimate(), left[at].loose || row.loose}
		pmids[i] = at.PMID
	}
	slices.Sort(pmids)
	found, err = n.products(slices.Compact(pmids), func(at wordindex.Key) bool {
		_, ok := left[at]
		return ok
	})
	for _, p := range found.list {
		errs = append(errs, float64(p.score-left[p.Key].estimate))
		delete(left, p.Key)
	}
	for _, c := range left { // what is left in a partition may have been removed since
		if c.loose && err == nil {
			err = errVectorMissing
		}
	}
	return found, errs, err
}

// compareAll computes the dot products of all chunks that pass.
func (n *near) compareAll(k int) ([]Hit, error) {
	var pmids []record.PMID
	for i, word := range n.pass {
		for ; word != 0; word &= word - 1 {
			pmids = append(pmids, record.PMID(64*i+bits.TrailingZeros64(word)))
		}
	}
	found, err := n.products(pmids, func(wordindex.Key) bool { return true })
	found.keep(k)
	return found.hits(), err
}

// products are the dot products of the query and the vectors of chunks.
type products struct {
	size  int // of a vector as it is stored
	rooms [][]byte
	list  []product
}

// product is small, as many are sorted.
type product struct {
	wordindex.Key
	score float32
	room  uint32 // where the vector is
	from  int    // in the room
}

// products computes the dot products with the chunks of documents that are wanted.
func (n *near) products(pmids []record.PMID, wanted func(wordindex.Key) bool) (products, error) {
	const few, portion = 1024, 256
	portions := [][]record.PMID{pmids}
	if len(pmids) > few {
		portions = slices.Collect(slices.Chunk(pmids, portion))
	}
	stored := n.s.rounding(n.model)
	all := products{size: stored.ByteSize(), rooms: make([][]byte, len(portions))}
	var mu sync.Mutex
	err := n.share(len(portions), func(r *rows.Conn, part int) error {
		list, room := make([]product, 0, len(portions[part])), make([]byte, 0, len(portions[part])*all.size)
		err := n.model.rows(r, portions[part], func(pmid record.PMID, row []byte) error {
			for ordinal, b := range stored.each(row) {
				if at := (wordindex.Key{PMID: pmid, Ordinal: ordinal}); wanted(at) {
					list = append(list, product{at, n.query.Dot(b), uint32(part), len(room)})
					room = append(room, b...)
				}
			}
			return nil
		})
		mu.Lock()
		defer mu.Unlock()
		all.rooms[part], all.list = room, append(all.list, list...)
		return err
	})
	return all, err
}

// add adds products of other chunks, and keeps the k greatest.
func (p *products) add(more products, k int) {
	for i := range more.list {
		more.list[i].room += uint32(len(p.rooms))
	}
	p.size, p.rooms, p.list = more.size, append(p.rooms, more.rooms...), append(p.list, more.list...)
	p.keep(k)
}

// keep leaves the k greatest, in order, each once: a document that came again can have an old
// code in a partition beside its new one.
func (p *products) keep(k int) {
	slices.SortFunc(p.list, func(a, b product) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	p.list = slices.CompactFunc(p.list, func(a, b product) bool { return a.Key == b.Key })
	p.list = p.list[:min(k, len(p.list))]
}

// hits returns the chunks with their products.
func (p *products) hits() []Hit {
	hits := make([]Hit, len(p.list))
	for i, c := range p.list {
		hits[i] = Hit{PMID: c.PMID, Ordinal: int(c.Ordinal), Score: float64(c.score), Vector: p.rooms[c.room][c.from:][:p.size]}
	}
	return hits
}
