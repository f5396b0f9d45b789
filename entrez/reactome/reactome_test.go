package reactome_test

import (
	"testing"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/reactome"
	"biomcp/entrez/reactome/reactometest"
	"biomcp/entrez/sourcetest"
)

func TestPathways(t *testing.T) {
	t.Parallel()
	srv := sourcetest.New(t)
	reactometest.AddTo(srv)
	network := srv.Network(t)
	got, err := reactome.Pathways(t.Context(), network, "P15056")
	if err != nil || len(got) != 2 || got[0].ID != "R-HSA-90000001" || got[0].Name != "Invented cascade" || !got[1].InDisease {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := reactome.Pathways(t.Context(), network, "P00000"); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := reactome.Pathways(t.Context(), network, "../x"); !httpclient.IsKind(err, httpclient.Invalid) {
		t.Error(err)
	}
}
