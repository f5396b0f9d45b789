package cpic_test

import (
	"strings"
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
	if got, err := cpic.ByDrug(t.Context(), network, "Fictinib", "9001"); err != nil || len(got) != 1 || got[0].Gene != "BRAF" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := cpic.ByDrug(t.Context(), network, "lonelyinib", "9040"); err != nil || len(got) != 1 || got[0].Drug != "lonely acid" {
		t.Errorf("by RxCUI %+v, %v; want lonely acid", got, err)
	}
	if got, err := cpic.ByDrug(t.Context(), network, "nothing", "1"); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

// A failure of CPIC says where its guidelines move to; a refusal does not.
func TestAnOutageNamesClinPGx(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault sourcetest.Kind
		named bool
	}{{sourcetest.HTML502, true}, {sourcetest.HTML404, true}, {sourcetest.BadKey, false}} {
		t.Run(string(c.fault), func(t *testing.T) {
			srv := sourcetest.New(t)
			cpictest.AddTo(srv)
			if err := srv.Fail(sourcetest.Fault{Kind: c.fault, Times: -1}); err != nil {
				t.Fatal(err)
			}
			_, err := cpic.ByGene(t.Context(), srv.Network(t), "BRAF")
			if err == nil {
				t.Fatal("ByGene returned no error")
			}
			if got := strings.Contains(err.Error(), "clinpgx.org"); got != c.named {
				t.Errorf("error %q names ClinPGx: %v, want %v", err, got, c.named)
			}
		})
	}
}
