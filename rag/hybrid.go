package rag

import (
	"cmp"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

// Shares holds the weights of the searches in a score. They add up to 1.
type Shares struct {
	Words   float64 `json:"words"`
	Vectors float64 `json:"model"`           // search by the vectors of the model
	Local   float64 `json:"local"`           // search by the corpus's own vectors, if the model is a service's
	Title   float64 `json:"title,omitempty"` // documents whose title is the query; zero if there are none
}

// DefaultShares returns the documented shares, which are equal for each search and do not depend on
// the corpus or the model. model and local report which vector searches ran beside the word
// search: by the vectors of the model, and by the corpus's own.
func DefaultShares(model, local bool) Shares {
	switch {
	case model && local:
		return Shares{Words: 1.0 / 3, Vectors: 1.0 / 3, Local: 1.0 / 3}
	case local:
		return Shares{Words: 0.5, Local: 0.5}
	case model:
		return Shares{Words: 0.5, Vectors: 0.5}
	}
	return Shares{Words: 1}
}

// titleShare is the share of documents whose title is the query. It ranks them first, because
// the score of other documents is at most a third, or 0.63 with quality bias.
const titleShare = 2.0 / 3

// withTitles returns the shares if there are documents whose title is the query.
func (s Shares) withTitles() Shares {
	const rest = 1 - titleShare
	return Shares{s.Words * rest, s.Vectors * rest, s.Local * rest, titleShare}
}

// PartHits is the number of chunks of each search that are fused.
const PartHits = 200

// Hits holds the chunks that each search of an index finds, best first and at most PartHits.
// Titles holds documents whose title is the query.
type Hits struct{ Words, Vectors, Local, Titles []store.Hit }

// A Result is a matching document with its best chunk.
type Result struct {
	PMID    record.PMID
	ChunkID string
	Ordinal int // index of the chunk in store.Document.Chunks

	// BM25, Sim and LocalSim are the scores of the chunk in the searches, after the feedback of
	// applyFeedback, or nil if the chunk is not among the first PartHits. Words, Vectors and Local
	// are these scores scaled to 0–1, or zero if nil.
	BM25, Sim, LocalSim   *float64
	Words, Vectors, Local float64

	Title   bool    // whether the query is the title of the document
	Fused   float64 // weighted sum of Words, Vectors, Local and Title, from 0 to 1
	Quality Quality
	Score   float64 // Fused; with quality bias multiplied by 1 + Quality.Total/10
}

// UUID returns the ID of the chunk in any engine.
func (r Result) UUID() string { return UUID(r.PMID, r.ChunkID) }

// A place identifies a chunk.
type place struct {
	pmid    record.PMID
	ordinal int
}

// Fuse joins hits and returns the k best documents. The scores of each search are scaled to 0–1
// (to 1 if all are equal) and weighted by its share. A document has the score of its best
// chunk; if bias is set, it is multiplied by the quality as of now. Equal scores are ordered by
// PMID. The result is never nil.
func Fuse(hits Hits, shares Shares, bias bool, now time.Time, k int) []Result {
	most := len(hits.Words) + len(hits.Vectors) + len(hits.Local) + len(hits.Titles)
	chunks, all := make(map[place]*Result, most), make([]Result, 0, most)
	add := func(list []store.Hit, set func(r *Result, score *float64, scaled float64)) {
		scaled := scale(list)
		for i, h := range list {
			at := place{h.PMID, h.Ordinal}
			r := chunks[at]
			if r == nil {
				quality := QualityOf(h.Facts, h.Date, now)
				all = append(all, Result{PMID: h.PMID, ChunkID: h.ChunkID, Ordinal: h.Ordinal, Quality: quality})
				r = &all[len(all)-1]
				chunks[at] = r
			}
			set(r, &list[i].Score, scaled[i])
		}
	}
	add(hits.Words, func(r *Result, score *float64, scaled float64) { r.BM25, r.Words = score, scaled })
	add(hits.Vectors, func(r *Result, score *float64, scaled float64) { r.Sim, r.Vectors = score, scaled })
	add(hits.Local, func(r *Result, score *float64, scaled float64) { r.LocalSim, r.Local = score, scaled })
	add(hits.Titles, func(r *Result, _ *float64, _ float64) { r.Title = true })
	best := make([]*Result, 0, max(k, 0)+1)
	for i := range all {
		r := &all[i]
		r.Fused = shares.Words*r.Words + shares.Vectors*r.Vectors + shares.Local*r.Local
		if r.Title {
			r.Fused += shares.Title
		}
		if r.Score = r.Fused; bias {
			r.Score *= 1 + float64(r.Quality.Total)/10
		}
		at, _ := slices.BinarySearchFunc(best, r, compareResults)
		same := slices.IndexFunc(best, func(o *Result) bool { return o.PMID == r.PMID })
		if same >= 0 && same < at || at >= k {
			continue
		}
		if same >= 0 {
			best = slices.Delete(best, same, same+1)
		}
		best = slices.Insert(best, at, r)[:min(len(best)+1, k)]
	}
	results := make([]Result, len(best))
	for i, r := range best {
		results[i] = *r
	}
	return results
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
