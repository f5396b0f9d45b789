package rag

import (
	"cmp"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

const (
	// NearWeight is the share of meaning in a score; words have the rest. The
	// ranking figures of the collections in the tests hardly move between 0.3 and
	// 0.5; it leans to words, which also find names that no vector has learnt.
	NearWeight = 0.4

	// PartHits is how many chunks of each search are fused.
	PartHits = 200
)

// Result is one document found, by its best chunk.
type Result struct {
	PMID    record.PMID
	ChunkID string
	Ordinal int // of the chunk in store.Document.Chunks

	// BM25 and Sim are what the engine gave the chunk, nil where it is not among
	// the first PartHits of that search; Words and Near are the same scaled to
	// 0–1, 0 where missing.
	BM25, Sim   *float64
	Words, Near float64

	Fused   float64 // (1 − NearWeight) · Words + NearWeight · Near
	Quality Quality
	Score   float64 // Fused, with quality bias times 1 + Quality.Total/10
	Flags   store.Flags
}

// UUID is the identity of the result's chunk on every engine.
func (r Result) UUID() string { return UUID(r.PMID, r.ChunkID) }

// Fuse joins the hits of the two searches, each best first and at most PartHits,
// and returns the k best documents: each part is scaled by its least and greatest
// score (to 1 where they are equal), a document has the score of its best chunk,
// and quality as of now multiplies it where bias is set. Equal scores are in the
// order of PMID. The result is never nil.
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

// scale maps scores to 0–1 by the least and the greatest.
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
