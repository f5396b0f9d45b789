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
	firstDocuments = 5 // number of documents assumed to be relevant
	// readDocuments is the number of best documents whose headings are read for a query. For a query
	// with more terms it is their number: they cost as much as the search for the terms.
	readDocuments = 20
	// fewTerms is the maximum number of terms of a query without the comparison of headings,
	// which would take a tenth longer.
	fewTerms = 8
)

// applyFeedback rescores the hits of the vector searches by their similarity to the first
// documents (compareAgain). It needs hits of both kinds of search: from vectors alone, the
// first documents would only confirm the order that they come from.
func (r *run) applyFeedback(ctx context.Context, hits Hits) error {
	if len(hits.Words) == 0 || len(hits.Vectors)+len(hits.Local) == 0 {
		return nil
	}
	first := r.first(hits, firstDocuments)
	_, own := r.Embedder.(*Local)
	done, err := compareAgain(ctx, hits.Vectors, first, own, r.Spare)
	if r.Second != nil && err == nil {
		var also bool
		also, err = compareAgain(ctx, hits.Local, first, true, r.Second.Spare)
		done = done || also
	}
	for _, h := range first {
		if done {
			r.answer.FeedbackDocs = append(r.answer.FeedbackDocs, h.PMID)
		}
	}
	if err != nil || r.Corpus == nil || len(r.answer.Query.Terms) <= fewTerms && len(r.seeds) == 0 {
		return err
	}
	return r.byHeadings(ctx, hits)
}

// first returns the n best documents by words and vectors, without regard to their quality.
func (r *run) first(hits Hits, n int) []Result {
	return Fuse(hits, r.answer.Shares, false, time.Time{}, n)
}

// compareAgain sets the score of each vector hit to the mean of two similarities: to the query,
// and to the mean vector of the first documents, weighted by the cubes of their scores: a document that
// stands out counts most, as it does if it is the only answer. This is
// pseudo-relevance feedback: the answers to a question are similar to each other, and describe
// it better than a few words do (J. J. Rocchio, as in Seeds; C. Buckley et al., Automatic query
// expansion using SMART: TREC 3, 1994). Only the given hits are compared, so there is no second
// search. done reports whether they were. If titles is set, documents without an abstract count
// less. spare is an index to read vectors from if the hits have none.
func compareAgain(
	ctx context.Context, hits []store.Hit, first []Result, titles bool, spare VectorSearcher,
) (done bool, err error) {
	of, err := vectorsOf(ctx, hits, spare)
	if err != nil || of == nil {
		return false, err
	}
	var best [][]byte
	var weights []float32
	for _, f := range first {
		if i := slices.IndexFunc(hits, func(h store.Hit) bool { return h.PMID == f.PMID }); i >= 0 {
			best, weights = append(best, of[i]), append(weights, float32(f.Fused*f.Fused*f.Fused))
		}
	}
	mean := vectors.NewMeanQuery(best, weights)
	if mean == nil {
		return false, nil
	}
	for i, v := range of {
		similar := float64(mean.Dot(v))
		if titles {
			similar = discountScore(hits[i], similar)
		}
		hits[i].Score = (hits[i].Score + similar) / 2
	}
	sortHits(hits)
	return true, nil
}

// vectorsOf returns the vectors of hits in the form that package vectors stores: those of the
// hits, or otherwise those of the spare index. It returns nil if some are not available.
func vectorsOf(ctx context.Context, hits []store.Hit, spare VectorSearcher) ([][]byte, error) {
	of, pmids := make([][]byte, len(hits)), make([]record.PMID, len(hits))
	for i, h := range hits {
		of[i], pmids[i] = h.Vector, h.PMID
	}
	stored, ok := spare.(vectorSource)
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

// titleDiscount is the fraction by which the similarity of a document without an abstract is
// lowered with the corpus's own model. The vector of a title is a sum over a few terms, which
// is similar to every short query with one of them.
const titleDiscount = 0.2

// discountScore returns the similarity of a hit, lowered if its document has no abstract.
func discountScore(h store.Hit, similar float64) float64 {
	if h.Facts&titleAlone != 0 {
		similar -= titleDiscount * math.Abs(similar)
	}
	return similar
}

// discountTitles lowers the scores of documents without an abstract, and sorts the hits.
func discountTitles(hits []store.Hit) {
	for i, h := range hits {
		hits[i].Score = discountScore(h, h.Score)
	}
	sortHits(hits)
}

func sortHits(hits []store.Hit) {
	slices.SortStableFunc(hits, func(a, b store.Hit) int { return cmp.Compare(b.Score, a.Score) })
}
