package ensembl_test

import (
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/ensembl"
	"biomcp/entrez/ensembl/ensembltest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

func TestSPDI(t *testing.T) {
	for name, c := range map[string]struct {
		spdi, says string
		kind       httpclient.Kind
	}{
		"ENST00000646891.2:c.1799T>A":   {"NC_000007.14:140753335:A:T", "", ""},
		"ENSP00000493543.1:p.Val600Glu": {"NC_000007.14:140753335:A:T", "", ""},
		"ENSP00000493543.1:p.Leu505Phe": {"", "may be 2 changes: [NC_000007.14:140777990:C:A NC_000007.14:140777990:C:G]", httpclient.Refused},
		"ENST00000000000:c.1A>G":        {"", "Unable to parse HGVS notation", httpclient.Refused},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := sourcetest.New(t, sourcetest.WithoutNetwork())
				ensembltest.AddTo(srv)
				got, err := ensembl.SPDI(t.Context(), srv.Network(t), name)
				switch {
				case c.spdi != "" && (err != nil || got.String() != c.spdi):
					t.Errorf("%s, %v", got, err)
				case c.spdi == "" && (!httpclient.IsKind(err, c.kind) || !strings.Contains(err.Error(), c.says)):
					t.Errorf("%s, %v", got, err)
				}
			})
		})
	}
}

// A reply without a change or in an unexpected format is an error of the service.
func TestReplyWithoutAChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := sourcetest.New(t, sourcetest.WithoutNetwork())
		srv.Add(sourcetest.Service{Source: &ensembl.Source, Path: "/ensembl/", Endpoints: []sourcetest.Endpoint{
			{Name: "recoder", Path: "variant_recoder/human/{name}", Answer: func(*sourcetest.Call) sourcetest.Reply {
				return sourcetest.JSON(200, []any{map[string]any{"T": map[string]any{"input": "x", "spdi": []string{"no SPDI"}}}})
			}},
		}})
		c := srv.Network(t)
		if got, err := ensembl.SPDI(t.Context(), c, "x"); err == nil || !strings.Contains(err.Error(), "no SPDI of x") {
			t.Errorf("%s, %v", got, err)
		}
		if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if got, err := ensembl.SPDI(t.Context(), c, "y"); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("%s, %v", got, err)
		}
	})
}
