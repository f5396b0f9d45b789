package postings

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"
)

// Hit is a chunk found by a search.
type Hit struct {
	Score   int64
	ID      uint32
	Chunk   uint32
	Segment int // index among the segments searched
}

// rank compares hits, the best first: by score, then ID, then position within the document.
func (h Hit) rank(o Hit) int {
	if h.Score != o.Score {
		return cmp.Compare(o.Score, h.Score)
	}
	return cmp.Or(cmp.Compare(h.ID, o.ID), cmp.Compare(h.Chunk, o.Chunk), cmp.Compare(h.Segment, o.Segment))
}

// Top keeps the k best hits over any number of segments. It is safe for concurrent use. The result
// does not depend on the order in which hits are added.
type Top struct {
	k    int
	mu   sync.Mutex
	heap []Hit // min-heap: the worst hit first

	// Score of the worst of k hits, or 0 while there are fewer. Hits with a lower score are not
	// kept.
	minScore atomic.Int64
}

// NewTop returns a Top that keeps k hits.
func NewTop(k int) *Top { return &Top{k: k, heap: make([]Hit, 0, min(k, 1024))} }

// threshold returns the smallest score with which a chunk that was not offered yet, and whose ID is at
// least id, is kept.
func (t *Top) threshold(id uint32) int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.heap) < t.k {
		return 0
	}
	if id >= t.heap[0].ID {
		return t.heap[0].Score + 1
	}
	return t.heap[0].Score
}

// add offers a hit.
func (t *Top) add(h Hit) {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case len(t.heap) < t.k:
		t.heap = append(t.heap, h)
		for i := len(t.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if t.heap[up].rank(t.heap[i]) >= 0 {
				break
			}
			t.heap[up], t.heap[i] = t.heap[i], t.heap[up]
			i = up
		}
	case t.k > 0 && h.rank(t.heap[0]) < 0:
		t.heap[0] = h
		for i := 0; ; {
			worst := i
			for _, c := range [2]int{2*i + 1, 2*i + 2} {
				if c < len(t.heap) && t.heap[worst].rank(t.heap[c]) < 0 {
					worst = c
				}
			}
			if worst == i {
				break
			}
			t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
			i = worst
		}
	}
	if len(t.heap) == t.k && t.k > 0 {
		t.minScore.Store(t.heap[0].Score)
	}
}

// Hits returns the kept hits, the best first.
func (t *Top) Hits() []Hit {
	hits := slices.Clone(t.heap)
	slices.SortFunc(hits, Hit.rank)
	return hits
}
