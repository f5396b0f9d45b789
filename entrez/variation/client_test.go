package variation_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variation"
	"biomcp/entrez/variation/variationtest"
)

// client runs test with the simulated service in a synctest bubble, where the rate limit of one
// request a second takes no time.
func client(t *testing.T, test func(t *testing.T, c *httpclient.Client, srv *sourcetest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := sourcetest.New(t, sourcetest.WithoutNetwork())
		variationtest.AddTo(srv)
		test(t, srv.Network(t), srv)
	})
}

func TestSpellings(t *testing.T) {
	client(t, func(t *testing.T, c *httpclient.Client, _ *sourcetest.Server) {
		ctx := t.Context()
		s, err := variation.FromHGVS(ctx, c, "NM_004333.6:c.1799T>A")
		if err != nil {
			t.Fatal(err)
		}
		if got := s.String(); got != "NM_004333.6:2024:T:A" {
			t.Errorf("SPDI %s, want NM_004333.6:2024:T:A", got)
		}
		if !s.OneBase() {
			t.Errorf("%s does not change one base", s)
		}
		canonical, err := variation.Canonical(ctx, c, s)
		if err != nil || canonical.String() != "NC_000007.14:140753335:A:T" {
			t.Errorf("%s, %v", canonical, err)
		}
		same, err := variation.Equivalent(ctx, c, canonical)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Contains(same, s) {
			t.Errorf("the equivalent changes %v do not include %s", same, s)
		}
		if len(same) != 3 {
			t.Errorf("%d equivalent changes, want 3: %v", len(same), same)
		}
		if hgvs, err := variation.HGVS(ctx, c, canonical); err != nil || hgvs != "NC_000007.14:g.140753336A>T" {
			t.Errorf("%s, %v", hgvs, err)
		}
		if ids, err := variation.RSIDs(ctx, c, canonical); err != nil || !slices.Equal(ids, []string{"113488022"}) {
			t.Errorf("%q, %v", ids, err)
		}
		unnamed, _ := variation.Parse("NC_000007.14:140800000:A:G")
		if ids, err := variation.RSIDs(ctx, c, unnamed); err != nil || len(ids) > 0 {
			t.Errorf("%q, %v", ids, err)
		}
	})
}

func TestChangesThatCannotBeRead(t *testing.T) {
	client(t, func(t *testing.T, c *httpclient.Client, srv *sourcetest.Server) {
		if _, err := variation.FromHGVS(t.Context(), c, "NM_900000.1:c.1A>G"); !httpclient.IsKind(err, httpclient.NotFound) && !httpclient.IsKind(err, httpclient.Refused) {
			t.Error(err)
		}
		if err := srv.Fail(sourcetest.Fault{Endpoint: "variation-spdi", Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		s, _ := variation.Parse("NC_000007.14:140753335:A:T")
		if ids, err := variation.RSIDs(t.Context(), c, s); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Errorf("%q, %v", ids, err)
		}
	})
}
