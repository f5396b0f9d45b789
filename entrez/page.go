package entrez

import (
	"cmp"
	"context"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/record"
)

// SearchPage returns at most limit results from offset. With the sort pub_date it also reaches
// results beyond PubMed's 9,999: the search is then split into slices by publication date, newest
// first, a single day further by UID, highest first; records without a date come last. Another sort
// beyond 9,999 gives an error of kind Invalid. RetStart and RetMax of p are ignored.
//
// NCBI returns records that a sort leaves equal (those of one day) in a different order each time.
// In that case SearchPage requests the whole first block and cuts the page from it, so that pages
// agree through the cache.
//
// Within a slice the order is NCBI's. Slices are ordered by the record's newest publication date,
// but NCBI sorts by the print date. The two are equal if there is only one date or if the print
// date is the later one.
func (c *Client) SearchPage(ctx context.Context, p SearchParams, offset, limit int) (*SearchResult, error) {
	p.RetStart, p.RetMax, p.AllowMissing = offset, limit, true
	if cmp.Or(p.DB, "pubmed") != "pubmed" || offset < 0 || limit < 0 {
		return c.Search(ctx, p)
	}
	if limit <= record.ResultWindow-offset {
		return c.block(ctx, p)
	}
	p.RetStart, p.RetMax = 0, 0
	first, err := c.Search(ctx, p)
	if err != nil {
		return nil, err
	}
	switch {
	case offset >= first.Count:
		return first, nil
	case first.Count <= record.ResultWindow:
		p.RetStart, p.RetMax = offset, first.Count-offset
		return c.block(ctx, p)
	case p.Sort != "pub_date":
		return nil, httpclient.Invalidf("PubMed returns only the first 9,999 results; later ones can be listed by "+
			"publication date (sort pub_date), not by %s", cmp.Or(strings.ReplaceAll(p.Sort, "_", " "), "relevance"))
	}
	w := &pager{client: c, slicer: newSlicer(p, "dp"), skip: offset, missing: min(limit, first.Count-offset)}
	dated, err := w.visit(ctx, w.slicer.eras, unknown)
	if err == nil && w.missing > 0 {
		_, err = w.visit(ctx, slice{undated: true}, otherHalf(first.Count, dated))
	}
	if err != nil {
		return nil, err
	}
	first.IDs = ncbi.List(w.ids)
	return first, nil
}

// block returns a page within the first 9,999 results.
func (c *Client) block(ctx context.Context, p SearchParams) (*SearchResult, error) {
	if cmp.Or(p.Sort, "relevance") == "relevance" {
		return c.Search(ctx, p)
	}
	from, to := p.RetStart, p.RetStart+p.RetMax
	p.RetStart, p.RetMax = 0, record.ResultWindow
	found, err := c.Search(ctx, p)
	if err != nil {
		return nil, err
	}
	n := len(found.IDs)
	found.IDs = found.IDs[min(from, n):min(to, n)]
	return found, nil
}

// pager is the state of a SearchPage.
type pager struct {
	client        *Client
	slicer        *slicer
	skip, missing int // results before the page, and results still missing from it
	ids           []string
}

// visit appends the part of the page that lies in a slice, and returns the number of records in the
// slice. count is that number if known.
func (w *pager) visit(ctx context.Context, part slice, count int) (int, error) {
	if w.missing == 0 {
		return count, nil
	}
	p := w.slicer.params(part)
	if count == unknown {
		found, err := w.client.Search(ctx, p)
		if err != nil {
			return 0, err
		}
		count = found.Count
	}
	if w.skip >= count {
		w.skip -= count
		return count, nil
	}
	if want := min(w.missing, count-w.skip); w.skip+want <= record.ResultWindow {
		p.RetStart, p.RetMax = w.skip, want
		found, err := w.client.block(ctx, p)
		if err != nil {
			return 0, err
		}
		w.ids = append(w.ids, found.IDs...)
		w.skip, w.missing = 0, w.missing-want
		return count, nil
	}
	newer, older, ok := part.split()
	if !ok {
		p.RetMax = record.ResultWindow
		found, err := w.client.Search(ctx, p)
		if err != nil {
			return 0, err
		}
		if newer, older, ok = part.splitUID(found.IDs); !ok {
			w.skip -= min(w.skip, count) // NCBI counts more than can be there
			return count, nil
		}
	}
	n, err := w.visit(ctx, newer, unknown)
	if err == nil {
		_, err = w.visit(ctx, older, otherHalf(count, n))
	}
	return count, err
}
