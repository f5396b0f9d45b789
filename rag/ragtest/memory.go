package ragtest

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"biomcp/entrez/record"
	"biomcp/rag"
	"biomcp/store"
	"biomcp/store/postings"
)

// Memory is an index that scores every chunk for every query as defined in package store. It is
// the reference for faster engines. The zero value is an empty index.
type Memory struct {
	mu   sync.RWMutex
	docs map[record.PMID]*store.Document
	bags map[record.PMID][]rag.Bag
}

func (m *Memory) Put(ctx context.Context, docs []*store.Document) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.docs == nil {
		m.docs, m.bags = map[record.PMID]*store.Document{}, map[record.PMID][]rag.Bag{}
	}
	for _, d := range docs {
		if old := m.docs[d.PMID]; old != nil {
			if cmp.Or(cmp.Compare(d.PMIDVersion, old.PMIDVersion), cmp.Compare(d.LR, old.LR)) < 0 {
				continue
			}
		}
		m.docs[d.PMID], m.bags[d.PMID] = d, nil
		for _, c := range d.Chunks {
			m.bags[d.PMID] = append(m.bags[d.PMID], rag.ChunkBag(c))
		}
	}
	return ctx.Err()
}

// DocumentsByPMID implements rag.Corpus.
func (m *Memory) DocumentsByPMID(ctx context.Context, pmids []record.PMID) (map[record.PMID]*store.Document, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	docs := map[record.PMID]*store.Document{}
	for _, pmid := range pmids {
		if d := m.docs[pmid]; d != nil {
			docs[pmid] = d
		}
	}
	return docs, ctx.Err()
}

// DocFreq implements rag.Corpus.
func (m *Memory) DocFreq(ctx context.Context, terms ...string) ([]int64, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	df := make([]int64, len(terms))
	for i, term := range terms {
		for _, bags := range m.bags {
			for _, b := range bags {
				df[i] += int64(min(len(b[term]), 1))
			}
		}
	}
	return df, ctx.Err()
}

func (m *Memory) Delete(ctx context.Context, pmids []record.PMID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, pmid := range pmids {
		delete(m.docs, pmid)
		delete(m.bags, pmid)
	}
	return ctx.Err()
}

func (m *Memory) Documents(ctx context.Context) (int64, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return int64(len(m.docs)), ctx.Err()
}

func (m *Memory) Chunks(ctx context.Context, after record.PMID) iter.Seq2[rag.Place, error] {
	return func(yield func(rag.Place, error) bool) {
		for _, pmid := range slices.Sorted(maps.Keys(m.docs)) {
			for i, c := range m.docs[pmid].Chunks {
				if pmid > after && !yield(rag.Place{PMID: pmid, Ordinal: i, ChunkID: c.ID}, ctx.Err()) {
					return
				}
			}
		}
	}
}

func (m *Memory) Words(ctx context.Context, q store.Query, f store.Filter, k int) ([]store.Hit, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	s := m.scorer()
	return m.best(ctx, f, k, func(pmid record.PMID, ordinal int) (float64, bool) {
		own := rag.WithConditions(q, func(f store.Filter) bool { return passes(m.docs[pmid], f) })
		bag, q := m.bags[pmid][ordinal], rag.Resolve(own, m.bags[pmid])
		return s.score(bag, length(m.docs[pmid].Chunks[ordinal]), q), bag.Matches(q)
	})
}

func (m *Memory) SearchVectors(ctx context.Context, v []float32, f store.Filter, k int) ([]store.Hit, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	hits, err := m.best(ctx, f, k, func(pmid record.PMID, ordinal int) (sum float64, _ bool) {
		w := m.docs[pmid].Chunks[ordinal].Vector
		for i := range w {
			sum += float64(v[i]) * float64(w[i])
		}
		return sum, w != nil
	})
	return hits, true, err
}

// best returns the k hits with the greatest score among the chunks that pass a filter.
func (m *Memory) best(
	ctx context.Context, f store.Filter, k int, score func(record.PMID, int) (float64, bool),
) ([]store.Hit, error) {
	hits := []store.Hit{}
	for pmid, d := range m.docs {
		if !passes(d, f) {
			continue
		}
		for i, c := range d.Chunks {
			if s, ok := score(pmid, i); ok {
				hits = append(hits, store.Hit{
					PMID: pmid, Ordinal: i, ChunkID: c.ID, Score: s, Date: day(d.PDat, "01"), Facts: d.Facts,
				})
			}
		}
	}
	slices.SortFunc(hits, func(a, b store.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return hits[:min(max(k, 0), len(hits))], ctx.Err()
}

func length(c store.Chunk) float64 {
	if c.Length > 0 {
		return float64(c.Length)
	}
	return float64(len(c.Tokens))
}

// A scorer holds the statistics of the corpus that BM25 needs.
type scorer struct {
	chunks, average float64 // number of chunks, and their average length
	bags            []rag.Bag
	idfs            map[string]float64 // idf by term, or by prefix*
}

func (m *Memory) scorer() *scorer {
	s := &scorer{idfs: map[string]float64{}}
	for pmid, d := range m.docs {
		for _, c := range d.Chunks {
			s.chunks++
			s.average += length(c)
		}
		s.bags = append(s.bags, m.bags[pmid]...)
	}
	s.average /= s.chunks
	return s
}

// idf returns the idf of a term or prefix. has reports whether a chunk contains it.
func (s *scorer) idf(name string, has func(rag.Bag) bool) float64 {
	if idf, ok := s.idfs[name]; ok {
		return idf
	}
	n := 0.0
	for _, bag := range s.bags {
		if has(bag) {
			n++
		}
	}
	s.idfs[name] = math.Log(1 + (s.chunks-n+0.5)/(n+0.5))
	return s.idfs[name]
}

func (s *scorer) term(term string) float64 {
	return s.idf(term, func(b rag.Bag) bool { return len(b[term]) > 0 })
}

// score returns the sum of the scores of q's leaves in a chunk (store.Query).
func (s *scorer) score(bag rag.Bag, length float64, q store.Query) float64 {
	leaf := func(weight, idf, tf float64) float64 {
		if weight == 0 {
			weight = 1
		}
		return weight * idf * tf / (tf + postings.K1*(1-postings.B+postings.B*length/s.average))
	}
	if !bag.Matches(q) {
		return 0
	}
	sum := 0.0
	switch q := q.(type) {
	case store.Term:
		return leaf(q.Weight, s.term(q.Text), float64(len(bag[q.Text])))
	case store.Or:
		for _, part := range q {
			sum += s.score(bag, length, part)
		}
	case store.And:
		for _, part := range q {
			sum += s.score(bag, length, part)
		}
	case store.Prefix:
		tf := 0
		for term, at := range bag {
			if strings.HasPrefix(term, q.Text) {
				tf += len(at)
			}
		}
		return leaf(q.Weight, s.idf(q.Text+"*", func(b rag.Bag) bool { return b.Matches(q) }), float64(tf))
	case store.Phrase:
		idf, tf := 0.0, 0
		for _, slot := range q.Slots {
			rarest := 0.0
			for _, term := range slot.Terms {
				rarest = max(rarest, s.term(term))
			}
			idf += rarest
		}
		end := uint32(0)
		for _, at := range bag {
			end = max(end, slices.Max(at)+1)
		}
		for start := range end {
			if bag.PhraseAt(q.Slots, start) {
				tf++
			}
		}
		return leaf(q.Weight, idf, float64(tf))
	}
	return sum
}
