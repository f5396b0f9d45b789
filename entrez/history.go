package entrez

import (
	"bytes"
	"context"
	"errors"
	"strconv"

	"biomcp/entrez/polite"
	"biomcp/entrez/pubmed"
)

// FetchFound makes one EFetch for n records of a search that was kept on the
// history server (SearchParams.History), from the given place on, in the order of
// the search. PubMed gives out the first 9,999 places. Nothing of it is cached. A
// session that has ended is an error of kind Refused. Records that cannot be read
// are in Broken; an answer that is too long to be read is asked for in halves.
func (c *Client) FetchFound(ctx context.Context, found *SearchResult, from, n int) (*Fetched, error) {
	if found.WebEnv == "" || found.QueryKey == "" || from < 0 || n < 1 {
		return nil, polite.Invalidf(efetch.Op, "a search that was not kept on the history server has no records %d to %d", from, from+n)
	}
	r := polite.NewCall(efetch, "db", "pubmed", "retmode", "xml", "WebEnv", found.WebEnv, "query_key", found.QueryKey,
		"retstart", strconv.Itoa(from), "retmax", strconv.Itoa(n))
	r.TTL = 0
	body, err := c.sendFetch(ctx, r)
	if half := n / 2; half > 0 && errors.Is(err, polite.ErrTooLong) {
		first, err := c.FetchFound(ctx, found, from, half)
		if err != nil {
			return nil, err
		}
		second, err := c.FetchFound(ctx, found, from+half, n-half)
		if err != nil {
			return nil, err
		}
		first.Articles, first.Broken = append(first.Articles, second.Articles...), append(first.Broken, second.Broken...)
		return first, nil
	}
	if err != nil {
		return nil, err
	}
	out := &Fetched{Articles: []*pubmed.Article{}, Broken: []*pubmed.RecordError{}, URLs: []string{r.URL}, Method: r.Method}
	if len(body) == 0 {
		return out, nil
	}
	for item, err := range pubmed.Scan(bytes.NewReader(body)) {
		var broken *pubmed.RecordError
		switch {
		case errors.As(err, &broken):
			out.Broken = append(out.Broken, broken)
		case err != nil:
			return nil, r.Unreadable(errors.New(polite.Redact(err.Error())))
		case item.Article != nil:
			out.Articles = append(out.Articles, item.Article)
		}
	}
	return out, nil
}
