package datasets_test

import (
	"net/http"
	"testing"

	"biomcp/entrez/datasets"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

func TestTotalIsOfAllPages(t *testing.T) {
	t.Parallel()
	srv := sourcetest.New(t)
	srv.Add(sourcetest.Service{Source: &datasets.Source, Path: "/datasets/v2/", Endpoints: []sourcetest.Endpoint{{Name: "orthologs", Path: "gene/id/{id}/orthologs", Answer: func(*sourcetest.Call) sourcetest.Reply {
		return sourcetest.JSON(http.StatusOK, map[string]any{"reports": []any{map[string]any{"gene": map[string]any{"gene_id": "1"}}}, "total_count": 1234, "next_page_token": "x"})
	}}}})
	c, err := httpclient.New(srv.Config())
	if err != nil {
		t.Fatal(err)
	}
	genes, total, err := datasets.New(c).Orthologs(t.Context(), "673")
	if err != nil || len(genes) != 1 || total != 1234 {
		t.Errorf("%d genes of %d, %v", len(genes), total, err)
	}
}
