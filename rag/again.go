package rag

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
	"biomcp/store/vectors"
)

const (
	firstDocuments = 5  // documents that are taken for relevant
	readDocuments  = 20 // documents that are read for their headings, from the first
	fewTerms       = 8  // the longest query whose hits are not compared by headings: it would take a tenth longer
)

// again compares the hits by meaning with the first documents too, where both searches
// have said which these are: by meaning alone they are what it has found already.
func (r *run) again(ctx context.Context, hits Hits) error {
	if len(hits.Words) == 0 || len(hits.Near)+len(hits.Local) == 0 {
		return nil
	}
	first := r.first(hits, firstDocuments)
	_, own := r.Embedder.(*Local)
	done, err := compareAgain(ctx, hits.Near, first, own, r.Spare)
	if r.Second != nil && err == nil {
		var also bool
		also, err = compareAgain(ctx, hits.Local, first, true, r.Second.Spare)
		done = done || also
	}
	for _, h := range first {
		if done {
			r.answer.Again = append(r.answer.Again, h.PMID)
		}
	}
	if err != nil || r.Corpus == nil || len(r.answer.Query.Terms) <= fewTerms && len(r.like) == 0 {
		return err
	}
	return r.byHeadings(ctx, hits)
}

// first returns the n documents that are first by words and meaning, whatever their quality.
func (r *run) first(hits Hits, n int) []Result {
	return Fuse(hits, r.answer.Shares, false, time.Time{}, n)
}

// compareAgain gives hits by meaning the mean of two similarities: that to the query, and
// that to the mean of the vectors of the first documents, each as much as it scores. What
// answers one question lies near each other, and a few words say less of it than they do
// (J. J. Rocchio, as in Seeds; without asking which are relevant, as C. Buckley et al.,
// Automatic query expansion using SMART: TREC 3, 1994). Only the hits are compared, so
// nothing is searched for again; done says whether they were. titles says whether titles
// alone count less. spare is an index that may have the vectors where they did not come
// with the hits.
func compareAgain(ctx context.Context, hits []store.Hit, first []Result, titles bool, spare Nearer) (done bool, err error) {
	of, err := vectorsOf(ctx, hits, spare)
	if err != nil || of == nil {
		return false, err
	}
	var best [][]byte
	var weights []float32
	for _, f := range first {
		if i := slices.IndexFunc(hits, func(h store.Hit) bool { return h.PMID == f.PMID }); i >= 0 {
			best, weights = append(best, of[i]), append(weights, float32(f.Fused))
		}
	}
	mean := vectors.MeanOf(best, weights)
	if mean == nil {
		return false, nil
	}
	for i, v := range of {
		similar := float64(mean.Dot(v))
		if titles {
			similar = discounted(hits[i], similar)
		}
		hits[i].Score = (hits[i].Score + similar) / 2
	}
	sortHits(hits)
	return true, nil
}

// vectorsOf returns the vectors of hits as package vectors stores them: those that came
// with the hits, or else those that the spare index has. It returns nil if they are not at
// hand.
func vectorsOf(ctx context.Context, hits []store.Hit, spare Nearer) ([][]byte, error) {
	of, pmids := make([][]byte, len(hits)), make([]record.PMID, len(hits))
	for i, h := range hits {
		of[i], pmids[i] = h.Vector, h.PMID
	}
	stored, ok := spare.(vectored)
	switch {
	case !slices.ContainsFunc(of, func(b []byte) bool { return b == nil }):
		return of, nil
	case !ok:
		return nil, nil
	}
	found, err := stored.Vectors(ctx, pmids)
	var space *vectors.Space
	for i, h := range hits {
		v := found[h.PMID][h.Ordinal]
		if v == nil {
			return nil, err
		}
		if space == nil {
			space = vectors.NewSpace(len(v))
		}
		of[i] = space.AppendBytes(nil, v)
	}
	return of, nil
}

// titleDiscount is by which part the similarity of a document without an abstract is
// lowered, under the corpus's own model: a sum of the rows of a few terms lies near that
// of every short query that has one of them.
const titleDiscount = 0.2

// discounted is the similarity of a hit, lowered if its document has no abstract.
func discounted(h store.Hit, similar float64) float64 {
	if h.Facts&titleAlone != 0 {
		similar -= titleDiscount * math.Abs(similar)
	}
	return similar
}

// discountTitles lowers the scores of documents without an abstract, and sorts the hits.
func discountTitles(hits []store.Hit) {
	for i, h := range hits {
		hits[i].Score = discounted(h, h.Score)
	}
	sortHits(hits)
}

func sortHits(hits []store.Hit) {
	slices.SortStableFunc(hits, func(a, b store.Hit) int { return cmp.Compare(b.Score, a.Score) })
}
