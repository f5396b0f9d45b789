package services

import (
	"context"
	"net/http"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// Reactome (https://reactome.org/ContentService, CC0) lists the pathways that a protein takes part in.

// Reactome describes Reactome, which states no rate limit.
var Reactome = httpclient.Source{
	Name: "reactome", Label: "Reactome", Address: "https://reactome.org/ContentService/",
	Rate: httpclient.Rate{Group: "reactome", PerSecond: 3}, CheckReply: judgeReactome, Ping: pathwaysCall("P15056"),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call:     pathwaysCall("P15056"),
			Facts:    []httpclient.Fact{{Path: "0.stId"}, {Path: "0.displayName"}},
			Evidence: "the members in a capture of reactome, 2026-08-11; the address in public clients",
		}}
	},
	Dependencies: []httpclient.Dependency{{Path: "data/mapping/UniProt/*/pathways", Reply: "stId displayName isInDisease",
		Evidence: "document, https://reactome.org/ContentService/"}},
}

// judgeReactome recognizes the reply for a protein without a pathway: status 404 and JSON.
func judgeReactome(r httpclient.Reply) *httpclient.Verdict {
	if r.Status == http.StatusNotFound && r.JSONField("code") == "404" {
		return &httpclient.Verdict{Kind: httpclient.NotFound, Text: "has no pathway with this protein"}
	}
	return nil
}

// Pathway is a pathway. InDisease marks one that is altered in a disease.
type Pathway struct {
	ID        string `json:"id"` // R-HSA-5673001
	Name      string `json:"name"`
	InDisease bool   `json:"in_disease"`
	URL       string `json:"url"`
}

var accession = pattern.Lazy(`^[A-Z0-9]{6,10}$`)

func pathwaysCall(protein string) *httpclient.Call {
	return httpclient.NewCall(httpclient.Endpoint{
		Op: "pathways", Path: "data/mapping/UniProt/" + protein + "/pathways", Form: httpclient.JSON,
		TTL: 7 * 24 * time.Hour, Needs: []string{"#.stId"},
	})
}

// Pathways returns the pathways of a protein, given its UniProt accession: the most specific ones
// of its species. The list may be empty. The error is a *httpclient.Error.
func Pathways(ctx context.Context, c *httpclient.Client, protein string) ([]Pathway, error) {
	if !accession().MatchString(protein) {
		return nil, httpclient.Invalidf("%q is not a UniProt accession", protein)
	}
	reply, err := ncbi.GetJSON(ctx, c.Service(&Reactome), pathwaysCall(protein))
	if httpclient.IsKind(err, httpclient.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var out []Pathway
	for _, p := range reply.Each("@this") {
		id := p.Text("stId")
		out = append(out, Pathway{id, p.Text("displayName"), p.Get("isInDisease").Bool(),
			"https://reactome.org/content/detail/" + id})
	}
	return out, nil
}
