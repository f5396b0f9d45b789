package services

import (
	"context"
	"net/http"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
)

// LitVar2 finds articles that name a variant by text mining in PubMed and PMC
// (https://www.ncbi.nlm.nih.gov/research/litvar2/). Data are in the public domain. This package uses the calls
// that return JSON; LitVar2's list of the variants of a gene is a text of Python dictionaries.

// LitVar describes LitVar2, which states no rate limit; it gets that of PubTator3.
var LitVar = httpclient.Source{
	Name: "litvar", Label: "LitVar2", Address: "https://www.ncbi.nlm.nih.gov/research/litvar2-api/",
	Rate: httpclient.Rate{Group: "litvar", PerSecond: 3}, CheckReply: judgeLitVar,
	Ping: httpclient.NewCall(autocomplete, "query", "rs113488022"),
	Dependencies: []httpclient.Dependency{
		{Path: "variant/autocomplete/", Params: "query", Reply: "_id name gene", Evidence: "capture of litvar2"},
		{Path: "variant/get/*/publications", Reply: "pmids", Evidence: "capture of litvar2"},
	},
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call:     httpclient.NewCall(autocomplete, "query", "rs113488022"),
			Facts:    []httpclient.Fact{{Path: "0._id", Value: "litvar@rs113488022##"}, {Path: "0.gene.0", Value: "BRAF"}},
			Evidence: "capture",
		}}
	},
}

var (
	autocomplete = httpclient.Endpoint{Op: "autocomplete", Path: "variant/autocomplete/", Form: httpclient.JSON,
		MaxBytes: 4 << 20, TTL: 24 * time.Hour, Needs: []string{"#._id"}}
	publications = httpclient.Endpoint{Op: "publications", Form: httpclient.JSON, MaxBytes: 16 << 20, TTL: 24 * time.Hour,
		Needs: []string{"pmids.#"}}
)

// judgeLitVar recognizes {"detail":"Variant not found: rs1234"}, whatever its status.
func judgeLitVar(r httpclient.Reply) *httpclient.Verdict {
	switch detail := r.JSONField("detail"); {
	case strings.HasPrefix(detail, "Variant not found"):
		return &httpclient.Verdict{Kind: httpclient.NotFound, Text: "has no such variant"}
	case detail != "" && r.Status < http.StatusInternalServerError && r.Status != http.StatusTooManyRequests:
		return &httpclient.Verdict{Kind: httpclient.Refused, Text: "says: " + httpclient.Plain(detail)}
	}
	return nil
}

// LitVarVariant is a variant in LitVar2.
type LitVarVariant struct {
	ID, Name string
	Genes    []string
}

// LitVarID returns LitVar2's ID of the variant with an rs number.
func LitVarID(rsid string) string { return "litvar@" + rsid + "##" }

// FindVariants returns the variants that a text such as "BRAF V600E" may mean.
func FindVariants(ctx context.Context, c *httpclient.Client, text string) ([]LitVarVariant, error) {
	reply, err := ncbi.GetJSON(ctx, c.Service(&LitVar), httpclient.NewCall(autocomplete, "query", text))
	if err != nil {
		return nil, err
	}
	out := []LitVarVariant{}
	for _, v := range reply.Each("@this") {
		out = append(out, LitVarVariant{v.Text("_id"), v.Text("name"), v.Texts("gene")})
	}
	return out, nil
}

// VariantArticles returns the PMIDs of the articles that name a variant. It returns none if LitVar2 does
// not know the variant.
func VariantArticles(ctx context.Context, c *httpclient.Client, id string) ([]string, error) {
	reply, err := ncbi.GetJSON(ctx, c.Service(&LitVar), httpclient.NewCall(publications.WithPath("variant/get/"+id+"/publications")))
	if err != nil && !httpclient.IsKind(err, httpclient.NotFound) {
		return nil, err
	}
	return reply.Texts("pmids"), nil
}
