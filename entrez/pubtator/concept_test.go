package pubtator_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/pubtator"
)

func TestCapturedAutocomplete(t *testing.T) {
	captured(t, "breadth/pubtator/autocomplete_BRAF.json", "autocomplete?limit=10&query=BRAF", func(t *testing.T, c *httpclient.Client) {
		found, err := pubtator.Concepts(t.Context(), c, "BRAF", 10)
		if err != nil || len(found) != 2 || found[0].Accession != "@GENE_BRAF" || found[0].Type != "gene" || found[0].Name != "BRAF" || found[0].Match != "Matched on name BRAF" || found[0].ID != "" {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

// Synthetic replies.
func TestConceptsOfOtherReplies(t *testing.T) {
	for _, c := range []struct {
		one
		n    int
		kind httpclient.Kind
	}{
		{one{200, `[]`}, 0, ""},
		{one{200, `[{"_id":1,"biotype":"Gene","db_id":673,"name":"BRAF"},{"name":null},{"biotype":"gene"}]`}, 1, ""},
		{one{200, `{"detail":"query: give one"}`}, 0, httpclient.Refused},
		{one{200, `{"rows":[]}`}, 0, httpclient.Upstream},
		{one{200, `<html>`}, 0, httpclient.Upstream},
	} {
		t.Run(fmt.Sprint(c.n), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found, err := pubtator.Concepts(t.Context(), client(t, httpclient.Config{Transport: c.one}), "BRAF", 5)
				if len(found) != c.n || c.kind != "" && !httpclient.IsKind(err, c.kind) || c.kind == "" && err != nil {
					t.Errorf("%s: %+v, %v", c.body, found, err)
				}
			})
		})
	}
	if _, err := pubtator.Concepts(t.Context(), client(t, httpclient.Config{}), " ", 5); !httpclient.IsKind(err, httpclient.Invalid) {
		t.Error(err)
	}
}
