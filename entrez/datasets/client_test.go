package datasets_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/datasets"
	"biomcp/entrez/datasets/datasetstest"
	"biomcp/entrez/httpclient"
	"biomcp/entrez/sourcetest"
)

// simulated runs test with the simulated service in a synctest bubble, where the rate limit takes
// no time.
func simulated(t *testing.T, test func(t *testing.T, c *datasets.Client, srv *sourcetest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := sourcetest.New(t, sourcetest.WithoutNetwork())
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
		got := fmt.Sprint(b.ID, b.Symbol, b.Type, b.TaxID, b.Organism, b.HGNC, b.OMIM, b.Ensembl, b.SwissProt)
		const want = "673BRAFprotein-coding9606Homo sapiensHGNC:1097[164757] [ENSG00000157764] [P15056]"
		if got != want {
			t.Errorf("BRAF is %s, want %s", got, want)
		}
		// The service treats an alias like a symbol.
		if alias.Symbol != "TP53" {
			t.Errorf("P53 is %s, want TP53", alias.Symbol)
		}
		if !slices.Equal(alias.Query, []string{"P53"}) {
			t.Errorf("TP53 answers %q, want P53", alias.Query)
		}
		var relations []string
		for _, term := range b.GO {
			relations = append(relations, fmt.Sprint(term.Relation, " ", term.Negated))
		}
		if want := []string{"enables false", "NOT enables true", "NOT involved_in true", " false"}; !slices.Equal(relations, want) {
			t.Errorf("the relations of BRAF to its GO terms are %q, want %q", relations, want)
		}
		for _, term := range b.GO {
			if term.ID == "" {
				t.Errorf("a GO term without ID: %+v", term)
			}
			if term.Aspect == "" {
				t.Errorf("%s has no aspect", term.ID)
			}
			if term.PMIDs == nil {
				t.Errorf("the PMIDs of %s are nil", term.ID)
			}
			if !strings.Contains(term.URL, term.ID) {
				t.Errorf("the URL %s does not contain %s", term.URL, term.ID)
			}
		}
		if alias.OtherNames == nil {
			t.Error("OtherNames is nil")
		}
		if alias.GO == nil {
			t.Error("GO is nil")
		}
		genes, err = c.ByID(t.Context(), []string{"673", "109880", "1"})
		if err != nil {
			t.Fatal(err)
		}
		if len(genes) != 2 {
			t.Fatalf("%d genes, want 2: %+v", len(genes), genes)
		}
		if genes[1].Organism != "Mus musculus" {
			t.Errorf("109880 belongs to %s, want Mus musculus", genes[1].Organism)
		}
	})
}

func TestProductsAndOrthologs(t *testing.T) {
	simulated(t, func(t *testing.T, c *datasets.Client, srv *sourcetest.Server) {
		proteins, err := c.Proteins(t.Context(), "673")
		if err != nil || len(proteins) < 2 {
			t.Fatalf("%+v, %v", proteins, err)
		}
		p := proteins[0]
		for name, value := range map[string][2]string{
			"accession":  {p.Accession, "NP_004324.2"},
			"transcript": {p.Transcript, "NM_004333.6"},
			"selection":  {p.Select, "MANE Select"},
			"length":     {fmt.Sprint(p.Length), "766"},
			"isoform":    {p.Isoform, "isoform 1"},
		} {
			if got, want := value[0], value[1]; got != want {
				t.Errorf("%s %q, want %q", name, got, want)
			}
		}
		if proteins, err := c.Proteins(t.Context(), "7157"); err != nil {
			t.Errorf("a gene without proteins: %v", err)
		} else if proteins == nil || len(proteins) > 0 {
			t.Errorf("a gene without proteins has %#v, want an empty list", proteins)
		}
		for accession, want := range map[string]string{"NM_004333": "NM_004333.6", "NP_004324": "NP_004324.2"} {
			if got, err := c.NewestVersion(t.Context(), accession); err != nil {
				t.Errorf("%s: %v", accession, err)
			} else if got != want {
				t.Errorf("the newest version of %s is %s, want %s", accession, got, want)
			}
		}
		_, err = c.NewestVersion(t.Context(), "NM_900000")
		if !httpclient.IsKind(err, httpclient.NotFound) {
			t.Fatalf("an unknown accession gives %v, want NotFound", err)
		}
		if want := "specify one, as in NM_004333.6"; !strings.Contains(err.Error(), want) {
			t.Errorf("an unknown accession gives %v, want %q in it", err, want)
		}
		genes, total, err := c.Orthologs(t.Context(), "673")
		if err != nil {
			t.Fatal(err)
		}
		if total != len(genes) {
			t.Errorf("a total of %d for %d orthologs", total, len(genes))
		}
		if !slices.ContainsFunc(genes, func(g datasets.Gene) bool { return g.ID == "109880" }) {
			t.Errorf("the orthologs do not include 109880: %+v", genes)
		}
		if err := srv.Fail(sourcetest.Fault{Kind: sourcetest.HTML502, Times: -1}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Proteins(t.Context(), "109880"); !httpclient.IsKind(err, httpclient.Upstream) {
			t.Error(err)
		}
		if _, err := c.BySymbol(t.Context(), []string{"TPM4"}, datasets.Human); !httpclient.IsKind(err, httpclient.Upstream) {
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
