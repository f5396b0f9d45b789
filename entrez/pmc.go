package entrez

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

var pmcidForm = pattern.Lazy(`^(?i:PMC)?([1-9][0-9]{0,9})(\.[0-9]+)?$`)

// FullText returns the <article> element of one article from PMC, in JATS XML. It returns an error
// of kind NotFound if PMC does not have the article or may not distribute its text (NCBI then sends
// the front matter and a remark).
func (c *Client) FullText(ctx context.Context, pmcid string) ([]byte, error) {
	m := pmcidForm().FindStringSubmatch(strings.TrimSpace(pmcid))
	if m == nil {
		return nil, httpclient.Invalidf("%s is not a PMCID such as PMC3531190", ncbi.ShortQuote(pmcid))
	}
	r := httpclient.NewCall(efetch, "db", "pmc", "id", m[1], "retmode", "xml")
	r.Cacheable = func(body []byte) bool { _, err := parseFullText(body); return err == nil }
	body, err := c.sendFetch(ctx, r)
	if err != nil {
		return nil, err
	}
	article, err := parseFullText(body)
	if errors.Is(err, errWithheld) {
		return nil, r.NewError(httpclient.NotFound, withheldMessage("PMC"+m[1]))
	}
	if err != nil {
		return nil, r.NewError(httpclient.NotFound, "PMC has no article PMC"+m[1])
	}
	return article, nil
}

// FindPMCIDs returns the PMIDs of articles in PMC by their PMCIDs, from ESummary. It makes one request
// for each 500 PMCIDs. An article that PMC does not have, or that has no PMID, is absent.
func (c *Client) FindPMCIDs(ctx context.Context, pmcids []string) (map[string]string, error) {
	number := map[string]string{} // PMCIDs by the number that is the UID in PMC
	for _, id := range pmcids {
		m := pmcidForm().FindStringSubmatch(strings.TrimSpace(id))
		if m == nil {
			return nil, httpclient.Invalidf("%s is not a PMCID such as PMC3531190", ncbi.ShortQuote(id))
		}
		number[m[1]] = id
	}
	docs, err := c.Docs(ctx, "pmc", slices.Sorted(maps.Keys(number)))
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, d := range docs.Items {
		for _, id := range d.Each("articleids") {
			if pmid := id.Text("value"); id.Text("idtype") == "pmid" && ncbi.UIDForm().MatchString(pmid) {
				found[number[d.UID]] = pmid
			}
		}
	}
	return found, docs.Unread()
}

// withheldMessage returns the message for an article whose text PMC may not distribute.
func withheldMessage(pmcid string) string {
	return "PMC has the article " + pmcid + ", but its publisher does not allow the full text to be downloaded"
}

var (
	errWithheld = errors.New("the publisher withholds the text")
	errNoText   = errors.New("no article")

	articleStart = pattern.Lazy(`<article[\s>]`)
)

// parseFullText extracts the article from a pmc-articleset.
func parseFullText(body []byte) ([]byte, error) {
	const end = "</article>"
	start := articleStart().FindIndex(body)
	last := bytes.LastIndex(body, []byte(end))
	if start == nil || last < start[0] {
		return nil, errNoText
	}
	remark := bytes.Contains(body, []byte("does not allow downloading of the full text"))
	if remark && !bytes.Contains(body, []byte("<body")) {
		return nil, errWithheld
	}
	return body[start[0] : last+len(end)], nil
}
