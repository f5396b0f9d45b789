package entrez_test

import (
	"slices"
	"strings"
	"testing"

	"biomcp/entrez"
	"biomcp/entrez/entreztest"
	"biomcp/entrez/httpclient"
)

func TestDocsOfAnyDatabase(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		found, docs, err := c.FindDocs(t.Context(), entrez.SearchParams{DB: "gene", Term: "(MLL2[PREF] OR MLL2[GENE]) AND 9606[TID] AND alive[PROP]", RetMax: 20})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "found", found.IDs, []string{"8085", "9757"})
		var names []string
		for _, d := range docs.Items {
			names = append(names, d.Text("name"))
		}
		equal(t, "names", names, []string{"KMT2D", "KMT2B"})
		equal(t, "requests", sim.Count(), 2)

		docs, err = c.Docs(t.Context(), "gene", []string{"999999999", "673"})
		if err != nil {
			t.Fatal(err)
		}
		if len(docs.Items) != 1 {
			t.Fatalf("%d items, want 1: %+v", len(docs.Items), docs)
		}
		equal(t, "UID", docs.Items[0].UID, "673")
		equal(t, "missing", docs.Missing, []string{"999999999"})
		_, err = c.Docs(t.Context(), "fleegle", []string{"1"})
		wants(t, err, httpclient.Refused)
		_, _, err = c.FindDocs(t.Context(), entrez.SearchParams{DB: "fleegle", Term: "x"})
		wants(t, err, httpclient.Refused)
		_, docs, err = c.FindDocs(t.Context(), entrez.SearchParams{DB: "gene", Term: "nosuchword", RetMax: 5})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "items", len(docs.Items), 0)
		if got := sim.Requests("esummary")[0].Params.Get("version"); got != "2.0" {
			t.Errorf("version %q", got)
		}
	})
}

// NCBI ignores an unknown tag without a message.
func TestUnknownTagBroadensWithoutAWord(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		found, err := c.Search(t.Context(), entrez.SearchParams{DB: "gene", Term: "RAD1[SYMBL]"})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "count", found.Count, 2)
		equal(t, "fields not found", len(found.FieldsNotFound), 0)
		equal(t, "dropped", len(found.DroppedTerms()), 0)
		unknown, names, err := c.UnknownTags(t.Context(), "gene", `RAD1[SYMBL] AND 9606[TID] AND "[x]"[Gene Name]`)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "unknown tags", unknown, []string{"SYMBL"})
		if !slices.Contains(names, "pref") {
			t.Errorf("the names do not include pref: %q", names)
		}
	})
}

func TestLinksToPubMedOfAnotherDatabase(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		sets, err := c.LinkSets(t.Context(), []string{"673", "5810"}, "gene_pubmed")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "links of 673", len(sets.ByID["673"].Items), 3)
		equal(t, "links of 5810", len(sets.ByID["5810"].Items), 0)
		p := sim.Requests("elink")[0].Params
		equal(t, "db", p.Get("db"), "pubmed")
		equal(t, "linkname", p.Get("linkname"), "gene_pubmed")
	})
}

func TestCapturedDocs(t *testing.T) {
	type one struct{ uid, name, status, current string }
	for name, want := range map[string]one{
		"breadth/eutils/esummary_gene_7171_2020.json": {"7171", "TPM4", "", ""},
		"breadth/eutils-2016/esummary.gene.json":      {"21803", "Tgfb1", "0", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			captured(t, name, func(t *testing.T, c *entrez.Client) {
				docs, err := c.Docs(t.Context(), "gene", []string{want.uid})
				if err != nil || len(docs.Items) != 1 {
					t.Fatal(docs, err)
				}
				g := docs.Items[0]
				equal(t, "gene", one{g.UID, g.Text("name"), g.Text("status"), g.Text("currentid")}, want)
			})
		})
	}
	captured(t, "breadth/eutils-2016/esummary.error.json", func(t *testing.T, c *entrez.Client) {
		_, err := c.Docs(t.Context(), "gene", []string{"1"})
		if e := wants(t, err, httpclient.Refused); !strings.Contains(e.Message, "Invalid db name specified") {
			t.Error(e.Message)
		}
	})
	captured(t, "breadth/eutils/esearch_backend_502.xml", func(t *testing.T, c *entrez.Client) {
		_, err := c.Search(t.Context(), entrez.SearchParams{DB: "gene", Term: "x"})
		wants(t, err, httpclient.Refused)
	})
	captured(t, "breadth/eutils/elink_medgen_pubmed_none.xml", func(t *testing.T, c *entrez.Client) {
		if _, err := c.LinkSets(t.Context(), []string{"1"}, "medgen_pubmed"); err == nil {
			t.Error("a reply about another record was read")
		}
	})
	captured(t, "breadth/eutils/esearch_medgen_OCRL.xml", func(t *testing.T, c *entrez.Client) {
		if found, err := c.Search(t.Context(), entrez.SearchParams{DB: "medgen", Term: "OCRL"}); err != nil || found.Count != 5 {
			t.Errorf("%+v, %v", found, err)
		}
	})
}

// The simulator can serve a captured ESummary.
func TestSimulatorHoldsCapturedSummaries(t *testing.T) {
	imaginary(t, func(t *testing.T, sim *entreztest.Server, c *entrez.Client) {
		captured := strings.NewReader(`{"result":{"uids":["5"],"5":{"uid":"5","name":"SYN5"}}}`)
		if err := sim.SetSummaries("gene", captured, map[string]map[string][]string{"5": {"PREF": {"SYN5"}}}); err != nil {
			t.Fatal(err)
		}
		found, docs, err := c.FindDocs(t.Context(), entrez.SearchParams{DB: "gene", Term: "SYN5[PREF]", RetMax: 1})
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "count", found.Count, 1)
		equal(t, "items", len(docs.Items), 1)
	})
}
