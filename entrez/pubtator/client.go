package pubtator

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// Source describes PubTator3. It allows 3 requests a second and takes no key.
var Source = httpclient.Source{
	Name: "pubtator", Label: "PubTator3", Address: "https://www.ncbi.nlm.nih.gov/research/pubtator3-api/",
	Rate: httpclient.Rate{Group: "pubtator", PerSecond: 3}, CheckReply: judge, Cacheable: ncbi.Cacheable,
	Ping: httpclient.NewCall(export, "pmids", "1"),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: httpclient.NewCall(export, "pmids", "22663011"),
			Facts: []httpclient.Fact{{Path: "PubTator3.0.id", Value: "22663011"},
				{Path: "PubTator3.0.passages.0.annotations.0.infons.type", Value: "Gene"}},
			Evidence: "capture of pubtator, 2026-07-30",
		}}
	},
	Dependencies: []httpclient.Dependency{
		{Path: "publications/export/biocjson", Params: "pmids", Reply: exportParts,
			Evidence: "capture of pubtator, 2026-07-30"},
		{Path: "entity/autocomplete/", Params: "query limit", Reply: "_id biotype db db_id name match",
			Evidence: "capture of pubtator, 2026"},
		{Path: "relations", Params: "e1 type e2", Reply: "type source target publications",
			Evidence: "document, https://www.ncbi.nlm.nih.gov/research/pubtator3/api"},
	},
}

// export is the endpoint for annotations. Its replies may have up to 64 MB. PubTator3 updates the
// annotations a few times a year.
var export = httpclient.Endpoint{
	Op: "annotations", Path: "publications/export/biocjson", Form: httpclient.JSON, MaxBytes: 64 << 20,
	TTL: 7 * 24 * time.Hour, Needs: []string{"PubTator3"},
}

// maxExport is the maximum number of articles in one GET.
const maxExport = 100

// judge recognizes PubTator3's two replies for unknown articles and its error message in place of
// documents.
func judge(r httpclient.Reply) *httpclient.Verdict {
	if r.Status == http.StatusBadRequest && bytes.Contains(r.Body, []byte("Could not retrieve publications")) {
		r.Status = http.StatusNotFound
	}
	if v := absent(r); v != nil {
		return v
	}
	if why := cmp.Or(r.JSONField("detail"), r.JSONField("message")); r.Status == http.StatusOK && why != "" {
		return &httpclient.Verdict{Kind: httpclient.Refused, Text: httpclient.ErrorText(why)}
	}
	return ncbi.CheckReply(r)
}

var absent = httpclient.NotFoundOn404("does not have the articles")

// Annotations returns PubTator3's annotations of articles. It returns a document for each article
// that PubTator3 has, in the order of the service. The error is a *httpclient.Error.
func Annotations(ctx context.Context, c *httpclient.Client, pmids []string) ([]Document, error) {
	pmids, err := ncbi.UIDs(pmids)
	if err != nil {
		return nil, err
	}
	docs := []Document{}
	step := httpclient.BeginTask(ctx, "annotated articles", len(pmids))
	for batch := range slices.Chunk(pmids, maxExport) {
		call := httpclient.NewCall(export, "pmids", strings.Join(batch, ","))
		call.Cacheable = func(body []byte) bool { // a new article may be annotated later
			docs, err := Parse(body)
			return err == nil && len(docs) >= len(batch)
		}
		body, err := c.Service(&Source).Do(ctx, call)
		if err != nil && !httpclient.IsKind(err, httpclient.NotFound) {
			return nil, err
		}
		for range batch {
			step()
		}
		if err != nil { // none of the articles is known
			continue
		}
		found, err := Parse(httpclient.EscapeControls(body))
		if err != nil {
			return nil, call.UnreadableError(err)
		}
		docs = append(docs, found...)
	}
	return docs, nil
}
