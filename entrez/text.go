package entrez

import (
	"bytes"
	"context"
	"strings"

	"biomcp/entrez/polite"
)

// TextFormat is one of NCBI's own renderings of PubMed records.
type TextFormat string

const (
	Abstract TextFormat = "abstract" // as the website's abstract text
	Medline  TextFormat = "medline"  // MEDLINE tags, which is NBIB
	XML      TextFormat = "xml"      // PubmedArticleSet
)

// FetchText returns NCBI's own text of up to 200 records, as it is. Ids that
// NCBI does not have are simply not in it; where it has none, NotFound.
func (c *Client) FetchText(ctx context.Context, ids []string, format TextFormat) (string, error) {
	ids, err := uids(efetch.op, ids)
	if err != nil {
		return "", err
	}
	if len(ids) > fetchBatch {
		return "", invalid(efetch.op, "NCBI's own text is given for up to %d records at a time, not %d", fetchBatch, len(ids))
	}
	e := efetch
	var r *request
	switch format {
	case XML:
		r = newRequest(e, "db", "pubmed", "retmode", "xml")
	case Abstract, Medline:
		e.form = polite.Text
		r = newRequest(e, "db", "pubmed", "retmode", "text", "rettype", string(format))
	default:
		return "", invalid(efetch.op, "no text format %q; formats: abstract, medline, xml", format)
	}
	r.setIDs("id", ids)
	r.keep = func(body []byte) bool { // as in Fetch: nothing that lacks a record
		return countRecords(body) >= len(ids) || len(pmidLine().FindAll(body, -1)) >= len(ids)
	}
	body, err := c.sendFetch(ctx, r)
	if err != nil {
		return "", err
	}
	if len(bytes.TrimSpace(body)) == 0 || format == XML && countRecords(body) == 0 {
		return "", r.error(NotFound, "PubMed has none of the records "+shortList(ids))
	}
	return string(body), nil
}

// pmidLine is where a text says whose it is: "PMID- 1" in MEDLINE, "PMID: 1" at
// the end of an abstract.
var pmidLine = lazily(`(?m)^(?:.*\s)?PMID[:-] [0-9]+\b`)

// shortList names some ids in a sentence.
func shortList(ids []string) string {
	const some = 5
	if len(ids) > some {
		return strings.Join(ids[:some], ", ") + ", ..."
	}
	return strings.Join(ids, ", ")
}
