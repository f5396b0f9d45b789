package weaviate

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/weaviate/weaviate-go-client/v4/weaviate/filters"

	"biomcp/rag"
)

// lastPMID is the greatest number that a PMID can have.
const lastPMID = 1<<32 - 1

// listed is a chunk as it is listed.
type listed struct {
	rag.Place
	version int // of its document, ours
	model   string
}

// Chunks yields every chunk after the given PMID by its place.
func (x *Index) Chunks(ctx context.Context, after int64) iter.Seq2[rag.Place, error] {
	return func(yield func(rag.Place, error) bool) {
		for c, err := range x.list(ctx, after) {
			if !yield(c.Place, err) || err != nil {
				return
			}
		}
	}
}

// list yields the chunks in the order of PMID and ordinal. The server is asked
// for ranges of PMIDs that hold about half of what it gives to one query: sorting
// is done here, since it would sort all objects for each page.
func (x *Index) list(ctx context.Context, after int64) iter.Seq2[listed, error] {
	return func(yield func(listed, error) bool) {
		err := x.Check(ctx)
		if IsKind(err, Missing) {
			return
		}
		if err != nil {
			yield(listed{}, err)
			return
		}
		for width := int64(2000); after < lastPMID; {
			list, err := x.between(ctx, after, after+width)
			if err != nil {
				yield(listed{}, err)
				return
			}
			if len(list) == most && width > 1 {
				width /= 2
				continue
			}
			for _, c := range list {
				if !yield(c, nil) {
					return
				}
			}
			after += width
			if len(list) < most/4 {
				width *= 2
			}
		}
	}
}

// between lists the chunks of PMIDs after one, and up to another.
func (x *Index) between(ctx context.Context, after, last int64) ([]listed, error) {
	w := join(filters.And,
		on(propNumber, filters.GreaterThan).WithValueNumber(float64(after)),
		on(propNumber, filters.LessThanEqual).WithValueNumber(float64(last)))
	fields := strings.Join([]string{propPMID, propChunkID, propOrdinal, propVersion, propModel}, " ")
	x.storing.RLock()
	defer x.storing.RUnlock()
	found, err := x.query(ctx, "list", "{Get{"+x.get("chunks", fmt.Sprintf("%slimit:%d", argument(w), most), fields)+"}}")
	if err != nil {
		return nil, err
	}
	var list []listed
	for _, r := range found["Get"]["chunks"] {
		if h, ok := r.hit(); ok {
			list = append(list, listed{rag.Place{PMID: h.PMID, Ordinal: h.Ordinal, ChunkID: h.ChunkID}, int(r.number(propVersion)), r.text(propModel)})
		}
	}
	slices.SortFunc(list, func(a, b listed) int {
		return cmp.Or(cmp.Compare(a.PMID, b.PMID), cmp.Compare(a.Ordinal, b.Ordinal))
	})
	return list, nil
}
