package variant_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"biomcp/entrez/clinvar"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/resolve"
	"biomcp/entrez/sources/sourcestest"
	"biomcp/entrez/sourcetest"
	"biomcp/entrez/variant"
)

// simulated runs test with simulated sources in a synctest bubble, where rate limits take no time.
func simulated(t *testing.T, test func(t *testing.T, c *variant.Client, srv *entreztest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := entreztest.New(t, entreztest.NoLimit(), entreztest.WithoutNetwork())
		sourcestest.AddTo(srv.Server)
		test(t, variant.New(srv.Network(t)), srv)
	})
}

// outcome returns the ids of variants, or the kind of the miss.
func outcome(all []*variant.Variant, err error) string {
	if miss, ok := errors.AsType[*resolve.Miss](err); ok {
		return miss.Kind.String()
	} else if err != nil {
		return err.Error()
	}
	var ids []string
	for _, v := range all {
		ids = append(ids, v.ID)
	}
	return strings.Join(ids, " ")
}

const v600e = "VCV000013961"

func TestFind(t *testing.T) {
	for word, want := range map[string]string{
		v600e: v600e, v600e + ".3": v600e, "13961": v600e, "rs113488022": v600e, "RCV000014992": v600e, "CA123643": v600e,
		"NC_000007.14:g.140753336A>T": v600e, "NC_000007.14:140753335:A:T": v600e, "chr7:140753336A>T": v600e,
		"NM_004333.6:c.1799T>A": v600e, "NC_000007.13:g.140453136A>T": v600e, "NM_004333.6:2024:T:A": v600e,
		"NM_004333:c.1799T>A": v600e, "ENST00000646891.2:c.1799T>A": v600e, "NP_004324.2:p.Val600Glu": v600e,
		"BRAF V600E": v600e, "braf p.V600E": v600e, "BRAF p.(Val600Glu)": v600e, "BRAF c.1799T>A": v600e,
		"B-RAF1 V600E": v600e,          // an alias of the gene
		"MYD88 L265P":  "VCV000037055", // numbered by another transcript
		"rs386571803":  "rs268",        // merged into it
		"rs999999999":  "not found", "BRAF V600X": "not found", "NOSUCH V600E": "not found",
		"V600E": "not found", "hello": "not found", "": "not found",
	} {
		t.Run(word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *variant.Client, _ *entreztest.Server) {
				if got := outcome(c.Find(t.Context(), word)); !strings.HasPrefix(got, want) {
					t.Errorf("it is %q, want %q", got, want)
				}
			})
		})
	}
}

// Only replies that were read whole say that there is no variant, or that ClinVar does not have it.
func TestFindWithoutASource(t *testing.T) {
	for _, test := range []struct {
		endpoint, word, want string
		known                bool // whether it is known if ClinVar has the variant
	}{
		{"esearch", "rs113488022", "rs113488022", false}, // from dbSNP alone
		{"esearch", "BRAF V600E", "source unavailable", false},
		{"esummary", v600e, "source unavailable", false},
		{"datasets-symbol", "NOSUCH V600E", "source unavailable", false},
		{"variation-hgvs", "NM_004333.6:c.1799T>A", "source unavailable", false},
		{"efetch", "BRAF V600E", v600e, true},
	} {
		t.Run(test.endpoint+" "+test.word, func(t *testing.T) {
			simulated(t, func(t *testing.T, c *variant.Client, srv *entreztest.Server) {
				if err := srv.Fail(sourcetest.Fault{Endpoint: test.endpoint, Kind: sourcetest.HTML403, Times: -1}); err != nil {
					t.Fatal(err)
				}
				all, err := c.Find(t.Context(), test.word)
				if got := outcome(all, err); got != test.want {
					t.Errorf("it is %q, want %q", got, test.want)
				}
				for _, v := range all {
					if known := v.ClinVarErr == nil; known != test.known {
						t.Errorf("known whether ClinVar has it: %v, want %v", known, test.known)
					}
				}
			})
		})
	}
	simulated(t, func(t *testing.T, c *variant.Client, _ *entreztest.Server) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Find(ctx, "BRAF V600E"); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v, want context.Canceled", err)
		}
	})
}

func TestResults(t *testing.T) {
	simulated(t, func(t *testing.T, c *variant.Client, _ *entreztest.Server) {
		c.Assembly = "GRCh37"
		answer, err := c.FindAll(t.Context(), "B-RAF1 V600E", "chr7:140453136A>T", "rs386571803", "MYD88 L265P", "NC_000007.14:140800000:A:G")
		if err != nil {
			t.Fatal(err)
		}
		r := answer.Results
		if r[0].Variants[0] != r[1].Variants[0] {
			t.Error("two names of one variant have two records")
		}
		v := r[0].Variants[0]
		for _, c := range []struct{ name, got, want string }{
			{"the alias", r[0].Alias.Word, "B-RAF1"},
			{"the gene", r[0].Name.Gene, "BRAF"},
			{"the assembly", r[1].Name.Assembly, "GRCh37"},
			{"merged into", r[2].MergedInto, "rs268"},
			{"merged from", fmt.Sprint(r[2].Variants[0].MergedFrom), "[rs386571803]"},
			{"another transcript", fmt.Sprint(r[3].OtherTranscript), "true"},
			{"in neither source", fmt.Sprint(r[4].Unrecorded), "true"},
			{"its HGVS", r[4].Variants[0].HGVS.G, "NC_000007.14:g.140800001A>G"},
			{"SPDI", v.SPDI, "NC_000007.14:140753335:A:T"},
			{"protein", v.ShortChange(), "V600E"},
			{"gnomAD", v.GnomAD, "7-140753336-A-T"},
			{"not read", fmt.Sprint(r[3].Variants[0].Whole == nil), "false"},
		} {
			if c.got != c.want {
				t.Errorf("%s: %q, want %q", c.name, c.got, c.want)
			}
		}
		if len(v.Locations) != 2 {
			t.Errorf("%d locations, want 2: %v", len(v.Locations), v.Locations)
		}
	})
}

func TestWholeRecords(t *testing.T) {
	for most, want := range map[int]bool{0: false, 1: true} {
		t.Run(fmt.Sprint(most), func(t *testing.T) {
			simulated(t, func(t *testing.T, c *variant.Client, _ *entreztest.Server) {
				c.MaxWhole = most
				all, err := c.Find(t.Context(), "BRAF V600E")
				if err != nil {
					t.Fatal(err)
				}
				if got := all[0].Whole != nil; got != want {
					t.Errorf("the whole record was read: %v, want %v", got, want)
				}
				if got := all[0].Functional != nil; got != want {
					t.Errorf("the functional evidence is known: %v, want %v", got, want)
				}
			})
		})
	}
}

// The gene of a variant is the one whose transcript numbers its change, in whatever order ClinVar lists the genes.
func TestGeneOfTheTitle(t *testing.T) {
	for _, genes := range [][]string{{"FBXO11", "MSH6"}, {"MSH6", "FBXO11"}} {
		r := &clinvar.Record{Title: "NM_000179.3(MSH6):c.1164C>T (p.His388=)", Genes: genes}
		if v := variant.FromClinVar(r); v.Gene != "MSH6" || v.HGVS.P != "MSH6 p.His388=" {
			t.Errorf("%q: got %q, %q, want MSH6", genes, v.Gene, v.HGVS.P)
		}
	}
	renamed := &clinvar.Record{Title: "NM_000179.3(GTBP):c.1164C>T (p.His388=)", Genes: []string{"MSH6"}}
	for _, c := range []struct {
		names []string
		total int
		gene  string
		want  string
	}{
		{[]string{"A"}, 0, "A", `"genes":["A"],"genes_total":1`}, {[]string{"A", "B"}, 0, "", `"genes":["A","B"],"genes_total":2`},
		{nil, 0, "", `"genes":null,"genes_total":null`}, {[]string{"A", "B"}, 145, "", `"genes":["A","B"],"genes_total":145`},
		{nil, 10, "", `"genes":null,"genes_total":10`},
	} {
		v := variant.FromClinVar(&clinvar.Record{Title: "GRCh38/hg38 2p16.3(chr2:1-2)x1", Genes: c.names, GenesTotal: c.total})
		body, err := json.Marshal(v)
		if v.Gene != c.gene || err != nil || !strings.Contains(string(body), c.want) {
			t.Errorf("genes %q of %d: got %q, %s, %v, want %q, %s", c.names, c.total, v.Gene, body, err, c.gene, c.want)
		}
	}
	if v := variant.FromClinVar(renamed); v.Gene != "MSH6" {
		t.Errorf("got %q, want the current symbol", v.Gene)
	}
}
