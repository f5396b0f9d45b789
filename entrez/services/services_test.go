package services_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/services"
	"biomcp/entrez/services/servicestest"
	"biomcp/entrez/sourcetest"
)

func TestDiseaseLabel(t *testing.T) {
	for word, want := range map[string]string{"DOID:14323": "Marfan syndrome", "doid_14323": "Marfan syndrome", "DOID:1": ""} {
		t.Run(word, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := sourcetest.New(t, sourcetest.WithoutNetwork(), sourcetest.NoLimit())
				servicestest.AddTo(s)
				id, ok := services.ParseDOID(word)
				if got, err := services.DiseaseLabel(t.Context(), s.Network(t), id); got != want || err != nil || !ok {
					t.Errorf("%q, %v, %v", got, ok, err)
				}
			})
		})
	}
	if id, ok := services.ParseDOID("MONDO:0007947"); ok {
		t.Error(id)
	}
}

func TestPathways(t *testing.T) {
	t.Parallel()
	srv := sourcetest.New(t)
	servicestest.AddTo(srv)
	network := srv.Network(t)
	got, err := services.Pathways(t.Context(), network, "P15056")
	if err != nil || len(got) != 2 || got[0].ID != "R-HSA-90000001" || got[0].Name != "Invented cascade" || !got[1].InDisease {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := services.Pathways(t.Context(), network, "P00000"); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := services.Pathways(t.Context(), network, "../x"); !httpclient.IsKind(err, httpclient.Invalid) {
		t.Error(err)
	}
}

func TestTopics(t *testing.T) {
	t.Parallel()
	srv := sourcetest.New(t)
	servicestest.AddTo(srv)
	network, err := httpclient.New(srv.Config())
	if err != nil {
		t.Fatal(err)
	}
	got, err := services.Topics(t.Context(), network, "melanoma", 5)
	if err != nil || len(got) != 1 || got[0].Title != "Melanoma" || !slices.Equal(got[0].Names, []string{"Malignant melanoma", "Melanoma"}) ||
		got[0].Summary != "Synthetic words: a tumor of pigment cells & skin.\nLook at moles" || got[0].URL != "https://medlineplus.gov/melanoma.html" {
		t.Errorf("%+v, %v", got, err)
	}
	if got, err := services.Topics(t.Context(), network, "nothing", 5); err != nil || len(got) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

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
				servicestest.AddTo(srv)
				got, err := services.SPDI(t.Context(), srv.Network(t), name)
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
		srv.Add(sourcetest.Service{Source: &services.Ensembl, Path: "/ensembl/", Endpoints: []sourcetest.Endpoint{
			{Name: "recoder", Path: "variant_recoder/human/{name}", Answer: func(*sourcetest.Call) sourcetest.Reply {
				return sourcetest.JSON(200, []any{map[string]any{"T": map[string]any{"input": "x", "spdi": []string{"no SPDI"}}}})
			}},
		}})
		c := srv.Network(t)
		if got, err := services.SPDI(t.Context(), c, "x"); err == nil || !strings.Contains(err.Error(), "no SPDI of x") {
			t.Errorf("%s, %v", got, err)
		}
		if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if got, err := services.SPDI(t.Context(), c, "y"); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("%s, %v", got, err)
		}
	})
}
