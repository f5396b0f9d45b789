package datasets_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/datasets"
	"biomcp/entrez/datasets/datasetstest"
	"biomcp/entrez/polite"
	"biomcp/entrez/sourcetest"
)

// simulated asks the simulated service in a bubble of synctest, where its pace takes no
// time.
func simulated(t *testing.T, test func(t *testing.T, c *datasets.Client, srv *sourcetest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := sourcetest.New(t, sourcetest.Unlisted())
		datasetstest.AddTo(srv)
		test(t, datasets.New(srv.Network(t)), srv)
	})
}

func TestGenes(t *testing.T) {
	simulated(t, func(t *testing.T, c *datasets.Client, _ *sourcetest.Server) {
		genes, err := c.BySymbol(t.Context(), []string{"BRAF", "P53", "NOSUCH"}, datasets.Human)
		if err != nil || len(genes) != 2 {
			t.Fatalf("%+v, %v", genes, err)
		}
		b, alias := genes[0], genes[1]
		if got := fmt.Sprint(b.ID, b.Symbol, b.Type, b.TaxID, b.Organism, b.HGNC, b.OMIM, b.Ensembl, b.SwissProt, b.ReplacedBy); got != "673BRAFprotein-coding9606Homo sapiensHGNC:1097[164757] [ENSG00000157764] [P15056]" {
			t.Error(got)
		}
		if alias.Symbol != "TP53" || !slices.Equal(alias.Asked, []string{"P53"}) { // it answers an alias as if it were the symbol
			t.Errorf("%+v", alias)
		}
		for _, term := range b.GO {
			if term.ID == "" || term.Aspect == "" || term.PMIDs == nil || !strings.Contains(term.URL, term.ID) {
				t.Errorf("%+v", term)
			}
		}
		if len(b.GO) == 0 || alias.OtherNames == nil || alias.GO == nil {
			t.Errorf("%+v, %+v", b.GO, alias)
		}
		if genes, err = c.ByID(t.Context(), []string{"673", "109880", "1"}); err != nil || len(genes) != 2 || genes[1].Organism != "Mus musculus" {
			t.Errorf("%+v, %v", genes, err)
		}
	})
}

func TestProductsAndOrthologs(t *testing.T) {
	simulated(t, func(t *testing.T, c *datasets.Client, srv *sourcetest.Server) {
		proteins, err := c.Proteins(t.Context(), "673")
		if err != nil || len(proteins) < 2 {
			t.Fatalf("%+v, %v", proteins, err)
		}
		if p := proteins[0]; p.Accession != "NP_004324.2" || p.Transcript != "NM_004333.6" || p.Select != "MANE Select" || p.Length != 766 || p.Isoform != "isoform 1" {
			t.Errorf("%+v", p)
		}
		if proteins, err := c.Proteins(t.Context(), "7157"); err != nil || proteins == nil || len(proteins) > 0 {
			t.Errorf("%+v, %v", proteins, err)
		}
		for _, named := range []struct{ accession, newest string }{{"NM_004333", "NM_004333.6"}, {"NP_004324", "NP_004324.2"}} {
			if got, err := c.Newest(t.Context(), named.accession); err != nil || got != named.newest {
				t.Errorf("%s: %s, %v", named.accession, got, err)
			}
		}
		if got, err := c.Newest(t.Context(), "NM_900000"); !polite.IsKind(err, polite.NotFound) || !strings.Contains(err.Error(), "specify one, as in NM_004333.6") {
			t.Errorf("%s, %v", got, err)
		}
		if genes, total, err := c.Orthologs(t.Context(), "673"); err != nil || total != len(genes) || !slices.ContainsFunc(genes, func(g datasets.Gene) bool { return g.ID == "109880" }) {
			t.Errorf("%d of %+v, %v", total, genes, err)
		}
		if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Proteins(t.Context(), "109880"); !polite.IsKind(err, polite.Upstream) {
			t.Error(err)
		}
		if _, err := c.BySymbol(t.Context(), []string{"TPM4"}, datasets.Human); !polite.IsKind(err, polite.Upstream) {
			t.Error(err)
		}
	})
}

func TestIsSymbol(t *testing.T) {
	for word, want := range map[string]bool{"BRAF": true, "HLA-A": true, "H1.4": true, "": false, "-A": false, "a b": false, strings.Repeat("A", 41): false} {
		t.Run(fmt.Sprintf("%.60s", word), func(t *testing.T) {
			if datasets.IsSymbol(word) != want {
				t.Errorf("%q", word)
			}
		})
	}
}
