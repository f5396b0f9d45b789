package weaviate

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/entrez/record"
	"biomcp/rag"
)

// Chunks yields the place of every chunk with a PMID greater than after, ordered by PMID and
// ordinal.
func (x *Index) Chunks(ctx context.Context, after record.PMID) iter.Seq2[rag.Place, error] {
	return func(yield func(rag.Place, error) bool) {
		err := x.Check(ctx)
		if IsKind(err, Missing) {
			return
		}
		if err != nil {
			yield(rag.Place{}, err)
			return
		}
		fields := strings.Join([]string{propPMID, propChunkID, propOrdinal}, " ")
		between := func(after, last record.PMID) ([]row, error) {
			x.storing.RLock()
			defer x.storing.RUnlock()
			return x.listRange(ctx, nil, fields, after, last, maxResults)
		}
		for r, err := range ascending(after, maxResults, between) {
			h, _ := r.hit()
			if !yield(rag.Place{PMID: h.PMID, Ordinal: h.Ordinal, ChunkID: h.ChunkID}, err) || err != nil {
				return
			}
		}
	}
}

// Documents returns the number of documents on the server, or zero if the class does not exist.
func (x *Index) Documents(ctx context.Context) (int64, error) {
	// Every document has a first chunk.
	first := newClause(propOrdinal, filters.Equal).WithValueInt(0)
	found, err := x.query(ctx, "count", fmt.Sprintf("{Aggregate{all:%s(%s){meta{count}}}}", x.class, argument(first)))
	if IsKind(err, Missing) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	all := found["Aggregate"]["all"]
	if len(all) != 1 {
		return 0, newError(Failed, "count", "the reply lacks the number of documents")
	}
	return int64(all[0].row("meta").number("count")), nil
}

// ascending yields rows ordered by PMID and ordinal. It calls fetch for ranges of PMIDs with
// less than a page of objects. With larger pages, the server would sort all objects for each
// page.
func ascending(
	after record.PMID, page int, fetch func(after, last record.PMID) ([]row, error),
) iter.Seq2[row, error] {
	return func(yield func(row, error) bool) {
		for width := record.PMID(2000); after < record.MaxPMID; {
			width = min(width, record.MaxPMID-after)
			list, err := fetch(after, after+width)
			if err != nil {
				yield(nil, err)
				return
			}
			if len(list) == page && width > 1 {
				width /= 2
				continue
			}
			for _, r := range list {
				if !yield(r, nil) {
					return
				}
			}
			after += width
			if len(list) < page/4 {
				width = 2 * min(width, record.MaxPMID/2)
			}
		}
	}
}

// listRange returns at most a page of the chunks that meet a condition and whose PMID is
// greater than after and at most last, ordered by PMID and ordinal.
func (x *Index) listRange(
	ctx context.Context, condition clause, fields string, after, last record.PMID, page int,
) ([]row, error) {
	w := join(filters.And, condition,
		newClause(propNumber, filters.GreaterThan).WithValueNumber(float64(after)),
		newClause(propNumber, filters.LessThanEqual).WithValueNumber(float64(last)))
	arguments := fmt.Sprintf("%slimit:%d", argument(w), page)
	found, err := x.query(ctx, "list", "{Get{"+x.get("chunks", arguments, fields)+"}}")
	if err != nil {
		return nil, err
	}
	list := slices.DeleteFunc(found["Get"]["chunks"], func(r row) bool { _, ok := r.hit(); return !ok })
	slices.SortFunc(list, func(a, b row) int {
		left, _ := a.hit()
		right, _ := b.hit()
		return compareHits(left, right) // both scores are zero, so this compares PMID and ordinal
	})
	return list, nil
}
