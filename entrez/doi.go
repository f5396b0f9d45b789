package entrez

import (
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// doiBatch is the number of DOIs in one ESearch, which is sent by POST. One ESummary describes all
// of them.
const doiBatch = 100

// FindDOIs returns the PMIDs of the records with the given DOIs, as confirmed by their ESummary.
// The keys are the DOIs as given; their case does not matter. A DOI without a record is absent; a
// DOI that several records claim has several PMIDs. FindDOIs makes two requests for each 100 DOIs,
// and up to two more for those with brackets.
func (c *Client) FindDOIs(ctx context.Context, dois []string) (map[string][]string, error) {
	out := map[string][]string{}
	var plain, bracketed []string
	for _, doi := range dois {
		switch {
		case strings.TrimSpace(doi) == "" || strings.Contains(doi, `"`):
			return nil, httpclient.Invalidf("%s is not a DOI", ncbi.ShortQuote(doi))
		case strings.ContainsAny(doi, "[]"):
			bracketed = append(bracketed, doi)
		default:
			plain = append(plain, doi)
		}
	}
	for batch := range slices.Chunk(plain, doiBatch) {
		if err := c.findDOIs(ctx, batch, wholeDOI, out); err != nil {
			return nil, err
		}
	}
	for batch := range slices.Chunk(bracketed, doiBatch) {
		if err := c.findBracketed(ctx, batch, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// findBracketed searches DOIs with brackets (10.1892/0891-6640(2006)20[1389:r]2.0.co;2), separately
// from the others. PubMed may read a bracket as a field, even in quotation marks, and refuse the
// query or find nothing. DOIs that it does not find are searched again with spaces instead of
// brackets, which PubMed treats as the same phrase.
func (c *Client) findBracketed(ctx context.Context, dois []string, out map[string][]string) error {
	var e *httpclient.Error
	if err := c.findDOIs(ctx, dois, wholeDOI, out); err != nil && (!errors.As(err, &e) || e.Kind != httpclient.Refused) {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(dois), func(doi string) bool { return len(out[doi]) > 0 })
	if len(missing) == 0 {
		return nil
	}
	return c.findDOIs(ctx, missing, strings.NewReplacer("[", " ", "]", " ").Replace, out)
}

func wholeDOI(doi string) string { return doi }

// findDOIs searches one batch. PubMed splits an unknown quoted phrase into words, which match a
// huge number of records. Such a batch is halved until known and unknown DOIs are separate.
func (c *Client) findDOIs(
	ctx context.Context, dois []string, word func(doi string) string, out map[string][]string,
) error {
	words := make([]string, len(dois))
	for i, doi := range dois {
		words[i] = word(doi)
	}
	found, err := c.Search(ctx, SearchParams{Term: `"` + strings.Join(words, `"[AID] OR "`) + `"[AID]`,
		RetMax: summaryCap})
	if err != nil || len(found.IDs) == 0 {
		return err
	}
	if half := len(dois) / 2; found.Count > len(found.IDs) && half > 0 {
		if err := c.findDOIs(ctx, dois[:half], word, out); err != nil {
			return err
		}
		return c.findDOIs(ctx, dois[half:], word, out)
	}
	sums, err := c.Summaries(ctx, found.IDs)
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
