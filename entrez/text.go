package entrez

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubmed"
)

// TextFormat is one of NCBI's own renderings of PubMed records.
type TextFormat string

const (
	Abstract TextFormat = "abstract" // as the website's abstract text
	Medline  TextFormat = "medline"  // MEDLINE tags, which is NBIB
	XML      TextFormat = "xml"      // PubmedArticleSet
)

// OwnText is NCBI's text of some records, unchanged. Missing are the ids that it
// says nothing about: NCBI leaves out what it does not have without a word.
type OwnText struct {
	Text    string
	Missing []string
	URL     string
}

// FetchText returns NCBI's own text of up to 200 records; where it has none of
// them, NotFound.
func (c *Client) FetchText(ctx context.Context, ids []string, format TextFormat) (*OwnText, error) {
	ids, err := ncbi.UIDs(ids)
	if err != nil {
		return nil, err
	}
	if len(ids) > FetchBatch {
		return nil, polite.Invalidf("NCBI's own text is given for up to %d records at a time, not %d", FetchBatch,
			len(ids))
	}
	e := efetch
	var r *polite.Call
	switch format {
	case XML:
		r = polite.NewCall(e, "db", "pubmed", "retmode", "xml")
	case Abstract, Medline:
		e.Form = polite.Text
		r = polite.NewCall(e, "db", "pubmed", "retmode", "text", "rettype", string(format))
	default:
		return nil, polite.Invalidf("no text format %q; formats: abstract, medline, xml", format)
	}
	setIDs(r, ids)
	absent := func(body []byte) []string {
		there := pmidsIn(body, format)
		return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return there[id] })
	}
	r.Keep = func(body []byte) bool { return len(absent(body)) == 0 } // as in Fetch
	body, err := c.sendFetch(ctx, r)
	if err != nil {
		return nil, err
	}
	out := &OwnText{Text: string(body), Missing: absent(body), URL: r.URL}
	switch {
	case len(bytes.TrimSpace(body)) > 0 && format != XML && len(pmidsIn(body, format)) == 0:
		return nil, r.Unreadable(errors.New("it is no text of records"))
	case len(out.Missing) == len(ids):
		return nil, r.Fail(polite.NotFound, "PubMed has none of the records "+shortList(ids))
	}
	return out, nil
}

// Where a text says whose it is: "PMID- 1" opens a record of MEDLINE, "PMID: 1"
// ends an abstract, alone on its line or behind other identifiers.
var (
	medlinePMID  = pattern.Lazy(`(?m)^PMID- *([0-9]+)`)
	abstractPMID = pattern.Lazy(`(?m)^(?:DOI: \S+ )?(?:PMCID: \S+ )?PMID: ([0-9]+)`)
)

// pmidsIn are the records of a text.
func pmidsIn(body []byte, format TextFormat) map[string]bool {
	there := map[string]bool{}
	if format == XML { // which holds the PMIDs of other records too
		for item, err := range pubmed.Scan(bytes.NewReader(body)) {
			var broken *pubmed.RecordError
			switch {
			case item.Article != nil:
				there[item.Article.PMID] = true
			case errors.As(err, &broken): // it is there, as NCBI sent it
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

// shortList names some ids in a sentence.
func shortList(ids []string) string {
	const some = 5
	if len(ids) > some {
		return strings.Join(ids[:some], ", ") + ", ..."
	}
	return strings.Join(ids, ", ")
}

// VCV is the record of a variant of ClinVar, by its VariationID, with every
// submission: XML of 10 to 440 kB, as ClinVar's schema describes it.
func (c *Client) VCV(ctx context.Context, variationID string) ([]byte, error) {
	r := polite.NewCall(efetch, "db", "clinvar", "rettype", "vcv", "is_variationid", "")
	r.Params["is_variationid"] = []string{""}
	r.TTL = day
	setIDs(r, []string{variationID})
	return c.send(ctx, r)
}
