package services

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/ncbi"
	"biomcp/entrez/pattern"
)

// The Ontology Lookup Service of EMBL-EBI (https://www.ebi.ac.uk/ols4/help) finds the name of an ID of the
// Disease Ontology, which MedGen does not have. The ontology is CC0.

// OLS describes OLS4, which states no rate limit.
var OLS = httpclient.Source{
	Name: "ols", Label: "Ontology Lookup Service", Address: "https://www.ebi.ac.uk/ols4/api/",
	Rate: httpclient.Rate{Group: "ols", PerSecond: 3}, Ping: diseaseCall("DOID:14323"),
	Expectations: func() []httpclient.Expectation {
		return []httpclient.Expectation{{
			Call: diseaseCall("DOID:14323"),
			Facts: []httpclient.Fact{{Path: "response.docs.0.obo_id", Value: "DOID:14323"},
				{Path: "response.docs.0.label", Value: "Marfan syndrome"}},
			Evidence: "the shape in captures of ols4, 2026-08-11; this answer not seen",
		}}
	},
	Dependencies: []httpclient.Dependency{
		{Path: "search", Params: "q ontology rows", Reply: "response.docs.{obo_id,label}",
			Evidence: "captures of ols4, 2026-08-11"},
		{Path: "search", Params: "queryFields exact", Evidence: "document, https://www.ebi.ac.uk/ols4/help"},
	},
}

func diseaseCall(id string) *httpclient.Call {
	return httpclient.NewCall(httpclient.Endpoint{Op: "search", Path: "search", Form: httpclient.JSON, TTL: 7 * 24 * time.Hour,
		Needs: []string{"response.docs.#.obo_id"}},
		"q", id, "ontology", "doid", "queryFields", "obo_id", "exact", "true", "rows", "5")
}

var doidForm = pattern.Lazy(`(?i)^DOID[:_]\s*([0-9]{1,8})$`)

// ParseDOID parses an ID of the Disease Ontology such as DOID:14323.
func ParseDOID(word string) (id string, ok bool) {
	m := doidForm().FindStringSubmatch(strings.TrimSpace(word))
	if m == nil {
		return "", false
	}
	return "DOID:" + m[1], true
}

// DiseaseLabel returns the name of a disease in the Disease Ontology, or "" if it has none. The error is a
// *httpclient.Error.
func DiseaseLabel(ctx context.Context, c *httpclient.Client, id string) (string, error) {
	call := diseaseCall(id)
	reply, err := ncbi.GetJSON(ctx, c.Service(&OLS), call)
	if err != nil {
		return "", err
	}
	for _, d := range reply.Each("response.docs") {
		if !slices.ContainsFunc(d.Texts("obo_id"), func(o string) bool { return strings.EqualFold(o, id) }) {
			continue
		}
		// OLS4 has returned lists for single values
		// (https://github.com/obophenotype/cell-ontology/issues/2039).
		if labels := d.Texts("label"); len(labels) > 0 {
			return labels[0], nil
		}
		return "", call.UnreadableError(errors.New("a disease without a label"))
	}
	return "", nil
}
