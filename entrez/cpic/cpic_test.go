package cpic_test

import (
	"testing"

	"biomcp/entrez/cpic"
	"biomcp/entrez/cpic/cpictest"
	"biomcp/entrez/sourcetest"
)

func TestPairs(t *testing.T) {
	t.Parallel()
	srv := sourcetest.New(t)
	cpictest.AddTo(srv)
	network := srv.Network(t)
	got, err := cpic.ByGene(t.Context(), network, "BRAF")
	if err != nil || len(got) != 2 || got[0].Level != "A" || got[0].Drug != "fictinib" || *got[0].Testing != "Testing Required" || got[0].PMIDs[0] != "90100001" ||
		!got[1].Provisional || got[1].Guideline != nil || got[1].PMIDs == nil {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := cpic.ByDrug(t.Context(), network, "Fictinib"); err != nil || len(got) != 1 || got[0].Gene != "BRAF" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := cpic.ByDrug(t.Context(), network, "nothing"); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}
