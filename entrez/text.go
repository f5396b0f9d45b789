package entrez

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/pubmed"
)

// TextFormat is a format in which NCBI returns PubMed records.
type TextFormat string

const (
	Abstract TextFormat = "abstract" // the website's abstract text
	Medline  TextFormat = "medline"  // MEDLINE tags (NBIB)
	XML      TextFormat = "xml"      // PubmedArticleSet
)

// NativeText is NCBI's text of some records, unchanged. Missing lists the IDs that the text does not
// contain; NCBI omits unknown records without a message.
type NativeText struct {
	Text    string
	Missing []string
	URL     string
}

// FetchText returns NCBI's own text of up to 200 records. It returns an error of kind NotFound if
// NCBI has none of them.
func (c *Client) FetchText(ctx context.Context, ids []string, format TextFormat) (*NativeText, error) {
	ids, err := ncbi.UIDs(ids)
	if err != nil {
		return nil, err
	}
	if len(ids) > FetchBatch {
		return nil, httpclient.Invalidf("NCBI's own text is given for up to %d records at a time, not %d", FetchBatch,
			len(ids))
	}
	e := efetch
	var r *httpclient.Call
	switch format {
	case XML:
		r = httpclient.NewCall(e, "db", "pubmed", "retmode", "xml")
	case Abstract, Medline:
		e.Form = httpclient.Text
		r = httpclient.NewCall(e, "db", "pubmed", "retmode", "text", "rettype", string(format))
	default:
		return nil, httpclient.Invalidf("unknown text format %q; available: abstract, medline, xml", format)
	}
	setIDs(r, ids)
	absent := func(body []byte) []string {
		there := pmidsIn(body, format)
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return there[id] })
	}
	r.Cacheable = func(body []byte) bool { return len(absent(body)) == 0 } // as in Fetch
	body, err := c.sendFetch(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &NativeText{Text: string(body), Missing: absent(body), URL: r.URL}
	switch {
	case len(out.Missing) < len(ids):
		return out, nil
	case format == XML || body == nil: // an empty set, or NCBI's message
		return nil, r.NewError(httpclient.NotFound, "PubMed has no records with the IDs "+shortList(ids))
	case len(bytes.TrimSpace(body)) == 0: // only XML says whether there are records
		if _, err := c.FetchText(ctx, ids, XML); err != nil {
			return nil, err
		}
	}
	return nil, r.UnreadableError(errors.New("it does not contain any record"))
}

// Patterns of the PMID of a record: "PMID- 1" begins a MEDLINE record, and "PMID: 1" ends an
// abstract, on its own line or after other identifiers.
var (
	medlinePMID  = pattern.Lazy(`(?m)^PMID- *([0-9]+)`)
	abstractPMID = pattern.Lazy(`(?m)^(?:DOI: \S+ )?(?:PMCID: \S+ )?PMID: ([0-9]+)`)
)

// pmidsIn returns the PMIDs of the records in a text.
func pmidsIn(body []byte, format TextFormat) map[string]bool {
	there := map[string]bool{}
	if format == XML { // XML also contains the PMIDs of other records
		for item, err := range pubmed.Scan(bytes.NewReader(body)) {
			var broken *pubmed.RecordError
			switch {
			case item.Article != nil:
				there[item.Article.PMID] = true
			case errors.As(err, &broken): // NCBI sent it, although it cannot be parsed
				there[broken.PMID] = true
			}
		}
		return there
	}
	form := medlinePMID()
	if format == Abstract {
		form = abstractPMID()
	}
	for _, m := range form.FindAllSubmatch(body, -1) {
		there[string(m[1])] = true
	}
	return there
}

// shortList lists the first few IDs for a message.
func shortList(ids []string) string {
	const some = 5
	if len(ids) > some {
		return strings.Join(ids[:some], ", ") + ", ..."
	}
	return strings.Join(ids, ", ")
}

// VCV returns the ClinVar record of a variant by its VariationID, with every submission. It is XML
// of 10 to 440 kB in ClinVar's schema.
func (c *Client) VCV(ctx context.Context, variationID string) ([]byte, error) {
	r := httpclient.NewCall(efetch, "db", "clinvar", "rettype", "vcv", "is_variationid", "")
	r.Params["is_variationid"] = []string{""}
	r.TTL = day
	setIDs(r, []string{variationID})
	return c.send(ctx, r)
}
