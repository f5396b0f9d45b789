package rag

import (
	"cmp"
	"context"
	"slices"
	"time"

	"biomcp/entrez/record"
	"biomcp/store"
)

// appendMatches appends the other documents that match the words of the query to the results, up to k
// in all, in the order of BM25. Their scores are zero, because no chunk of theirs is among the first
// PartHits of a search. omitted holds documents that are not results.
func (a *Answer) appendMatches(
	ctx context.Context, index Finder, filter store.Filter, omitted []record.PMID, k int, now time.Time,
) error {
	seen := map[record.PMID]bool{}
	for _, r := range a.Results {
		seen[r.PMID] = true
	}
	for _, pmid := range omitted {
		seen[pmid] = true
	}
	var hits []store.Hit
	for n := PartHits + 4*k; ; n *= 4 { // a document has several chunks
		var err error
		if hits, err = index.Words(ctx, a.Query.Lexical, filter, n); err != nil {
			return err
		}
		documents := map[record.PMID]bool{}
		for _, h := range hits {
			documents[h.PMID] = true
		}
		if len(hits) < n || len(documents) > k {
			break
		}
	}
	slices.SortStableFunc(hits, func(x, y store.Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.PMID, y.PMID), cmp.Compare(x.Ordinal, y.Ordinal))
	})
	for i, h := range hits {
		if seen[h.PMID] {
			continue
		}
		if len(a.Results) == k {
			a.More = true
			return nil
		}
		seen[h.PMID] = true
		a.Results = append(a.Results, Result{PMID: h.PMID, ChunkID: h.ChunkID, Ordinal: h.Ordinal, BM25: &hits[i].Score,
			Quality: QualityOf(h.Facts, h.Date, now)})
	}
	return nil
}
