package rag

import (
	"cmp"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

const (
	// NearWeight is the weight of the search by meaning in a score; words have the
	// rest. See the package comment for its effect.
	NearWeight = 0.5

	// PartHits is the number of chunks of each search that are fused.
	PartHits = 200
)

// Result is a document that matches, with its best chunk.
type Result struct {
	PMID    record.PMID
	ChunkID string
	Ordinal int // of the chunk in store.Document.Chunks

	// BM25 and Sim are the scores of the chunk in the two searches, nil if it is
	// not among the first PartHits; Words and Near are the same scaled to 0–1, 0 if
	// missing.
	BM25, Sim   *float64
	Words, Near float64

	Fused   float64 // (1 − NearWeight) · Words + NearWeight · Near
	Quality Quality
	Score   float64 // Fused, with quality bias times 1 + Quality.Total/10
	Flags   store.Flags
}

// UUID returns the id of the chunk on every engine.
func (r Result) UUID() string { return UUID(r.PMID, r.ChunkID) }

// Fuse joins the hits of the two searches, each best first and at most PartHits,
// and returns the k best documents: the scores of each search are scaled to 0–1 (to
// 1 if all are equal), a document has the score of its best chunk, and with bias the
// quality as of now multiplies it. Equal scores are in the order of PMID. The result
// is never nil.
func Fuse(words, near []store.Hit, bias bool, now time.Time, k int) []Result {
	type place struct {
		pmid    record.PMID
		ordinal int
	}
	chunks := make(map[place]*Result, len(words)+len(near))
	chunk := func(h store.Hit) *Result {
		at := place{h.PMID, h.Ordinal}
		if chunks[at] == nil {
			chunks[at] = &Result{PMID: h.PMID, ChunkID: h.ChunkID, Ordinal: h.Ordinal, Flags: h.Flags, Quality: QualityOf(h.Facts, h.Date, now)}
		}
		return chunks[at]
	}
	scaled := scale(words)
	for i, h := range words {
		r := chunk(h)
		r.BM25, r.Words = &words[i].Score, scaled[i]
	}
	scaled = scale(near)
	for i, h := range near {
		r := chunk(h)
		r.Sim, r.Near = &near[i].Score, scaled[i]
	}
	best := make(map[record.PMID]*Result, len(chunks))
	for _, r := range chunks {
		r.Fused = (1-NearWeight)*r.Words + NearWeight*r.Near
		if r.Score = r.Fused; bias {
			r.Score *= 1 + float64(r.Quality.Total)/10
		}
		if old := best[r.PMID]; old == nil || compareResults(r, old) < 0 {
			best[r.PMID] = r
		}
	}
	results := make([]Result, 0, len(best))
	for _, r := range best {
		results = append(results, *r)
	}
	slices.SortFunc(results, func(a, b Result) int { return compareResults(&a, &b) })
	return results[:min(max(k, 0), len(results))]
}

func compareResults(a, b *Result) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
}

// scale maps scores linearly to 0–1.
func scale(hits []store.Hit) []float64 {
	scaled := make([]float64, len(hits))
	if len(hits) == 0 {
		return scaled
	}
	lo, hi := hits[0].Score, hits[0].Score
	for _, h := range hits {
		lo, hi = min(lo, h.Score), max(hi, h.Score)
	}
	for i, h := range hits {
		if scaled[i] = 1; hi > lo {
			scaled[i] = (h.Score - lo) / (hi - lo)
		}
	}
	return scaled
}
