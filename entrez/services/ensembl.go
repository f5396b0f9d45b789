package services

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/variation"
)

// Ensembl's variant recoder converts changes named on sequences of Ensembl or LRG, which NCBI cannot parse
// (https://rest.ensembl.org/documentation/info/variant_recoder). The data are open.

// Ensembl describes Ensembl, which allows 15 requests a second. Its replies use GRCh38.
var Ensembl = httpclient.Source{
	Name: "ensembl", Label: "Ensembl", Address: "https://rest.ensembl.org/",
	Rate: httpclient.Rate{Group: "ensembl", PerSecond: 5}, CheckReply: judgeEnsembl, Ping: recodeCall("rs113488022"),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call:     recodeCall("rs113488022"),
			Facts:    []httpclient.Fact{{Path: "0.T.spdi.0", Value: "NC_000007.14:140753335:A:T"}},
			Evidence: "the shape in a document; this answer not seen",
		}}
	},
	Dependencies: []httpclient.Dependency{{Path: "variant_recoder/human/*", Params: "content-type fields", Reply: "*.spdi",
		Evidence: "document, https://rest.ensembl.org/documentation/info/variant_recoder"}},
}

var recoder = httpclient.Endpoint{Op: "variant recoder", Form: httpclient.JSON, MaxBytes: 4 << 20, TTL: 7 * 24 * time.Hour,
	Needs: []string{"#"}}

func recodeCall(name string) *httpclient.Call {
	return httpclient.NewCall(recoder.WithPath("variant_recoder/human/"+name), "content-type", "application/json", "fields",
		"spdi")
}

// judgeEnsembl recognizes {"error":"..."}, which comes with status 400.
func judgeEnsembl(r httpclient.Reply) *httpclient.Verdict {
	text := r.JSONField("error")
	if r.Status != http.StatusBadRequest || text == "" {
		return nil
	}
	return &httpclient.Verdict{Kind: httpclient.Refused, Text: "says: " + httpclient.Plain(text)}
}

// SPDI returns the genomic change described by a name such as ENST00000646891.2:c.1799T>A. A
// protein change may correspond to several genomic changes; the error then lists them.
func SPDI(ctx context.Context, c *httpclient.Client, name string) (variation.SPDI, error) {
	call := recodeCall(name)
	reply, err := ncbi.GetJSON(ctx, c.Service(&Ensembl), call)
	if err != nil {
		return variation.SPDI{}, err
	}
	var texts []string
	for _, result := range reply.Each("@this") { // {"<allele>":{"spdi":["..."]}}
		for _, allele := range result.Map() {
			for _, t := range (ncbi.Object{Result: allele}).Texts("spdi") {
				if _, ok := variation.Parse(t); ok && !slices.Contains(texts, t) {
					texts = append(texts, t)
				}
			}
		}
	}
	slices.Sort(texts)
	switch len(texts) {
	case 0:
		return variation.SPDI{}, call.UnreadableError(fmt.Errorf("no SPDI of %s", name))
	case 1:
		s, _ := variation.Parse(texts[0])
		return s, nil
	}
	return variation.SPDI{}, call.NewError(httpclient.Refused,
		fmt.Sprintf("%s may be %d changes: %s", name, len(texts), texts))
}
