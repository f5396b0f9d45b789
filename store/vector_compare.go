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

// compareBatch is the number of candidates compared before the remaining estimates are checked.
const compareBatch = 1200

// maxDeviations is the number of standard deviations above the mean beyond which the error of an
// estimate is ignored. With 3, in ten million synthetic records, two thirds of the candidates are
// compared and 5 of the 10,000 nearest among them missed. With 2.5, half of the candidates are
// compared and 100 missed.
const maxDeviations = 3

// compare computes the dot products of candidates and returns the k greatest. It begins with the
// greatest estimates. Unless all is set, it stops when no remaining candidate is likely to be among
// the k greatest, judged by the errors of the last estimates compared.
func (n *vectorSearch) compare(candidates []candidate, k int, all bool) ([]Hit, error) {
	size := compareBatch
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
		reach = errorBound(errs)
		candidates = candidates[len(some):]
	}
	return best.hits(), nil
}

// errorBound returns a likely upper bound of the errors, or NaN if there are none.
func errorBound(errs []float64) float64 {
	var sum, squares float64
	for _, e := range errs {
		sum, squares = sum+e, squares+e*e
	}
	count := float64(len(errs))
	mean := sum / count
	return mean + maxDeviations*math.Sqrt(max(0, squares/count-mean*mean))
}

// compareSome computes the dot products of candidates, and the excess of each over its estimate.
func (n *vectorSearch) compareSome(candidates []candidate) (found products, errs []float64, err error) {
	type candidateEstimate struct {
		estimate float32
		loose    bool // outside partitions
	}
	left := make(map[wordindex.Key]candidateEstimate, len(candidates))
	pmids := make([]record.PMID, len(candidates))
	for i, c := range candidates {
		row := &n.rows[c.leaf]
		at := wordindex.Key{PMID: c.pmid(), Ordinal: row.codes.ordinals[c.at]}
		left[at] = candidateEstimate{c.estimate(), left[at].loose || row.loose}
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
	for _, c := range left { // chunks in partitions may have been removed since their codes were made
		if c.loose && err == nil {
			err = errVectorMissing
		}
	}
	return found, errs, err
}

// compareAll computes the dot products of all chunks of the documents that pass the filter.
func (n *vectorSearch) compareAll(k int) ([]Hit, error) {
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

// products holds dot products of the query with the vectors of chunks.
type products struct {
	size  int // size of a stored vector in bytes
	rooms [][]byte
	list  []product
}

// product is a dot product with one chunk. It is small because many are sorted.
type product struct {
	wordindex.Key
	score float32
	room  uint32 // index in products.rooms of the buffer that holds the vector
	from  int    // offset in that buffer
}

// products computes the dot products with the wanted chunks of documents.
func (n *vectorSearch) products(pmids []record.PMID, wanted func(wordindex.Key) bool) (products, error) {
	const few, portion = 1024, 256
	portions := [][]record.PMID{pmids}
	if len(pmids) > few {
		portions = slices.Collect(slices.Chunk(pmids, portion))
	}
	stored := n.s.vectorCodec(n.model)
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

// add adds the products of other chunks and keeps the k greatest.
func (p *products) add(other products, k int) {
	for i := range other.list {
		other.list[i].room += uint32(len(p.rooms))
	}
	p.size, p.rooms, p.list = other.size, append(p.rooms, other.rooms...), append(p.list, other.list...)
	p.keep(k)
}

// keep sorts the products, removes duplicates and keeps the k greatest. A chunk can occur twice, as
// a document that was stored again may have an old code in a partition beside its new one.
func (p *products) keep(k int) {
	slices.SortFunc(p.list, func(a, b product) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	p.list = slices.CompactFunc(p.list, func(a, b product) bool { return a.Key == b.Key })
	p.list = p.list[:min(k, len(p.list))]
}

// hits returns the chunks as hits, with their products as scores.
func (p *products) hits() []Hit {
	hits := make([]Hit, len(p.list))
	for i, c := range p.list {
		hits[i] = Hit{PMID: c.PMID, Ordinal: int(c.Ordinal), Score: float64(c.score),
			Vector: p.rooms[c.room][c.from:][:p.size]}
	}
	return hits
}
