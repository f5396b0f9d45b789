package entrez

import (
	"context"
	"slices"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/polite"
)

// doiBatch is how many DOIs one ESearch is asked for, by POST. They are all
// described by one ESummary.
const doiBatch = 100

// FindDOIs searches PubMed for DOIs and returns the PMIDs of the records that
// have them by their own ESummary, under each DOI as it was given; DOIs do not
// depend on case. A DOI that no record has is absent, one that several claim has
// several PMIDs. It takes two requests for each 100 DOIs.
func (c *Client) FindDOIs(ctx context.Context, dois []string) (map[string][]string, error) {
	out := map[string][]string{}
	for _, doi := range dois {
		if strings.TrimSpace(doi) == "" || strings.ContainsAny(doi, `"[]`) {
			return nil, polite.Invalidf(esearch.Op, "%s is not a DOI", ncbi.ShortQuote(doi))
		}
	}
	for batch := range slices.Chunk(dois, doiBatch) {
		if err := c.findDOIs(ctx, batch, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// findDOIs searches one batch. PubMed takes a quoted phrase that it does not
// know apart into words, which then find records without end; such a batch is
// halved until what is known is apart from what is not.
func (c *Client) findDOIs(ctx context.Context, dois []string, out map[string][]string) error {
	found, err := c.Search(ctx, SearchParams{Term: `"` + strings.Join(dois, `"[AID] OR "`) + `"[AID]`, RetMax: summaryCap})
	if err != nil || len(found.IDs) == 0 {
		return err
	}
	if half := len(dois) / 2; found.Count > len(found.IDs) && half > 0 {
		if err := c.findDOIs(ctx, dois[:half], out); err != nil {
			return err
		}
		return c.findDOIs(ctx, dois[half:], out)
	}
	sums, err := c.Summaries(ctx, "pubmed", found.IDs)
	if err != nil {
		return err
	}
	byDOI := map[string][]string{}
	for _, s := range sums.Items {
		key := strings.ToLower(s.DOI)
		byDOI[key] = append(byDOI[key], s.UID)
	}
	for _, doi := range dois {
		if pmids := byDOI[strings.ToLower(doi)]; len(pmids) > 0 {
			out[doi] = slices.Sorted(slices.Values(pmids))
		}
	}
	return nil
}
