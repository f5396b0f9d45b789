package sources_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/dailymed"
	"biomcp/entrez/datasets"
	"biomcp/entrez/openfda"
	"biomcp/entrez/polite"
	"biomcp/entrez/pubchem"
	"biomcp/entrez/rxnav"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variation"
)

// A whole JSON reply with status 200 in which nothing is that we know does not say that
// there is nothing. It names its source, and is asked for once.
func TestRepliesThatSayNothing(t *testing.T) {
	spdi, _ := variation.Parse("NC_000007.14:140753335:A:T")
	for endpoint, c := range map[string]struct {
		source *polite.Source
		ask    func(ctx context.Context, n *polite.Client) error
	}{
		"drugsfda": {&openfda.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := openfda.Applications(ctx, n, openfda.Query{Names: []string{"fictinib"}, Limit: 1})
			return err
		}},
		"events": {&openfda.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := openfda.Events(ctx, n, "fictinib", 1)
			return err
		}},
		"labels": {&dailymed.Source, func(ctx context.Context, n *polite.Client) error {
			_, _, err := dailymed.Labels(ctx, n, "fictinib", dailymed.Kinds[0])
			return err
		}},
		"compound": {&pubchem.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := pubchem.Find(ctx, n, "fictinib")
			return err
		}},
		"rxcui": {&rxnav.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := rxnav.New(n).Find(ctx, "fictinib")
			return err
		}},
		"related": {&rxnav.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := rxnav.New(n).Related(ctx, "9001")
			return err
		}},
		"codes": {&rxnav.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := rxnav.New(n).Codes(ctx, "9001")
			return err
		}},
		"classes": {&rxnav.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := rxnav.New(n).Classes(ctx, "fictinib")
			return err
		}},
		"near": {&rxnav.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := rxnav.New(n).Near(ctx, "fictin", 5)
			return err
		}},
		"datasets-symbol": {&datasets.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := datasets.New(n).BySymbol(ctx, []string{"BRAF"}, datasets.Human)
			return err
		}},
		"datasets-product": {&datasets.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := datasets.New(n).Proteins(ctx, "673")
			return err
		}},
		"datasets-ortholog": {&datasets.Source, func(ctx context.Context, n *polite.Client) error {
			_, _, err := datasets.New(n).Orthologs(ctx, "673")
			return err
		}},
		"variation-hgvs": {&variation.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := variation.OfHGVS(ctx, n, "NM_004333.6:c.1799T>A")
			return err
		}},
		"variation-spdi": {&variation.Source, func(ctx context.Context, n *polite.Client) error {
			_, err := variation.RSIDs(ctx, n, spdi)
			return err
		}},
	} {
		for _, body := range []string{`{}`, `{"error":"invented fault"}`, `[]`} {
			t.Run(endpoint+" "+body, inBubble(func(t *testing.T) {
				s := sourcetest.New(t, sourcetest.NoLimit(), sourcetest.Unlisted())
				sourcestest.AddTo(s)
				n := s.Network(t)
				if err := c.ask(t.Context(), n); err != nil {
					t.Fatal("as the service answers: ", err)
				}
				s.Forget()
				if err := s.Fail(sourcetest.Fault{Endpoint: endpoint, Kind: sourcetest.OtherJSON, Text: body, Times: -1}); err != nil {
					t.Fatal(err)
				}
				err := c.ask(t.Context(), n)
				said := strings.Contains(body, "fault") && !strings.Contains(err.Error(), "invented fault")
				if !polite.IsKind(err, polite.Upstream) || !strings.HasPrefix(err.Error(), c.source.Label+" ") || said || s.Count() != 1 {
					t.Errorf("%d requests: %v", s.Count(), err)
				}
			}))
		}
	}
}

func inBubble(test func(*testing.T)) func(*testing.T) {
	return func(t *testing.T) { synctest.Test(t, test) }
}
