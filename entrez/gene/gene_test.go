package gene_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/datasets/datasetstest"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/gene"
	"biomcp/entrez/resolve"
	"biomcp/entrez/sourcetest"
)

// simulated runs test with a simulated NCBI in a synctest bubble, where rate limits take no time.
func simulated(t *testing.T, test func(t *testing.T, c *gene.Client, srv *entreztest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork())
		datasetstest.AddTo(srv.Server)
		test(t, gene.New(srv.Network(t)), srv)
	})
}

// outcome returns the symbol of a gene and the kind and candidates of the miss.
func outcome(g *gene.Gene, err error) (text string) {
	if g != nil {
		text = g.Symbol + " " + g.ID
	}
	if miss, ok := errors.AsType[*resolve.Miss](err); ok {
		text += "; " + miss.Kind.String()
		for _, c := range miss.Candidates {
			text += " " + c.Symbol
		}
	} else if err != nil {
		text += "; " + err.Error()
	}
	return strings.TrimPrefix(text, "; ")
}

func TestFind(t *testing.T) {
	for _, test := range []struct{ organism, word, want string }{
		{"human", "BRAF", "BRAF 673"},
		{"human", "braf", "BRAF 673"},
		{"human", "MLH-1", "MLH1 4292"},
		{"human", "673", "BRAF 673"},
		{"human", "HGNC:1097", "BRAF 673"},
		{"human", "ENSG00000157764", "BRAF 673"},
		{"human", "RAD1", "RAD1 5810"}, // also an alias of ERCC4
		{"human", "HER2", "alias of ERBB2"},
		{"human", "c-kit", "alias of KIT"},
		{"human", "pd l1", "alias of CD274"},
		{"human", "MLL2", "ambiguous between KMT2D KMT2B"},
		{"human", "90300002", "OLDSYM2 90300002; replaced by 673"},
		{"human", "90300001", "OLDSYM1 90300001; withdrawn"},
		{"human", "NOSUCHGENE", "not found"},
		{"human", "999999999", "not found"},
		{"human", "HGNC:999999", "not found"},
		{"human", "lung cancer", "not found"},
		{"human", " ", "not found"},
		{"Mouse", "Trp53", "Trp53 22059"},
		{"Mouse", "TP53", "alias of Trp53"},
		{"Mouse", "KIT", "not found"},
	} {
		t.Run(test.organism+" "+test.word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *gene.Client, _ *entreztest.Server) {
				c.Taxon = gene.TaxID(test.organism)
				if got := outcome(c.Find(t.Context(), test.word)); got != test.want {
					t.Errorf("it is %q, want %q", got, test.want)
				}
			})
		})
	}
}

// Only a reply that was read whole says that there is no gene.
func TestFindWithoutASource(t *testing.T) {
	for _, test := range []struct{ endpoint, word, want string }{
		{"datasets-symbol", "BRAF", "BRAF 673"}, // NCBI Gene has it
		{"datasets-id", "673", "BRAF 673"},
		{"esearch", "HER2", "source unavailable"},
		{"esearch", "HGNC:1097", "source unavailable"},
		{"esummary", "BRAF", "BRAF 673"}, // NCBI Datasets has it
		{"esummary", "90300001", "source unavailable"},
		{"esummary", "90300002", "replaced by BRAF"}, // NCBI Datasets reports the successor
	} {
		t.Run(test.endpoint+" "+test.word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *gene.Client, srv *entreztest.Server) {
				if err := srv.Fail(sourcetest.Fault{Endpoint: test.endpoint, Kind: sourcetest.HTML403, Times: -1}); err != nil {
					t.Fatal(err)
				}
				if got := outcome(c.Find(t.Context(), test.word)); got != test.want {
					t.Errorf("it is %q, want %q", got, test.want)
				}
				answer, err := c.FindAll(t.Context(), test.word)
				if err == nil && answer.Results[0].Gene != nil && answer.PartErr == nil {
					t.Error("the answer does not say that a part is missing")
				}
			})
		})
	}
}

func TestCancelled(t *testing.T) {
	simulated(t, func(t *testing.T, c *gene.Client, _ *entreztest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Find(ctx, "BRAF"); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v, want context.Canceled", err)
		}
	})
}

func TestRecord(t *testing.T) {
	simulated(t, func(t *testing.T, c *gene.Client, _ *entreztest.Server) {
		answer, err := c.FindAll(t.Context(), "MLH-1", "BRAF", "673")
		if err != nil {
			t.Fatal(err)
		}
		g := answer.Results[1].Gene
		if g != answer.Results[2].Gene {
			t.Error("BRAF and 673 have two records")
		}
		for _, c := range []struct{ name, got, want string }{
			{"the symbol of MLH-1", answer.Results[0].Symbol, "MLH1"},
			{"the symbol of a GeneID", answer.Results[2].Symbol, ""},
			{"name", g.Name, "B-Raf proto-oncogene, serine/threonine kinase"},
			{"ids", fmt.Sprint([]string{g.HGNC}, g.Ensembl, g.UniProt, g.OMIM), "[HGNC:1097] [ENSG00000157764] [P15056] [164757]"},
			{"organism", g.Organism.Name, "Homo sapiens"},
			{"status", g.Status, gene.Live},
			{"earlier location", g.Location37.String(), "GRCh37 7:140419127-140624564 (-)"},
			{"type", g.Type, "protein-coding"},
			{"page", g.URL, gene.Page + "673"},
			{"no location", (*gene.Location)(nil).String(), ""},
			{"the taxid of a martian", gene.TaxID("martian"), ""},
		} {
			if c.got != c.want {
				t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
			}
		}
		if !g.IsHuman() {
			t.Error("BRAF is not human")
		}
	})
}

// table is a table with one alias and one symbol.
func table(_ context.Context, word string) (gene.Name, bool) {
	switch word {
	case "P53":
		return gene.Name{Genes: []resolve.Candidate{{Symbol: "TP53", ID: "7157"}}, Previous: true, Source: "a table"}, true
	case "KIT":
		return gene.Name{}, true
	}
	return gene.Name{}, false
}

func TestNames(t *testing.T) {
	for _, test := range []struct {
		table           gene.NameTable
		word, want      string
		known, requests bool
	}{
		{nil, "P53", "an alias [TP53]", true, true},
		{nil, "mll2", "an alias [KMT2D]", true, true},
		{nil, "BRAF", "an alias []", false, true},
		{nil, "not a symbol", "an alias []", false, false},
		{table, "P53", "a previous symbol [TP53]", true, false},
		{table, "KIT", "an alias []", false, false},
		{table, "HER2", "an alias [ERBB2]", true, true},
	} {
		t.Run(test.word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *gene.Client, srv *entreztest.Server) {
				c.Table = test.table
				if known := c.IsOtherName(t.Context(), test.word); known != test.known {
					t.Errorf("known to be another name: %v, want %v", known, test.known)
				}
				if n := len(srv.Requests()); n > 0 {
					t.Errorf("IsOtherName sent %d requests", n)
				}
				name, err := c.LookupName(t.Context(), test.word)
				if got := fmt.Sprint(name.Kind(), " ", name.Symbols()); err != nil || got != test.want {
					t.Errorf("%s, %v, want %s", got, err, test.want)
				}
				if sent := len(srv.Requests()) > 0; sent != test.requests {
					t.Errorf("sent requests: %v, want %v", sent, test.requests)
				}
			})
		})
	}
	if got := (gene.Name{Genes: make([]resolve.Candidate, 2), Previous: true}).Kind(); got != "a previous symbol or an alias" {
		t.Errorf("a previous symbol of one of two: %s", got)
	}
}

func TestAliasInTheTable(t *testing.T) {
	simulated(t, func(t *testing.T, c *gene.Client, _ *entreztest.Server) {
		c.Table = table
		answer, err := c.FindAll(t.Context(), "P53")
		if err != nil {
			t.Fatal(err)
		}
		r := answer.Results[0]
		if got := outcome(r.Gene, r.Miss); got != "alias of TP53" {
			t.Errorf("P53 is %q, want an alias of TP53", got)
		}
		if r.Listed == nil || !r.Listed.Previous {
			t.Errorf("the entry of the table is %+v, want a previous symbol", r.Listed)
		}
	})
}

func TestSimilarSymbol(t *testing.T) {
	for word, want := range map[string]string{"EFGR": "EGFR", "BRAFF": "BRAF", "QQQQ": "", "two words": ""} {
		t.Run(word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *gene.Client, _ *entreztest.Server) {
				if got := c.SimilarSymbol(t.Context(), word); got != want {
					t.Errorf("%q, want %q", got, want)
				}
			})
		})
	}
}
